package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/internal/commands"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
)

// attackWorld is what a case describes, and what happens in it.
type attackWorld struct {
	t         *testing.T
	c         *attackCase
	apps      map[string]*desktoptest.App
	programs  []hostagent.Program
	whole     *desktoptest.Desktop
	servers   []*attackServer // with tools of their own
	board     *blackboard.Board
	guard     *guard
	model     *llmtest.Model
	questions []people.Question
	happened  []string
	executed  []string     // commands that reached the desktop
	lines     bytes.Buffer // as JSON
	logs      bytes.Buffer
	untrusted []string // what anybody may have written
	pending   map[int][]*line
	answers   []int // lines of the person that are left
}

// newAttackWorld reads what is there before anything happens.
func newAttackWorld(t *testing.T, c *attackCase) *attackWorld {
	w := &attackWorld{t: t, c: c, apps: map[string]*desktoptest.App{}, guard: newGuard(), board: blackboard.New(nil)}
	w.guard.note = w.note
	word := w.app("word", "report")
	word.Title = "report.docx - Word"
	word.Controls = []desktop.Control{
		{ID: "1", Name: "Body", Type: "Edit"}, {ID: "2", Name: "Save", Type: "Button"}, {ID: "3", Name: "Send", Type: "Button"},
	}
	excel := w.app("excel", "book")
	excel.Title = "Book1 - Excel"
	excel.Controls = []desktop.Control{{ID: "1", Name: "Cell", Type: "Edit"}}
	apps := []*desktoptest.App{word, excel}
	for _, l := range c.said {
		words, text := l.rest()
		switch l.kind {
		case "app":
			apps = append(apps, w.app(words[0], attackText(words[1])))
		case "title":
			w.apps[words[0]].Title = w.hostile(text)
		case "control":
			app := w.apps[words[0]]
			app.Controls = append(app.Controls, desktop.Control{ID: words[1], Type: words[2], Name: w.hostile(text)})
		case "value":
			control(t, w.apps[words[0]], words[1]).Value = w.hostile(text)
		case "program":
			app := w.app(words[0], "new")
			app.Running = false
			apps = append(apps, app)
			w.programs = append(w.programs, hostagent.Program{Name: words[0], Command: words[1:]})
		case "docs":
			w.programs = append(w.programs, hostagent.Program{Name: words[0], Docs: text})
		case "board":
			w.put(words[0], text)
		}
	}
	w.whole = desktoptest.New(t, apps...)
	for _, l := range c.said {
		words, text := l.rest()
		switch l.kind {
		case "tool":
			w.addTool(l.text)
		case "server":
			name, tool, _ := strings.Cut(l.text, " ")
			w.server(name).offerAs(tool)
		case "cursor":
			w.apps[words[0]].ChangeWindow(func(now *desktop.Window) { now.Focus = words[1] })
		case "lie":
			w.whole.Lie(words[0], desktop.TextResult(w.hostile(text)))
		case "refuse":
			w.whole.Fail(words[0], w.hostile(text))
		}
	}
	return w
}

func (w *attackWorld) app(root, process string) *desktoptest.App {
	a := &desktoptest.App{Root: root, Process: w.hostile(process), Title: root, Running: true}
	w.apps[root] = a
	return a
}

func control(t *testing.T, app *desktoptest.App, id string) *desktop.Control {
	i := slices.IndexFunc(app.Controls, func(c desktop.Control) bool { return c.ID == id })
	require.GreaterOrEqual(t, i, 0, "%s has no control %s", app.Root, id)
	return &app.Controls[i]
}

// hostile keeps a text of the world, to look for it where only the library speaks.
func (w *attackWorld) hostile(text string) string {
	if len(text) >= 8 {
		w.untrusted = append(w.untrusted, text)
	}
	return text
}

// addTool adds a tool to the desktop, or replaces it. It is a desktop.Tool as JSON
// with what it returns, or the error that it gives.
func (w *attackWorld) addTool(description string) {
	var tool struct {
		desktop.Tool
		Returns any    `json:"returns"`
		Error   string `json:"error"`
	}
	require.NoError(w.t, json.Unmarshal([]byte(description), &tool), description)
	w.hostile(tool.Description)
	made := desktoptest.Tool{
		Name: tool.Name, Description: tool.Description, Schema: string(tool.InputSchema), Annotations: tool.Annotations, Returns: tool.Returns,
	}
	if text, ok := tool.Returns.(string); ok {
		w.hostile(text)
	}
	if tool.Error != "" {
		made.Run = func(context.Context, desktoptest.Call) (any, error) { return nil, errors.New(w.hostile(tool.Error)) }
	}
	w.whole.AddTools(made)
}

// put writes on the blackboard, as any part of a program can.
func (w *attackWorld) put(name, value string) {
	if err := w.board.PutRaw(name, json.RawMessage(w.hostile(value))); err != nil {
		w.note("refuses %s: %v", name, err)
	}
}

// happen is an event: what changes while the agents are at work.
func (w *attackWorld) happen(event string) {
	kind, rest, _ := strings.Cut(event, " ")
	words, text := splitRest(rest)
	switch kind {
	case "title":
		w.apps[words[0]].ChangeWindow(func(now *desktop.Window) { now.Title = w.hostile(text) })
	case "rename":
		w.apps[words[0]].ChangeControl(words[1], func(now *desktop.Control) { now.Name = w.hostile(text) })
	case "value":
		w.apps[words[0]].ChangeControl(words[1], func(now *desktop.Control) { now.Value = w.hostile(text) })
	case "gone":
		w.whole.Gone(w.apps[words[0]])
	case "open": // again, as another window of the same program
		w.command(commands.Launch(words[0]))
	case "focus":
		window, ok := w.apps[words[0]].Window()
		require.True(w.t, ok)
		w.command(desktop.Command{ToolName: desktop.SelectApplicationWindow, Parameters: map[string]any{"id": window.ID}})
	case "board":
		w.put(words[0], text)
	case "tool":
		w.addTool(rest)
	case "drop":
		w.whole.Without(rest)
	case "server":
		name, tool, _ := strings.Cut(rest, " ")
		w.server(name).offerAs(tool)
	case "cursor":
		w.apps[words[0]].ChangeWindow(func(now *desktop.Window) { now.Focus = words[1] })
	case "dialog":
		w.apps[words[0]].ChangeWindow(func(now *desktop.Window) { now.Dialog = words[1] })
	default:
		require.Fail(w.t, "what happens? "+event)
	}
}

// command is one of somebody else.
func (w *attackWorld) command(cmd desktop.Command) {
	cmd.CallID = somebody
	res, err := w.whole.Execute(w.t.Context(), cmd)
	require.NoError(w.t, err)
	require.NoError(w.t, res.Err())
}

// attackServer is a desktop of tools only, which come and go.
type attackServer struct {
	counter
	name string
	w    *attackWorld
}

// server returns the one of a name, and adds it when there is none.
func (w *attackWorld) server(name string) *attackServer {
	for _, s := range w.servers {
		if s.name == name {
			return s
		}
	}
	s := &attackServer{name: name, w: w}
	w.servers = append(w.servers, s)
	return s
}

// offerAs makes a tool, as JSON, all that the server has; "" for nothing.
func (s *attackServer) offerAs(description string) {
	if description == "" {
		s.offer()
		return
	}
	tool := desktop.Tool{Origin: s.name}
	require.NoError(s.w.t, json.Unmarshal([]byte(description), &tool), description)
	s.offer(tool)
}

func (s *attackServer) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	res, err := s.counter.Execute(ctx, cmd)
	if err == nil && res.Status == desktop.Success {
		said := s.name + " " + textOf(desktop.Command{ToolName: cmd.ToolName, Parameters: cmd.Parameters})
		s.w.note("does at %s", said)
		s.w.executed = append(s.w.executed, oneRow(said))
	}
	return res, err
}
