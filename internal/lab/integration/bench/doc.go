// Command bench measures what this library costs beside others, and writes the
// tables of docs/comparison.md.
//
//	go run ./bench                 # print all tables
//	go run ./bench -turns 1 -n 100 # sooner and rougher: one turn, runs of at most 100 steps
//	go run ./bench -write          # also renew the tables in docs/comparison.md
//
// An agent makes N steps: each step asks a model once and calls one of 12 tools, which
// does nothing; the last step says done. Replies have 4 KiB. Agents of agentfsm also read
// a screen: 60 controls, or 5 windows for a HostAgent. Encoded, the model also encodes its
// request as JSON, as every provider's client must; bare, a peer hands over pointers to its
// history, and agentfsm has written its prompt already. Each run makes its agent anew.
//
// Times are CPU time of the process (getrusage) on one thread of Go (GOMAXPROCS=1). The
// sides take turns, and a ratio is the median of the ratios within each turn: another
// program on the machine slows both sides of a turn down. A test limits the allocations
// of agentfsm; no test looks at a time.
package main
