package builtin

import (
	"io"
	"reflect"
	"text/template"

	"github.com/agentfsm/agentfsm/desktop"
)

// HostFields are what the template of a host's prompt is given.
type HostFields struct {
	Name       string
	GraphPlans bool
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
// fields, which are of one type: a field that is not there, or a template that nobody
// defined, is found now and not at the first model call.
func ParsePrompt(text string, fields ...any) (*template.Template, error) {
	t, err := template.New("prompt").Option("missingkey=error").Parse(text)
	if err == nil && len(fields) > 0 && t.Tree != nil {
		c := fieldChecker{root: reflect.TypeOf(fields[0])}
		c.list(t.Root, true)
		err = c.err
	}
	for i := 0; err == nil && i < len(fields); i++ {
		err = t.Execute(io.Discard, fields[i])
	}
	return t, err
}
