// Command bench measures what this library costs beside others, and writes the
// tables of docs/comparison.md.
//
//	go run .                 # print all tables
//	go run . -turns 1 -n 100 # sooner and rougher: one turn, runs of at most 100 steps
//	go run . -write          # also renew the tables in docs/comparison.md
//
// bench is a module of its own, so nobody who uses the library gets what it is compared with.
//
// # What is compared
//
// An agent loop of N steps: each step asks a model once and calls a tool that does
// nothing; the last step says done instead. Every side makes its agent anew for each run.
//
//	small      one tool, replies of one line
//	realistic  12 tools with schemas of 400 bytes, replies of 4 KiB; agents of agentfsm
//	           also read a screen: 60 controls, or 5 windows for a HostAgent
//	bare       the model takes the request as Go values
//	encoded    the model also encodes the request as JSON, as every provider's client must
//
// The peers have no screen, so realistic steps of agentfsm do more than theirs. Bare, a
// peer hands over pointers to its history, and agentfsm has written its prompt already: of
// a call over a network only the encoded form is true.
//
// One transition of a state machine whose actions do nothing, and what grows with its
// size (tools, controls, values, sub-tasks), have tables of their own. So has what a
// prompt shares with the one before it, which is what a provider's cache can use.
//
// # How it is measured
//
// Times are CPU time of the process (getrusage) on one thread of Go (GOMAXPROCS=1). The
// sides take turns, and a ratio is the median of the ratios within each turn: another
// program on the machine slows both sides of a turn down. A run of more than two seconds is
// measured in the first turn only. Allocations and bytes are those of all goroutines.
//
// # What is guarded
//
// limits.txt has an upper bound for each allocation and byte count of agentfsm's own
// lines. The tests fail above it. After an improvement, lower the bounds:
//
//	go test . -run TestLimits -lower
//
// No test looks at a time.
//
// # Where to add
//
// workload.go has the workloads; each peer has a file, and a line in loops (loops.go) or
// machines (transitions.go). tables.go turns figures into Markdown.
package main
