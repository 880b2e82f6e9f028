package rules

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrPrompt says that a prompt is of no agent that the model can play. The server
// answers with a refusal then.
var ErrPrompt error = &chatserver.RefusalError{Reason: "rules: not a prompt of the host or of an agent of the warehouse, the supplier or the files"}

// model decides.
type model struct{ gullible bool }

// The applications that the model knows, as the roots of their windows.
const (
	Warehouse = "warehouse"
	Supplier  = "supplier"
	Files     = "files"
)

// decide replies to a prompt. It sees nothing else, and keeps nothing.
func (m model) decide(req *llm.Request) (string, error) {
	p, err := read(req)
	if err != nil {
		return "", err
	}
	var decision any
	switch {
	case p.Windows != nil && p.Refused:
		decision = hostGivesUp(p.LastError)
	case p.Windows != nil:
		decision = host(p)
	default:
		if decision, err = m.app(p); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(decision)
	if err != nil {
		return "", fmt.Errorf("rules: reply: %w", err)
	}
	return string(text), nil
}

// app plays the agent of one application.
func (m model) app(p *prompt) (reply.App, error) {
	play := map[string]func(*prompt) reply.App{Warehouse: warehouse, Supplier: supplier, Files: files}[p.Application.Root]
	switch {
	case play == nil:
		return reply.App{}, ErrPrompt
	case p.Refused: // the same prompt would give the same reply
		return givesUp(p.LastError), nil
	case m.gullible:
		if d, told := believes(p); told {
			return d, nil
		}
	}
	return play(p), nil
}

func hostGivesUp(reason string) reply.Host {
	return reply.Host{Status: fsm.Fail, Comment: reason}
}

func givesUp(reason string) reply.App {
	return reply.App{Status: fsm.Fail, Comment: reason}
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	return raw
}
