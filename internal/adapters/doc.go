// Package adapters has what adapters for model providers share that speak HTTP through
// an SDK: reading an answer and what it says of an error, in the ways in which servers
// say it, and making the [llm.CallError] of it that shows neither key nor prompt.
package adapters
