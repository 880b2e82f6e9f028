//go:build race

package appagent_test

// every is which of many like cases are tried: the race detector makes each of them
// ten times as slow, and what it looks for is the same in all. Without it, as in
// make cover, all are.
const every = 5
