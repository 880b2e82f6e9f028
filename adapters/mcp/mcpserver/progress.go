package mcpserver

import (
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// maxName is how many letters of an agent's name are told.
const maxName = 80

// observe has the steps of a session told to the client, besides whoever else
// observes. What must be kept is kept first.
func (r *running) observe(o *round.Options) {
	o.Observe = observe.All(o.Observe, func(s round.Step) { r.progress(line(s)) })
}

// queued says that the task does not run yet.
func (r *running) queued() { r.progress("waiting for another task to end") }

func (r *running) progress(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.token == nil || r.quiet || r.ctx.Err() != nil {
		return
	}
	r.told++
	// An error says that the client is gone, which ends the call by itself.
	_ = r.session.NotifyProgress(r.ctx, &sdk.ProgressNotificationParams{ProgressToken: r.token, Progress: r.told, Message: message})
}

// line is a step as one line. Its texts are redacted; a name may be that of a
// document, so nothing in it can break the line.
func line(s round.Step) string {
	from := name(s.Agent) + ": " + string(s.From) + " → "
	if s.NextAgent == s.Agent {
		return from + string(s.To)
	}
	return from + name(s.NextAgent) + ": " + string(s.To)
}

func name(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if letters := []rune(text); len(letters) > maxName {
		return string(letters[:maxName]) + "…"
	}
	return text
}
