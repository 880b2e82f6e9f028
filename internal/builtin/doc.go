// Package builtin is what the two built-in agents, HostAgent and AppAgent, do
// alike: the part of their data that both have, what a decision, a person and an
// approval do to it, the end of their prompts, and what they save.
package builtin
