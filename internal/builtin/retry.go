package builtin

import (
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/llm"
)

// Retried returns the model of an agent with a Retry around it, unless it has one. Of maxRetries zero is
// what llm.Retry does, and negative is none.
//
// The Retry leaves an empty reply to deciding.Ask, which tells the model that it was empty: two that
// ask again would multiply.
func Retried(m llm.Model, maxRetries int) llm.Model {
	if maxRetries < 0 || retries(m) {
		return m
	}
	opts := llm.RetryOptions{When: func(err error) bool {
		return llm.Retryable(err) && !errors.Is(attempts.Last(err), llm.ErrEmpty)
	}}
	if maxRetries > 0 {
		opts.MaxAttempts = maxRetries + 1
	}
	return llm.Retry(m, &opts)
}

// retries reports whether a model, or one that it wraps, is a Retry.
func retries(m llm.Model) bool {
	switch m := m.(type) {
	case interface{ Retries() }:
		return true
	case interface{ Unwrap() llm.Model }:
		return retries(m.Unwrap())
	case interface{ Unwrap() []llm.Model }:
		return slices.ContainsFunc(m.Unwrap(), retries)
	}
	return false
}
