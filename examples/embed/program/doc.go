// Package program is the back office of a shop, with a queue of jobs and one loop that works them off (queue.go). It owns
// the goroutines, the time, the approvals and the budget. Each job shows one way to drive a round, in a file of its own:
// pulled.go, channel.go, suspended.go, cancelled.go, bound.go and state.go.
package program
