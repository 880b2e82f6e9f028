//go:build race

package round_test

// every is which of many like cases are tried: the race detector makes each of them
// fifteen times as slow, and what it looks for is the same in all. Without it, as in
// make cover, all are.
const every = 13
