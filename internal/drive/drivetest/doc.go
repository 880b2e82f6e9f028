// Package drivetest is the test that one session at a time drives a run: with goroutines, and with
// processes that open the same runs, are killed and are stopped. Each store has it in its own tests.
//
// A test binary that calls [Child] first is also the other process. Both drive the same agent: in
// each of its steps it calls a model and executes a command, and a log in a file, which all
// processes append to, has each of them.
package drivetest
