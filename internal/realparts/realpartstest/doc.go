// Package realpartstest starts the programs of others that install.sh beside it
// installs, for the tests of adapters and examples with the tag e2e. What it starts
// it stops when the test ends, and, on Linux, when the test's process does.
package realpartstest
