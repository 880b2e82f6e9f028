// Package agentfsm is the root of a library for agents that are state machines:
// a host takes a request apart, picks an application for each part, hands it to
// an agent that works in that application, and gets control back.
//
// This package holds no code. Import the parts:
//
//   - [github.com/agentfsm/agentfsm/round] drives a run: one round, or a session of several
//   - [github.com/agentfsm/agentfsm/hostagent] and [github.com/agentfsm/agentfsm/appagent]
//     are the built-in agents, seven states each
//   - [github.com/agentfsm/agentfsm/fsm] is the machine under them: states, tables, diagrams
//   - [github.com/agentfsm/agentfsm/deciding] asks a model, and
//     [github.com/agentfsm/agentfsm/acting] does what it decided
//   - [github.com/agentfsm/agentfsm/people] is about persons who are asked,
//     [github.com/agentfsm/agentfsm/policies] about what is allowed
//   - [github.com/agentfsm/agentfsm/effects] does in Go, once, what changes something outside, and waits
//   - [github.com/agentfsm/agentfsm/llm] and [github.com/agentfsm/agentfsm/desktop] are what you plug in:
//     a model and something to work with
//   - [github.com/agentfsm/agentfsm/blackboard] is the memory that agents share
//
// Packages whose name ends in "test" (fsmtest, llmtest, desktoptest) have what
// tests of your agents need: no network, no display.
//
// Start with the package round, and with examples/quickstart in the repository.
package agentfsm

//go:generate go run ./internal/lab/generate
