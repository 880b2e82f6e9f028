package builtin

import (
	"io"
	"text/template"

	"github.com/agentfsm/agentfsm/desktop"
)

// HostFields are what the template of a host's prompt is given.
type HostFields struct {
	Name string
	Statuses
}

// AppFields are what the template of an AppAgent's prompt is given.
type AppFields struct {
	Name           string
	Window         desktop.Window
	Docs, Examples string
	Statuses
}

// ParsePrompt reads the template of a system message and executes it with each of these
// fields: a field that is not there, or a template that nobody defined, is found now
// and not at the first model call.
func ParsePrompt(text string, fields ...any) (*template.Template, error) {
	t, err := template.New("prompt").Option("missingkey=error").Parse(text)
	for i := 0; err == nil && i < len(fields); i++ {
		err = t.Execute(io.Discard, fields[i])
	}
	return t, err
}
