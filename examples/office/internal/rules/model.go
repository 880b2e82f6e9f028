package rules

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrPrompt says that a prompt is of no agent that the model can play. The server answers with a refusal then.
var ErrPrompt error = &chatserver.RefusalError{Reason: "rules: not a prompt of the host or of the agent of an application"}

// The programs that the model knows, as the roots of their windows.
const (
	Writer = "libreoffice-writer"
	Calc   = "libreoffice-calc"
)

type prompt struct {
	sections.Prompt
	wish wish
}

// Decide replies to a prompt.
func Decide(req *llm.Request) (string, error) {
	read, err := sections.Read(req)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPrompt, err)
	}
	p := &prompt{Prompt: read, wish: parse(read.Request)}
	var decision any
	switch {
	case p.Windows != nil:
		decision = host(p)
	case p.Application.Root == Writer:
		decision = finished(p, writer(p))
	case p.Application.Root == Calc:
		decision = finished(p, calc(p))
	case p.Application.Root != "":
		decision = finished(p, question(p))
	default:
		return "", ErrPrompt
	}
	text, err := json.Marshal(decision)
	if err != nil {
		return "", fmt.Errorf("rules: reply: %w", err)
	}
	return string(text), nil
}

var actID = regexp.MustCompile(`\bact_\d+\b`)

// finished answers for the acts that a refused FINISH left open. What was to be done shows: else it would not be a
// FINISH.
func finished(p *prompt, d reply.App) reply.App {
	switch {
	case !p.Refused:
	case d.Status == fsm.Finish:
		d.Open = map[string]string{}
		for _, id := range actID.FindAllString(p.LastError, -1) {
			d.Open[id] = "done: the window shows what came of it"
		}
		if len(d.Open) == 0 { // the same reply would be refused again
			return givesUp(p.LastError)
		}
	case d.Status != fsm.Fail:
		return givesUp(p.LastError)
	}
	return d
}

func givesUp(reason string) reply.App {
	return reply.App{Status: fsm.Fail, Comment: reason}
}

// final marks the reason of a sub-task that is not to be tried again.
const final = "not to be tried again: "

func never(reason string) reply.App { return givesUp(final + reason) }

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	return raw
}
