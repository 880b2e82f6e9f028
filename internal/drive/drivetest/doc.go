// Package drivetest tests that one session at a time drives a run of a store: with goroutines, and with processes that
// are killed or stopped. A test binary that calls [Child] first is such a process, too.
package drivetest
