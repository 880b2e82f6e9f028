package builtin

import (
	"reflect"
	"strings"
	"text/template"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/held"
)

// HostFields are what the template of a host's prompt is given.
type HostFields struct {
	Name       string
	GraphPlans bool
	ToolCalls  bool
	Shell      bool   // there is a tool for shell commands
	TextArgs   string // the tools without a closed form
	Statuses
}

// AppFields are what the template of an AppAgent's prompt is given.
type AppFields struct {
	Name           string
	Window         desktop.Window
	Docs, Examples string
	ToolCalls      bool
	Controls       bool   // there is a tool that lists controls
	TextArgs       string // the tools without a closed form
	Statuses
}

// Template is that of a system message. Agents with one text share it, and the texts that it
// gave.
type Template struct {
	parsed *template.Template
	texts  held.Map[any, SystemText]
}

// SystemText is what a Template gave.
type SystemText struct{ text string }

var templates held.Map[templateKey, Template]

// templateKey tells templates apart: a field that an agent of one kind has may be none of another's.
type templateKey struct {
	text   string
	fields reflect.Type
}

// ParsePrompt reads the template of a system message and executes it with each of these
// fields, which are of one type: a field that is not there, or a template that nobody
// defined, is found now and not at the first model call.
func ParsePrompt(text string, fields ...any) (*Template, error) {
	t, err := templates.Get(templateKey{text, reflect.TypeOf(fields[0])}, func() (*Template, error) {
		parsed, err := template.New("prompt").Option("missingkey=error").Parse(text)
		if err == nil && parsed.Tree != nil {
			c := fieldChecker{root: reflect.TypeOf(fields[0])}
			c.list(parsed.Root, true)
			err = c.err
		}
		return &Template{parsed: parsed}, err
	})
	for i := 0; err == nil && i < len(fields); i++ {
		_, err = t.Text(fields[i])
	}
	return t, err
}

// Text executes the template with fields, which can be compared.
func (t *Template) Text(fields any) (*SystemText, error) {
	return t.texts.Get(fields, func() (*SystemText, error) {
		var text strings.Builder
		err := t.parsed.Execute(&text, fields)
		return &SystemText{text.String()}, err
	})
}
