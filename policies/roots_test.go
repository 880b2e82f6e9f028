package policies_test

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/policies"
)

func TestRoots(t *testing.T) {
	r := must(policies.NewRoots([]string{"/data", "/home/ada/"}, &policies.RootOptions{Base: "/data/in"}))
	corpus(t, "roots.txt", func(name string) string { return r.Problem(name) })
	r = must(policies.NewRoots([]string{`C:\Users\Ada`, "d:/"}, &policies.RootOptions{Base: `C:\Users\Ada\Documents`, Windows: true}))
	corpus(t, "windows.txt", func(name string) string { return r.Problem(name) })
}

func TestNewRootsRefuses(t *testing.T) {
	for entry, opts := range map[string]*policies.RootOptions{
		"": nil, "data": nil, "/data/../x": nil, "~": nil, `C:\x`: nil, "x": {Base: "/data"}, "/x": {Windows: true},
	} {
		r, err := policies.NewRoots([]string{"/", entry}[1:], opts)
		assert.Nil(t, r, entry)
		require.ErrorContains(t, err, "policies: roots: "+strconv.QuoteToASCII(entry), entry)
	}
	for entry, plain := range map[string]bool{"file:///data": true, "/data/*": true, "/data/$x": true, "https:/data": false, "file:data": false} {
		_, err := policies.NewRoots([]string{entry}, &policies.RootOptions{Plain: plain})
		assert.Error(t, err, entry)
	}
	_, err := policies.NewRoots(nil, &policies.RootOptions{Base: "here"})
	assert.EqualError(t, err, `policies: base: "here" is relative, and its directory is not known`)

	none := must(policies.NewRoots(nil, nil))
	assert.NotEmpty(t, none.Problem("/"), "no roots, no path")
}

func TestRootsResolve(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root, outside := filepath.Join(top, "root"), filepath.Join(top, "outside")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "dir"), 0o700))
	require.NoError(t, os.MkdirAll(outside, 0o700))
	for name, target := range map[string]string{
		"in": filepath.Join(root, "dir"), "out": outside, "dangling": filepath.Join(outside, "new"), "loop": filepath.Join(root, "loop"),
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Logf("this system makes no links here: %v", err)
			return
		}
	}
	require.NoError(t, os.Symlink(root, filepath.Join(top, "alias")))
	windows := filepath.Separator == '\\'
	lexical := must(policies.NewRoots([]string{root}, &policies.RootOptions{Windows: windows}))
	followed := must(policies.NewRoots([]string{root}, &policies.RootOptions{Windows: windows, Resolve: true}))
	for name, want := range map[string]string{
		"dir/new": "", "new/deep/er": "", "in": "", "in/new": "", "": "",
		"out": "through a link", "out/new": "through a link", "dangling": "cannot be followed", "dangling/x": "cannot be followed", "loop/x": "cannot be followed",
	} {
		full := filepath.Join(root, name)
		assert.Empty(t, lexical.Problem(full), name)
		if want == "" {
			assert.Empty(t, followed.Problem(full), name)
		} else {
			assert.Contains(t, followed.Problem(full), want, name)
		}
	}
	alias := must(policies.NewRoots([]string{filepath.Join(top, "alias")}, &policies.RootOptions{Windows: windows, Resolve: true}))
	assert.Empty(t, alias.Problem(filepath.Join(top, "alias", "dir", "x")), "a root may be a link")
}

// What passes is in the root for whoever reads it as letters.
func FuzzRoots(f *testing.F) {
	for _, name := range []string{"/data/x", "../x", "file:///data/a", "a/b", "/data/..", "~", "%2e%2e/x", "//x", "C:\\x"} {
		f.Add(name)
	}
	r := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data/in"}))
	plain := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data/in", Plain: true}))
	win := must(policies.NewRoots([]string{`C:\data`}, &policies.RootOptions{Base: `C:\data`, Windows: true}))
	f.Fuzz(func(t *testing.T, name string) {
		win.Problem(name)
		for _, r := range []*policies.Roots{r, plain} {
			if r.Problem(name) != "" {
				continue
			}
			full := name
			if !path.IsAbs(full) {
				full = path.Join("/data/in", full)
			}
			full = path.Clean(full)
			assert.True(t, full == "/data" || strings.HasPrefix(full, "/data/"), "%q is %q", name, full)
			assert.False(t, strings.ContainsAny(name, "\\\x00\n"), "%q", name)
		}
	})
}
