// Package peers measures a transition of other state machines beside one of
// this library, for the comparison in the README. It is a module of its own, so
// that nobody who uses the library gets what it is compared with.
//
//	go test -bench . -benchmem
//
// Each benchmark steps a machine with two states and no-op actions from one to
// the other and back; a test checks that every one of them really moves.
package peers
