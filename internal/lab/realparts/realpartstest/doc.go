// Package realpartstest starts the programs of others that install.sh beside it
// installs, for the tests of adapters and examples whose names begin with TestReal. What
// it starts it stops when the test ends, and, on Linux, when the test's process does.
//
//	func TestRealFiles(t *testing.T) {
//		command := realpartstest.Filesystem(t, t.TempDir())
//
// `make e2e` installs all parts and runs these tests. `go test -short` skips them. Without a
// part its tests are skipped, too, but fail where CI is set.
package realpartstest
