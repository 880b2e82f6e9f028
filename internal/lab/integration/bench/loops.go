package main

import "context"

// loop is one side of the comparison of agents.
type loop struct {
	Name string
	Run  func(ctx context.Context, j *job) error
	Most int  // steps of the longest run
	Sees bool // its tool returns the realistic screen, which agents of agentfsm read without a call
}

// does reports whether a side takes part.
func (l loop) does(w workload) bool { return w.Steps <= l.Most && (w.Realistic || !l.Sees) }

// The sides by name, as other files refer to them.
const (
	appAgent  = "agentfsm, AppAgent"
	hostAgent = "agentfsm, HostAgent"
	einoAgent = "Eino, ChatModelAgent"
)

// loops are the sides of the comparison of agents, ours first.
func loops() []loop {
	return []loop{
		{Name: appAgent, Run: runApp, Most: 5000},
		{Name: hostAgent, Run: runHost, Most: 5000},
		{Name: einoAgent, Run: runEinoAgent, Most: 1000},
		{Name: einoAgent + ", its tool returns the screen", Run: runEinoAgent, Most: 1000, Sees: true},
		{Name: "Eino, react", Run: runEinoReact, Most: 1000},
		{Name: "ADK for Go", Run: runADK, Most: 1000},
		{Name: "langgraphgo", Run: runLangGraph, Most: 1000},
		{Name: "a loop by hand", Run: runByHand, Most: 1000},
	}
}
