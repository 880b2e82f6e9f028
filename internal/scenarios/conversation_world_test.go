package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/internal/commands"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// somebody is the id of commands that are no agent's.
const somebody = "somebody"

// happens carries out a line that nobody says.
func (c *conversation) happens(l *line) {
	c.t.Helper()
	switch l.kind {
	case "set":
		name, value, _ := strings.Cut(l.text, " ")
		if c.session != nil {
			c.session.Adjust(func(o *round.Options) { c.set(name, value, o) })
		} else {
			c.set(name, value, &c.s.Options, &c.s.Config)
		}
	case "look":
		for name := range strings.FieldsSeq(l.text) {
			shown := "(none)"
			if _, tool := desktop.ToolNamed(name); tool {
				shown = fmt.Sprintf("%d calls", len(c.s.Desktop.Calls(name)))
			} else if raw, ok := c.session.Board().Raw(name); ok {
				shown = oneLine(raw)
			}
			l.out = append(l.out, name+" "+shown)
		}
	case "after":
		c.s.Desktop.After(l.arg, func(desktoptest.Call) { c.event(l.text) }).Times(1)
	default:
		c.event(l.text)
	}
}

// set writes a value into the field of that name.
func (c *conversation) set(name, value string, targets ...any) {
	c.t.Helper()
	for _, target := range targets {
		f := reflect.ValueOf(target).Elem().FieldByName(name)
		if !f.IsValid() {
			continue
		}
		if _, ok := reflect.TypeAssert[time.Duration](f); ok {
			f.SetInt(int64(c.duration(value)))
			return
		}
		require.NoError(c.t, json.Unmarshal([]byte(value), f.Addr().Interface()), name)
		return
	}
	require.Fail(c.t, "there is nothing to set: "+name)
}

func (c *conversation) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	require.NoError(c.t, err)
	return d
}

// event is what somebody else does, or what is broken.
func (c *conversation) event(text string) {
	c.t.Helper()
	verb, rest, _ := strings.Cut(text, " ")
	first, rest2, _ := strings.Cut(rest, " ")
	d, app := c.s.Desktop, c.apps[first]
	switch verb {
	case "title":
		app.ChangeWindow(func(now *desktop.Window) { now.Title = c.hostile(spoken(rest2)) })
	case "rename":
		id, name, _ := strings.Cut(rest2, " ")
		app.ChangeControl(id, func(now *desktop.Control) { now.Name = c.hostile(spoken(name)) })
	case "value":
		id, value, _ := strings.Cut(rest2, " ")
		app.ChangeControl(id, func(now *desktop.Control) { now.Value = c.hostile(spoken(value)) })
	case "control": // one more
		words := strings.SplitN(rest, " ", 4)
		app.Controls = append(app.Controls, desktop.Control{ID: words[1], Type: words[2], Name: c.hostile(spoken(words[3]))})
		app.SetControls(app.Controls...)
	case "controls":
		app.SetControls(decoded[[]desktop.Control](c, rest2)...)
	case "dialog":
		app.ChangeWindow(func(now *desktop.Window) { now.Dialog = rest2 })
	case "focus":
		app.ChangeWindow(func(now *desktop.Window) { now.Focus = rest2 })
	case "close":
		d.Gone(app)
	case "open":
		d.Show(app)
	case "select":
		c.choose(app)
	case "app":
		made := decoded[struct {
			desktoptest.App
			LaunchDelay string
			As          string // what this text calls it
			Of          string // whose window it belongs to
		}](c, rest)
		made.App.Owner = c.apps[made.Of]
		if made.LaunchDelay != "" {
			made.App.LaunchDelay = c.duration(made.LaunchDelay)
		}
		if made.As == "" {
			made.As = made.Root
		}
		c.apps[made.As] = &made.App
		d.Add(&made.App)
	case "program":
		c.s.Config.Apps = append(c.s.Config.Apps, decoded[hostagent.Program](c, rest))
	case "tool":
		tool := decoded[struct {
			desktop.Tool
			Returns any    `json:"returns"`
			Error   string `json:"error"`
		}](c, rest)
		made := desktoptest.Tool{
			Name: tool.Name, Description: c.hostile(tool.Description), Schema: string(tool.InputSchema),
			Annotations: tool.Annotations, Returns: tool.Returns,
		}
		if text, ok := tool.Returns.(string); ok {
			c.hostile(text)
		}
		if tool.Error != "" {
			made.Run = func(context.Context, desktoptest.Call) (any, error) { return nil, errors.New(c.hostile(tool.Error)) }
		}
		d.AddTools(made)
	case "server":
		c.server(first).tools = decoded[[]desktop.Tool](c, rest2)
	case "somebody": // lists the tools
		_, err := c.s.Config.Desktop.Tools(c.t.Context())
		require.NoError(c.t, err)
	case "without":
		d.Without(rest)
	case "put":
		board := c.s.Config.Board
		if board == nil {
			board = blackboard.New(0)
			c.s.Config.Board = board
		}
		if err := board.PutRaw(first, json.RawMessage(c.hostile(rest2))); err != nil {
			c.note("refuses %s: %v", first, err)
		}
	case "unscoped":
		c.s.Config.Desktop = struct{ desktop.Desktop }{d}
	case "untooled":
		c.s.Config.Desktop = must(desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: d}))
	case "verdict": // of Config.Verify, whenever it is asked
		verdict, evidence, _ := strings.Cut(rest, " ")
		c.found = proof.Finding{Verdict: proof.Verdict(verdict), By: "somebody", Evidence: evidence}
	case "two": // models
		bound := &llm.RetryOptions{Random: func() float64 { return 1 }} // a Retry without luck
		c.s.Config.Model = llm.Fallback(
			llm.Retry(llm.Timeout(c.model("first"), 30*time.Second), bound), llm.Retry(c.model("second"), bound))
	case "fails":
		d.Fail(first, c.hostile(spoken(rest2))).Times(1)
	case "breaks":
		d.Break(first, errors.New(rest2)).Late().Times(1)
	case "panics":
		c.broke = errBang
		d.On(first, func(context.Context, desktoptest.Call) (any, error) { panic(errBang) }).Times(1)
	case "takes":
		d.Slow(rest2, c.duration(first)).Times(1)
	case "skips":
		d.Lie(first, desktop.Result{Status: desktop.Skipped, Error: rest2}).Times(1)
	case "says":
		d.Lie(first, desktop.TextResult(rest2)).Times(1)
	case "unseen": // its effect
		d.Lie(first, desktop.Result{Status: desktop.Success, Unverified: rest2}).Times(1)
	case "gives":
		d.Lie(first, desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(rest2)}}}).Times(1)
	case "price":
		c.s.Options.Price = func(_ string, u llm.Usage) float64 { return decoded[float64](c, rest) * float64(u.Total()) }
	case "redact":
		c.s.Options.Redact = func(text string) string { return strings.ReplaceAll(text, rest, "[gone]") }
	case "policy":
		action, reason, _ := strings.Cut(rest2, " ")
		judged, known := actionsNamed[action]
		require.True(c.t, known, text)
		c.verdicts[first] = policies.Verdict{Action: judged, Reason: reason}
	case "a", "nobody": // person; see prepare
	case "cancel":
		if after, ok := strings.CutPrefix(rest, "after "); ok {
			after, rest, _ = strings.Cut(after, " ")
			time.AfterFunc(c.duration(after), func() { c.cancel(errors.New(rest)) })
			return
		}
		c.cancel(errors.New(rest))
	default:
		require.Fail(c.t, "what happens? "+text)
	}
}

// hostile keeps a text of the world, to look for it where only the library speaks.
func (c *conversation) hostile(text string) string {
	if len(text) >= 8 {
		c.untrusted = append(c.untrusted, text)
	}
	return text
}

// choose gives the focus to an application, as a person does.
func (c *conversation) choose(app *desktoptest.App) {
	window, ok := app.Window()
	require.True(c.t, ok)
	cmd := commands.Select(window.ID, "")
	cmd.CallID = somebody
	res, err := c.s.Desktop.Execute(c.t.Context(), cmd)
	if c.chance == nil { // else there may be no such tool, or it fails
		require.NoError(c.t, errors.Join(err, res.Err()))
	}
}
