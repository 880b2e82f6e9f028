package repo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/agentfsm/agentfsm"

// The tests read the whole repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}

// listed is what the rules need of go list -json.
type listed struct {
	ImportPath, Name, Dir, Doc string

	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, Deps                      []string
}

// ours returns the imports from this module, relative to it.
func (p *listed) ours() []string {
	var names []string
	for _, path := range p.Imports {
		if path == module || strings.HasPrefix(path, module+"/") {
			names = append(names, relative(path))
		}
	}
	return names
}

// relative turns an import path of this module into its folder; "" is the root,
// and a path of another module stays as it is.
func relative(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

var listOnce = sync.OnceValues(func() (map[string]*listed, error) {
	out, err := goCommand("list", "-json", "./...")
	if err != nil {
		return nil, err
	}
	packages := map[string]*listed{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		packages[relative(p.ImportPath)] = &p
	}
})

// corePackages returns the packages of this module that have code, by folder.
func corePackages(t *testing.T) map[string]*listed {
	t.Helper()
	all, err := listOnce()
	require.NoError(t, err)
	packages := map[string]*listed{}
	for name, p := range all {
		if len(p.GoFiles) > 0 {
			packages[name] = p
		}
	}
	return packages
}

// goCommand runs go in the root of the module. Its error has what go said.
func goCommand(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), "go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, problem.String())
	}
	return out, nil
}

// filesOf lists the files of the repository for which want returns true, hidden
// folders, fixtures of documents and build output aside.
func filesOf(t *testing.T, root fs.FS, want func(name string) bool) []string {
	t.Helper()
	var names []string
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base[0] == '.' || name == "bin" || name == "out" || base == "node_modules"):
			return fs.SkipDir
		case !entry.IsDir() && want(name):
			names = append(names, name)
		}
		return nil
	}))
	return names
}
