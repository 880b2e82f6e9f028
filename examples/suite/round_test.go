package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/suite/internal/rules"
	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// named is the task of that name.
func named(t testing.TB, name string) task.Task {
	t.Helper()
	all := everyTask(t)
	at := slices.IndexFunc(all, func(x task.Task) bool { return x.Name == name })
	require.GreaterOrEqual(t, at, 0)
	return all[at]
}

// model is that of the rules, without a server.
func model(t testing.TB, name, dir string) llm.Model {
	t.Helper()
	decide, err := rules.Decide(name, dir)
	require.NoError(t, err)
	return llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		text, err := decide(req)
		return &llm.Response{Text: text, FinishReason: "stop"}, err
	})
}

// editorIn is an editor in memory. Its button Save writes the file that its dialog names.
func editorIn(t testing.TB, p place) *desktoptest.Desktop {
	t.Helper()
	app := &desktoptest.App{Root: "mousepad", Title: "Untitled 1 - Mousepad", Running: true, Controls: []desktop.Control{
		{ID: "page", Type: "text"},
		{ID: "dialog", Type: "Dialog", Children: []desktop.Control{{ID: "name", Type: "text", Name: "Name"}, {ID: "save", Type: "push button", Name: "Save"}}},
		{ID: "file", Type: "menu", Name: "File", Children: []desktop.Control{{ID: "as", Type: "menu item", Name: "Save As"}}},
	}}
	d := desktoptest.New(t, app)
	d.AddTools(desktoptest.Tool{Name: desktop.SelectMenu}, desktoptest.Tool{Name: desktop.WaitFor})
	d.After(desktop.ClickInput, func(desktoptest.Call) {
		p.write(filepath.Base(app.Value("name")), app.Value("page"))
		app.ChangeWindow(func(w *desktop.Window) { w.Title = "letters.txt - Mousepad" })
	})
	return d
}

// The agents do a task by the rules on a desktop in memory, and the evaluator, who sees only files, says so.
func TestRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, named(t, "letters"))
		d := editorIn(t, p)
		var log bytes.Buffer
		s := &suite{log: &log}
		r, err := s.round(t.Context(), model(t, "letters", p.dir), d, p.Set)
		require.NoError(t, err, log.String())
		assert.Equal(t, round.Finished, r.Outcome)
		assert.Equal(t, "It is done.", r.Answer)
		assert.NoError(t, p.Check(t.Context(), r.Outcome))
		assert.Contains(t, log.String(), "    set_edit_text map[id:page text:Grüße, 世界 → Ω]: success")
		assert.Contains(t, log.String(), "HostAgent:FINISH")
		assert.NotContains(t, log.String(), desktop.GetUITree, "looks are left out")
		assert.Empty(t, d.Calls(desktop.CaptureWindowScreenshot))
	})
}

// The same, with pictures.
func TestRoundPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, named(t, "letters"))
		d := editorIn(t, p)
		_, err := (&suite{pictures: true}).round(t.Context(), model(t, "letters", p.dir), d, p.Set)
		require.NoError(t, err)
		assert.NotEmpty(t, d.Calls(desktop.CaptureWindowScreenshot))
	})
}

// Nobody sends mail there: the host ends that in its first step, and has done nothing.
func TestRoundFails(t *testing.T) {
	p := newPlace(t, named(t, "mail"))
	d := editorIn(t, p)
	r, err := (&suite{}).round(t.Context(), model(t, "mail", p.dir), d, p.Set)
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, round.Failed, r.Outcome)
	assert.Equal(t, 1, r.Steps)
	assert.Contains(t, r.Reason, "there is no mail program")
	assert.Empty(t, d.Actions())
	assert.NoError(t, p.Check(t.Context(), r.Outcome))
}

// What never comes is waited for, and then the reason is said: by the agent in the window, and by the host for a window.
func TestRoundWaits(t *testing.T) {
	for name, c := range map[string]struct {
		app   *desktoptest.App
		waits int
		why   string
	}{
		"no page":   {&desktoptest.App{Root: "mousepad", Running: true}, 2 * 20, "what step 1 needs does not come"},
		"no window": {&desktoptest.App{Root: "thunar", Running: true}, 10, "there is no mousepad on this desktop"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlace(t, named(t, "letters"))
				d := desktoptest.New(t, c.app)
				d.AddTools(desktoptest.Tool{Name: desktop.Wait})
				r, err := (&suite{}).round(t.Context(), model(t, "letters", p.dir), d, p.Set)
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Contains(t, r.Reason, c.why)
				assert.Len(t, d.Calls(desktop.Wait), c.waits)
			})
		})
	}
}

// A model that never ends is ended.
func TestRoundBound(t *testing.T) {
	p := newPlace(t, named(t, "mail"))
	busy := func(more int) llm.Model { // waits longer by so much each other time
		seconds := 1
		return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			seconds, more = seconds+more, -more
			return &llm.Response{Text: fmt.Sprintf(`{"Status": "CONTINUE", "Function": "wait", "Args": {"seconds": %d}}`, seconds), FinishReason: "stop"}, nil
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d := editorIn(t, p)
		d.AddTools(desktoptest.Tool{Name: desktop.Wait})
		for _, c := range []struct {
			model       string
			more, steps int
		}{{"", 0, maxSteps}, {"", 1, maxSteps}, {"qwen3", 0, 10}, {"qwen3", 1, maxSteps}} { // a model of somebody's may cost something
			r, err := (&suite{model: c.model}).round(t.Context(), busy(c.more), d, p.Set)
			require.ErrorIs(t, err, round.ErrBudget)
			assert.Equal(t, c.steps, r.Steps)
			assert.EqualError(t, p.Check(t.Context(), r.Outcome), "it ended in BUDGET, and should end in FAIL")
		}
	})
}
