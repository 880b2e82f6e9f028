package desktoptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

func TestStraightDesktop(t *testing.T) {
	assert.Empty(t, inspect(t, bent(func(*crooked) {}), options()))
}

func TestBrokenLists(t *testing.T) {
	shared := []desktop.Tool{{Name: "look", InputSchema: json.RawMessage(`{}`), Annotations: desktop.Annotations{ReadOnlyHint: true}}}
	var calls atomic.Int32
	for name, tc := range map[string]struct {
		bend func(*crooked)
		want string
	}{
		"error":            {func(c *crooked) { c.Break(desktop.ListTools, errors.New("cut")) }, "Tools fails: cut"},
		"panic":            {func(c *crooked) { c.On(desktop.ListTools, func(context.Context, Call) (any, error) { panic("boom") }) }, "Tools panics: boom"},
		"one name twice":   {list(func(l []desktop.Tool) []desktop.Tool { return append(l, l[0]) }), "another tool has the same name"},
		"no schema":        {list(func(l []desktop.Tool) []desktop.Tool { l[0].InputSchema = json.RawMessage(`{`); return l }), "desktop: tool capture_desktop_screenshot: "},
		"contradiction":    {list(func(l []desktop.Tool) []desktop.Tool { l[0].Annotations.DestructiveHint = true; return l }), "says that it only reads and that it destroys"},
		"not copied":       {list(func([]desktop.Tool) []desktop.Tool { return shared }), "changes the tools of the desktop: return a copy"},
		"in another order": {list(func(l []desktop.Tool) []desktop.Tool { n := int(calls.Add(1)) % 2; l[0], l[n] = l[n], l[0]; return l }), "Tools lists other tools the second time"},
		"others":           {list(func(l []desktop.Tool) []desktop.Tool { return l[int(calls.Add(1))%2:] }), "with nothing in between: "},
	} {
		t.Run(name, func(t *testing.T) {
			found := inspect(t, bent(tc.bend), options())
			assert.Contains(t, fmt.Sprint(found["tools"]), tc.want)
			for name := range found {
				assert.Contains(t, []string{"tools", "call"}, name, "what builds on it is not checked: %q", found[name])
			}
		})
	}
	for name, bend := range map[string]func(l []desktop.Tool){
		"does not say that it only reads":       func(l []desktop.Tool) { l[0].Annotations.ReadOnlyHint = false },
		"a policy for reading would let it act": func(l []desktop.Tool) { byName(l, desktop.ClickInput).Annotations.ReadOnlyHint = true },
		`the schema of "click_input" refuses what agents s`: func(l []desktop.Tool) {
			byName(l, desktop.ClickInput).InputSchema = json.RawMessage(`{"required":["x"]}`)
		},
	} {
		found := inspect(t, bent(list(func(l []desktop.Tool) []desktop.Tool { bend(l); return l })), options())
		expect(t, found, map[string]string{"wellknown": name})
	}
}

func byName(tools []desktop.Tool, name string) *desktop.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	panic("no tool " + name)
}

func TestBrokenMakers(t *testing.T) {
	expect(t, inspect(t, nil, options()), map[string]string{"tools": "newDesktop is nil", "call": "newDesktop is nil"})
	none := func(testing.TB) desktop.Desktop { return (*Desktop)(nil) }
	expect(t, inspect(t, none, options()), map[string]string{"tools": "newDesktop returns nil", "call": "newDesktop returns nil"})
	bad := options()
	bad.Safe = desktop.Command{ToolName: "look"}
	expect(t, inspect(t, bent(func(*crooked) {}), bad), map[string]string{"call": "Options.Safe is no command for this desktop: "})
	mute := func(testing.TB) desktop.Desktop { d, _ := desktop.New(); return d }
	expect(t, inspect(t, mute, nil), map[string]string{"call": "no tool says that it only reads and needs no parameters"})
	quick := options()
	quick.Slow = look
	expect(t, inspect(t, bent(func(*crooked) {}), quick), map[string]string{"cancel": `the command of Options.Slow, "look", ends at once with the status "success"`})
}

func TestBrokenCalls(t *testing.T) {
	for name, tc := range map[string]struct {
		bend func(*crooked)
		want string
	}{
		"another status": {alter("look", func(_ desktop.Command, res *desktop.Result) { res.Status = "ok" }), `ends with the status "ok", which is none of success, failure and skipped`},
		"another call":   {alter("look", func(_ desktop.Command, res *desktop.Result) { res.CallID = "7" }), `answers the call "call-of-desktoptest" with the id "7"`},
		"bad JSON":       {alter("look", func(_ desktop.Command, res *desktop.Result) { res.Content[0].JSON = json.RawMessage("{") }), `content 0 of "look": the JSON is not valid`},
		"two in one":     {alter("look", func(_ desktop.Command, res *desktop.Result) { res.Content[0].Text = "x" }), "several of text, image and JSON at once"},
		"empty image": {alter("look", func(_ desktop.Command, res *desktop.Result) {
			*res = desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: nil}}}}
		}), "the image is empty"},
		"refused": {func(c *crooked) { c.Fail("look", "no") }, `which should succeed, ends with the status "failure" with "no"`},
		"error":   {func(c *crooked) { c.Break("look", errors.New("cut")) }, `"look" ends with the error "cut"`},
		"panic":   {func(c *crooked) { c.On("look", func(context.Context, Call) (any, error) { panic("boom") }) }, `Execute of "look" panics: boom`},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, inspect(t, bent(tc.bend), options()), map[string]string{"call": tc.want})
		})
	}
}
