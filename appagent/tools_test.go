package appagent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// withOdd gives Word a tool with a keyword that nothing checks, and one without.
func (b *bench) withOdd() (log *bytes.Buffer) {
	b.Desktop.AddTools(
		desktoptest.Tool{Name: "odd", Schema: `{"properties": {"size": {"if": {}, "then": {"type": "integer"}}}}`},
		desktoptest.Tool{Name: "plain", Schema: `{"properties": {"if": {}}}`, Run: func(context.Context, desktoptest.Call) (any, error) {
			b.Desktop.AddTools(desktoptest.Tool{Name: "later"}) // another list of tools
			return nil, nil
		}},
	)
	log = &bytes.Buffer{}
	b.Config.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	return log
}

// offered are the names of the tools that the model is told of.
func (b *bench) offered(i int) []string {
	var names []string
	for _, tool := range section[[]desktop.Tool](b, i, "tools") {
		names = append(names, tool.Name)
	}
	return names
}

// A tool that nothing checks is left out, and logged once.
func TestUncheckedTool(t *testing.T) {
	b := newBench(t, `{"Status": "CONTINUE", "Function": "odd"}`, `{"Status": "CONTINUE", "Function": "plain"}`, `{"Status": "FINISH", "Comment": "done"}`)
	log := b.withOdd()
	b.finish()
	for i := range b.Model.Requests() {
		assert.Contains(t, b.offered(i), "plain")
		assert.NotContains(t, b.offered(i), "odd")
	}
	assert.Contains(t, b.offered(2), "later")
	assert.Empty(t, b.Desktop.Calls("odd"))
	assert.Len(t, b.Desktop.Calls("plain"), 1)
	assert.Equal(t, `level=WARN msg="tool left out" gen_ai.agent.name=AppAgent/word/report `+
		`exception.message="desktop: tool \"odd\" cannot be used: nothing checks the keyword if of its schema (#/properties/size/if)"`+"\n", log.String())
}

// With a Validator it is offered, and what the Validator refuses is not sent.
func TestValidator(t *testing.T) {
	b := newBench(t, `{"Status": "CONTINUE", "Function": "odd", "Args": {"size": "big"}}`,
		`{"Status": "CONTINUE", "Function": "odd", "Args": {"size": 3}}`, `{"Status": "FINISH", "Comment": "done"}`)
	log := b.withOdd()
	b.Config.Validator = func(json.RawMessage) (func(json.RawMessage) error, error) {
		return func(p json.RawMessage) error {
			if string(p) == `{"size":3}` {
				return nil
			}
			return errors.New("size must be a number")
		}, nil
	}
	b.finish()
	assert.Contains(t, b.offered(0), "odd")
	assert.Len(t, b.Desktop.Calls("odd"), 1)
	assert.Contains(t, b.lastError(), "size must be a number")
	assert.Empty(t, log.String())
}

// A name that no tool has, and an option without its tool, are logged once.
func TestOptionsWithoutTheirTools(t *testing.T) {
	for name, c := range map[string]struct {
		leaveOut []string
		noImages bool
		lacks    bool // the tool for pictures
		says     string
	}{
		"all there":      {leaveOut: []string{"plain"}},
		"a typo":         {leaveOut: []string{"plain", "plian"}, says: `level=WARN msg="no tool of a name in LeaveOut" gen_ai.agent.name=AppAgent/word/report gen_ai.tool.name=plian`},
		"no pictures":    {lacks: true, says: `level=DEBUG msg="option without its tool" gen_ai.agent.name=AppAgent/word/report option="NoImages: false" gen_ai.tool.name=capture_window_screenshot`},
		"none are taken": {lacks: true, noImages: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, `{"Status": "CONTINUE", "Function": "wait", "Args": {"seconds": 0}}`, `{"Status": "FINISH", "Comment": "done"}`)
			log := b.withOdd()
			b.Config.Validator, b.Config.LeaveOut, b.Config.NoImages = desktop.LeaveToTool, c.leaveOut, c.noImages
			if c.lacks {
				b.Desktop.Without(desktop.CaptureWindowScreenshot)
			}
			b.finish()
			assert.Equal(t, len(c.leaveOut) == 0, slices.Contains(b.offered(1), "plain"))
			assert.Equal(t, c.says, strings.TrimSuffix(log.String(), "\n"))
		})
	}
}
