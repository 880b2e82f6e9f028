//go:build !race

package llm_test

// every is which of many like cases are tried: all.
const every = 1
