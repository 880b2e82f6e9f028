// Package program is somebody else's program: the back office of a shop, with a queue of
// jobs and one loop that works them off. Agents are one part of it. It owns the
// goroutines, the time, the approvals and the budget; the library is called, and
// calls nobody.
//
//	go run ./embed
//
// Each job shows one way to drive a round, in a file of its own:
//
//	pulled.go     two rounds in one goroutine, a step of the one, a step of the other
//	channel.go    a person's approval over a channel, from another goroutine
//	suspended.go  a person's approval without one: the round is put aside until it is there
//	cancelled.go  closing time in the middle of a model call, and going on next morning
//	bound.go      bounds that are raised before and after they are reached
//	state.go      a state of one's own in the host's table, with AddState and With
//
// The rest is what every embedder has in one form or another:
//
//	queue.go      the orchestrator: jobs in, results out
//	shop.go       the Desktop: what the shop's own Go code can do, as tools
//	clerk.go      the Model: rules instead of a language model, so that this runs offline
//
// The story is printed as it happens. The status is 0 when every job ended in
// FINISH, else 1. With -log each step is also a record on standard error.
package program
