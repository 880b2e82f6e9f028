package runshttp

import (
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// run is a durable.State as clients read it.
type run struct {
	ID         string             `json:"id"`
	Request    string             `json:"request,omitempty"`
	Meta       json.RawMessage    `json:"meta,omitempty"`
	Stage      durable.Stage      `json:"stage,omitempty"`
	Outcome    string             `json:"outcome,omitempty"`
	Answer     string             `json:"answer,omitempty"`
	Reason     string             `json:"reason,omitempty"`
	Questions  []question         `json:"questions,omitempty"`
	Answers    []durable.Answered `json:"answers,omitempty"`
	Due        time.Time          `json:"due,omitzero"`
	Tries      int                `json:"tries,omitempty"`
	Agent      string             `json:"agent,omitempty"`
	Status     string             `json:"status,omitempty"`
	Steps      int                `json:"steps"`
	Calls      int                `json:"calls"`
	Usage      llm.Usage          `json:"usage"`
	Cost       float64            `json:"cost,omitempty"`
	ForkedFrom string             `json:"forked_from,omitempty"`
	Began      time.Time          `json:"began,omitzero"`
	Last       time.Time          `json:"last,omitzero"`
	Seq        int64              `json:"seq"`
	Unreadable string             `json:"unreadable,omitempty"` // in a list: why nothing else is known
}

// question is a people.Question without its secrets.
type question struct {
	ID       string           `json:"id"`
	Agent    string           `json:"agent,omitempty"`
	Text     string           `json:"text"`
	Approval bool             `json:"approval,omitempty"`
	Deadline time.Time        `json:"deadline,omitzero"`
	Command  *desktop.Command `json:"command,omitempty"` // without its secrets
	Target   string           `json:"target,omitempty"`
	Title    string           `json:"title,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Comment  string           `json:"comment,omitempty"`
}

func runOf(s *durable.State) run {
	r := run{
		ID: s.Run, Request: s.Request, Meta: s.Meta, Stage: s.Stage, Outcome: string(s.Outcome), Answer: s.Answer, Reason: s.Reason,
		Answers: s.Answers, Due: s.Due, Tries: s.Tries, Agent: s.Agent, Status: string(s.Status), Steps: s.Steps, Calls: s.Calls, Usage: s.Usage, Cost: s.Cost,
		ForkedFrom: s.ForkedFrom, Began: s.Began, Last: s.Last, Seq: s.Seq,
	}
	if s.Stage == durable.Ready {
		r.Outcome = "" // it goes on: a run whose process was stopped was not cancelled
	}
	for _, q := range s.Waits {
		r.Questions = append(r.Questions, questionOf(&q))
	}
	return r
}

func questionOf(q *people.Question) question {
	shown := q.Shown
	if shown == nil {
		shown = q.Command // it has no secrets
	}
	return question{
		ID: q.ID, Agent: q.Agent, Text: q.Text, Approval: q.Approval, Deadline: q.Deadline, Command: shown,
		Target: q.Target, Title: q.Title, Reason: q.Reason, Comment: q.Comment,
	}
}
