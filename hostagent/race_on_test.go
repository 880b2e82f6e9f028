//go:build race

package hostagent_test

import "runtime/debug"

// every is which of many like cases are tried: the race detector makes each of them
// ten times as slow, and what it looks for is the same in all. Without it, as in
// make cover, all are.
const every = 5

// With it, looking for memory that is free takes a fifth of the time, and there is
// enough.
var _ = debug.SetGCPercent(400)
