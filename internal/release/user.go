package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// user is somebody who has Go and a network in which the tags are pushed.
type user struct {
	plan   *plan
	commit string
	temp   string
	goTool runner // in no module
}

// settings of the go command that the check builds on.
type settings struct {
	Proxy   string `json:"GOPROXY"`
	NoProxy string `json:"GONOPROXY"`
	NoSum   string `json:"GONOSUMDB"`
	Cache   string `json:"GOMODCACHE"`
}

// user gives the go command a module cache of its own, the clone for the repository at
// its public address, and the machine's module cache for everything else.
func (c *checker) user(ctx context.Context, temp string, origin *repo, p *plan) (*user, error) {
	asked := runner{dir: c.root, env: environment(nil), log: c.log()}
	text, err := asked.run(ctx, "go", "env", "-json", "GOPROXY", "GONOPROXY", "GONOSUMDB", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	var machine settings
	if err := json.Unmarshal([]byte(text), &machine); err != nil {
		return nil, fmt.Errorf("release: go env: %w", err)
	}
	u := &user{plan: p, commit: origin.commit, temp: temp}
	tmp := filepath.Join(temp, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	address := p.repository.prefix()
	set := map[string]string{
		"GOMODCACHE": filepath.Join(temp, "modules"),
		"GOPROXY":    fileURL(filepath.Join(machine.Cache, "cache", "download")) + "," + machine.Proxy,
		"GONOPROXY":  patterns(address, machine.NoProxy),
		"GONOSUMDB":  patterns(address, machine.NoSum),
		"GOVCS":      address + ":git",
		"GOWORK":     "off",
		// What was compiled once is found again, though the module cache has another name each
		// time; and it can be removed.
		"GOFLAGS":  "-trimpath -modcacherw -buildvcs=false",
		"GOTMPDIR": tmp, "TMPDIR": tmp, "TMP": tmp, "TEMP": tmp,
	}
	gitConfig(set, "url."+fileURL(origin.dir)+".insteadOf", "https://"+address)
	gitConfig(set, "gc.auto", "0") // would go on in the background
	u.goTool = runner{dir: temp, env: environment(set), log: c.log()}
	return u, nil
}

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
