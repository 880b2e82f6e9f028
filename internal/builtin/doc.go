// Package builtin is what the two built-in agents, HostAgent and AppAgent, do
// alike: how a decision is arranged, the part of their data that both have and how it is
// saved, and the sections of their prompts. What is done with people and approvals is in
// package acting.
package builtin
