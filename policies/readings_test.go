package policies_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/policies"
)

// One text, several readers: a name that the system takes as it stands is something
// else to who reads URLs, drives, other machines or lists of paths. The class is what
// is in a root for one reader and not for another.
func TestRootsForEveryReader(t *testing.T) {
	in := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data"}))
	corpus(t, "readers.txt", func(name string) string { return in.Problem(name) })

	// A file URL is a relative name to a tool that reads no URLs.
	elsewhere := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/srv"}))
	for _, name := range []string{"file:/data/x", "FILE:///data/a%20b"} {
		assert.Contains(t, elsewhere.Problem(name), "that may be read as a relative name, which is not in a directory", name)
	}
	nowhere := must(policies.NewRoots([]string{"/data"}, nil))
	assert.Contains(t, nowhere.Problem("file://localhost/data/x"), "that may be read as a relative name, which is relative, and its directory is not known")
}

// Who takes a path as it stands reads no URL, no variable and no wildcard in it.
func TestRootsPlain(t *testing.T) {
	r := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data", Plain: true}))
	elsewhere := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/srv", Plain: true}))
	for _, name := range []string{"file:/x", "file:///data/x", "./file:/etc/x", "what?.txt", "a*", "[x]", "$5", "100%x%", "a`b", "./x:/etc", "a:b", "x;/y"} {
		assert.Empty(t, r.Problem(name), name)
		assert.Contains(t, elsewhere.Problem(name), "is not in a directory", name)
	}
	for name, want := range map[string]string{
		"file:/data/../x": `".."`, "../x": `".."`, "~/x": `"~"`, `a\b`: "backslash", "%2e%2e/x": "percent-encoded", "//x": "two separators",
		".?/x": `wildcards that some readers make ".." of`, "x/.*": "wildcards", "/data/.[.]/x": "wildcards", "": "empty", "\u200bx": "nobody sees",
	} {
		assert.Contains(t, elsewhere.Problem(name), want, name)
	}
	windows := must(policies.NewRoots([]string{"C:/data"}, &policies.RootOptions{Base: "C:/data", Plain: true, Windows: true}))
	for _, name := range []string{"file:///C:/data/x", "C:x", "x:y", "x*", "file:x"} {
		assert.NotEmpty(t, windows.Problem(name), name)
	}
}

// A link under the name that a URL is to a tool without URLs is followed, too.
func TestRootsFollowEveryReading(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	if filepath.Separator == '\\' {
		t.Log("no name has a colon here")
		return
	}
	root, outside := filepath.Join(top, "root"), filepath.Join(top, "outside")
	require.NoError(t, os.MkdirAll(outside, 0o700))
	good, bad := filepath.Join(root, "good"), filepath.Join(root, "bad")
	for _, dir := range []string{good, bad, filepath.Join(root, "file:", good), filepath.Dir(filepath.Join(root, "file:", bad)), filepath.Dir(filepath.Join(root, "FILE:", bad))} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for _, scheme := range []string{"file:", "FILE:"} {
		require.NoError(t, os.Symlink(outside, filepath.Join(root, scheme, bad)))
	}
	r := must(policies.NewRoots([]string{root}, &policies.RootOptions{Base: root, Resolve: true}))
	for _, form := range []string{"file://", "file:", "FILE:", "FILE://"} {
		assert.Empty(t, r.Problem(form+good+"/x"), form)
		assert.Contains(t, r.Problem(form+bad+"/x"), "through a link", form)
	}
	plain := must(policies.NewRoots([]string{root}, &policies.RootOptions{Base: root, Resolve: true, Plain: true}))
	assert.Contains(t, plain.Problem("file:"+bad), "through a link")
	assert.Empty(t, plain.Problem("file:"+good))
}
