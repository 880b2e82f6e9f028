// Package linux has the LinuxAgent: a kind of agent that does its task with command lines. One step asks the model for a
// command line, has it allowed, runs it, and remembers it.
//
// The library does not know this kind. Copy the package and change it; its parts are
//
//   - [Agent], a struct that embeds fsm.Position and keeps its data in one serialisable part (agent.go),
//   - [States], one table of statuses, of what happens in them and of what may follow (states.go),
//   - [Decision], the reply of its model, and one step (step.go).
//
// It runs alone, or under a HostAgent with [ForApp]:
//
//	agent, err := linux.New(linux.Config{Config: appagent.Config{Model: model, Desktop: shell, User: user}})
//	…
//	r, err := round.New(agent, "which of these files is the largest?", nil)
//
// Config.Policy judges each command line. If it neither allows nor denies the line, a person approves the exact line in
// CONFIRM, and the next CONTINUE executes it once. Without a policy a person approves every line.
package linux
