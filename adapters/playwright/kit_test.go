package playwright_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// hand is a Desktop with short names for what a test does with it.
type hand struct {
	testing.TB
	desktop.Desktop
	server desktop.Desktop
}

func browse(t testing.TB, server desktop.Desktop, opts *playwright.Options) hand {
	t.Helper()
	d, err := playwright.New(server, opts)
	require.NoError(t, err)
	return hand{t, d, server}
}

// at is a browser in memory that shows a page of the shop.
func at(t testing.TB, name string, opts *playwright.Options) (*fake, hand) {
	t.Helper()
	f := newFake()
	if opts == nil {
		opts = &playwright.Options{}
	}
	opts.Home = shop + "/" + name
	d := browse(t, f, opts)
	d.look()
	f.took()
	return f, d
}

// look is get_ui_tree, by id, without children.
func (h hand) look() map[string]desktop.Control {
	h.Helper()
	list, err := desktop.UITree(h.Context(), h.Desktop)
	require.NoError(h, err)
	all := map[string]desktop.Control{}
	var walk func([]desktop.Control)
	walk = func(list []desktop.Control) {
		for _, c := range list {
			inside := c.Children
			c.Children = nil
			require.NotContains(h, all, c.ID)
			all[c.ID] = c
			walk(inside)
		}
	}
	walk(list)
	return all
}

// named finds the id of the control of a type and a name.
func (h hand) named(typ, name string) string {
	h.Helper()
	for id, c := range h.look() {
		if c.Type == typ && c.Name == name {
			return id
		}
	}
	require.Fail(h, "there is no "+typ+" "+name)
	return ""
}

// blind is get_ui_tree that fails, and why.
func (h hand) blind() string {
	h.Helper()
	return h.refused(desktop.GetUITree, nil)
}

func (h hand) run(tool string, args map[string]any) desktop.Result {
	h.Helper()
	given := maps.Clone(args)
	res, err := desktop.Execute(h.Context(), h.Desktop, desktop.Command{ToolName: tool, Parameters: args})
	require.NoError(h, err)
	require.Equal(h, given, args)
	return res
}

// do runs a command that must succeed, and returns what it says.
func (h hand) do(tool string, args map[string]any) string {
	h.Helper()
	res := h.run(tool, args)
	require.Equal(h, desktop.Success, res.Status, res.Error)
	return res.Text()
}

// refused runs a command that must fail, and returns why.
func (h hand) refused(tool string, args map[string]any) string {
	h.Helper()
	res := h.run(tool, args)
	require.Equal(h, desktop.Failure, res.Status, res.Text())
	return res.Error
}

// gone runs a command that must find its window closed, and returns what it says.
func (h hand) gone(tool string, args map[string]any) string {
	h.Helper()
	res := h.run(tool, args)
	require.True(h, res.Gone)
	require.ErrorIs(h, res.Err(), desktop.ErrWindowGone)
	return res.Error
}

func (h hand) click(id string) string {
	h.Helper()
	return h.do(desktop.ClickInput, map[string]any{"id": id})
}

func (h hand) noClick(id string) string {
	h.Helper()
	return h.refused(desktop.ClickInput, map[string]any{"id": id})
}

func (h hand) window() desktop.Window {
	h.Helper()
	w, _, err := desktop.AppWindow(h.Context(), h.Desktop)
	require.NoError(h, err)
	return w
}

// judged asks a policy about a command, on a control that was seen, as agents do.
func (h hand) judged(p policies.Func, seen map[string]desktop.Control, tool string, args map[string]any) policies.Verdict {
	h.Helper()
	box, err := desktop.Open(h.Context(), h.Desktop, nil)
	require.NoError(h, err)
	cmd := desktop.Command{ToolName: tool, Parameters: args}
	require.NoError(h, box.Check(cmd))
	ctx := h.Context()
	id, _ := args["id"].(string)
	if c, ok := seen[id]; ok {
		ctx = policies.WithControl(ctx, c)
	}
	described, _ := box.Tool(tool)
	return p(ctx, described, cmd)
}
