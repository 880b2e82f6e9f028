package rules

import (
	"errors"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrPrompt says that a prompt is of no agent that the model can play.
var ErrPrompt = errors.New("rules: not a prompt of the host, of Word or of Excel")

// Name is the model's name in responses.
const Name = "rules"

// Model returns the model. It is safe for concurrent use.
func Model() llm.Model { return sections.Model(Name, decide) }

// decide plays whoever the prompt is for.
func decide(p *prompt) (any, error) {
	switch {
	case p.Windows != nil:
		if p.Refused && !sections.MayHaveHappened(p.LastError) {
			return hostGivesUp(p.LastError), nil
		}
		return host(p), nil
	case p.Refused: // the same prompt would give the same reply
		return givesUp(p.LastError), nil
	case p.Application.Root == wordApp:
		return Word(p), nil
	case p.Application.Root == excelApp:
		return excel(p), nil
	}
	return nil, ErrPrompt
}

// The programs that the model knows, as the roots of their windows.
const (
	wordApp  = "Word"
	excelApp = "Excel"
)

func hostGivesUp(reason string) reply.Host {
	return reply.Host{Status: fsm.Fail, Comment: reason}
}

func givesUp(reason string) reply.App {
	return reply.App{Status: fsm.Fail, Comment: reason}
}
