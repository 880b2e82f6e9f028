package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// user is somebody who has Go and a module proxy that knows the tags.
type user struct {
	plan   *plan
	commit string
	temp   string
	proxy  runner // the go command as the proxy runs it, which fetches from the clone by git
	goTool runner // the user's own, in no module
}

// settings of the go command that the check builds on.
type settings struct {
	GOPROXY    string `json:"GOPROXY"`
	GONOSUMDB  string `json:"GONOSUMDB"`
	GOMODCACHE string `json:"GOMODCACHE"`
}

// user gives the go command a module cache of its own. Our modules come from a folder
// that is a module proxy (GOPROXY=file://…), everything else from the machine's module cache
// and its proxy.
func (c *checker) user(ctx context.Context, temp string, origin *repo, p *plan) (*user, error) {
	asked := runner{dir: c.root, env: environment(nil), log: c.log()}
	text, err := asked.run(ctx, "go", "env", "-json", "GOPROXY", "GONOSUMDB", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	var machine settings
	if err := json.Unmarshal([]byte(text), &machine); err != nil {
		return nil, fmt.Errorf("release: go env: %w", err)
	}
	tmp := filepath.Join(temp, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	address := p.repository.prefix()
	served := filepath.Join(temp, "proxy")
	both := map[string]string{
		"GONOSUMDB": patterns(address, machine.GONOSUMDB),
		"GONOPROXY": "none", "GOPRIVATE": "", // nor what the machine leaves out
		"GOWORK": "off",
		// What was compiled once is found again, though the module cache has another name each
		// time; and it can be removed.
		"GOFLAGS":  "-trimpath -modcacherw -buildvcs=false",
		"GOTMPDIR": tmp, "TMPDIR": tmp, "TMP": tmp, "TEMP": tmp,
	}
	// The module cache into which modules are fetched from the clone has the form of a
	// module proxy: the go command itself makes the zips of the tags.
	byGit := maps.Clone(both)
	byGit["GOMODCACHE"], byGit["GOPROXY"], byGit["GOVCS"] = served, "direct", address+":git"
	gitConfig(byGit, "url."+fileURL(origin.dir)+".insteadOf", "https://"+address)
	gitConfig(byGit, "gc.auto", "0") // would go on in the background
	users := maps.Clone(both)
	users["GOMODCACHE"] = filepath.Join(temp, "modules")
	users["GOPROXY"] = strings.Join([]string{fileURL(download(served)), fileURL(download(machine.GOMODCACHE)), machine.GOPROXY}, ",")
	return &user{
		plan: p, commit: origin.commit, temp: temp,
		proxy:  runner{dir: temp, env: environment(byGit), log: c.log()},
		goTool: runner{dir: temp, env: environment(users), log: c.log()},
	}, nil
}

// download is the part of a module cache that has the form of a module proxy.
func download(cache string) string { return filepath.Join(cache, "cache", "download") }

// module is the go command in a new module without a requirement.
func (u *user) module(ctx context.Context) (runner, error) {
	dir, err := os.MkdirTemp(u.temp, "user")
	if err != nil {
		return runner{}, fmt.Errorf("release: %w", err)
	}
	in := u.goTool
	in.dir = dir
	_, err = in.run(ctx, "go", "mod", "init", "example.com/user")
	return in, err
}

// patterns joins lists of patterns, as GONOPROXY has them.
func patterns(first, rest string) string {
	return strings.TrimSuffix(first+","+rest, ",")
}

func fileURL(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive of Windows
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// gitConfig adds to the settings of git that the environment may have already.
func gitConfig(set map[string]string, key, value string) {
	count := set["GIT_CONFIG_COUNT"]
	if count == "" {
		count = os.Getenv("GIT_CONFIG_COUNT")
	}
	n, _ := strconv.Atoi(count)
	set["GIT_CONFIG_KEY_"+strconv.Itoa(n)] = key
	set["GIT_CONFIG_VALUE_"+strconv.Itoa(n)] = value
	set["GIT_CONFIG_COUNT"] = strconv.Itoa(n + 1)
}
