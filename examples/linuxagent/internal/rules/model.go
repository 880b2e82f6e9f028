package rules

import (
	"errors"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// The applications that the model knows, as the roots of their windows.
const (
	Terminal = "terminal"
	Workbook = "workbook"
)

// ErrPrompt says that a prompt is of no agent that the model can play.
var ErrPrompt = errors.New("rules: not a prompt of the host, of the terminal or of the workbook")

// Model returns the model. It is safe for concurrent use.
func Model() llm.Model { return sections.Model("rules", decide) }

// decide plays whoever the prompt is for. A reply that was refused would be the
// same again, so it is the end.
func decide(p *prompt) (any, error) {
	switch {
	case p.Windows != nil && p.Refused:
		return reply.Host{Status: fsm.Fail, Comment: p.LastError}, nil
	case p.Windows != nil:
		return host(p), nil
	case p.Terminal.Root == Terminal && p.Refused:
		return linux.Decision{Status: fsm.Fail, Comment: p.LastError}, nil
	case p.Terminal.Root == Terminal:
		return inTerminal(p), nil
	case p.Application.Root == Workbook && p.Refused:
		return reply.App{Status: fsm.Fail, Comment: p.LastError}, nil
	case p.Application.Root == Workbook:
		return inWorkbook(p), nil
	}
	return nil, ErrPrompt
}
