package hostagent

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// pollEvery is how often the windows are listed while a program starts.
const pollEvery = 200 * time.Millisecond

// reach returns the act that brings the chosen application up: launching its
// program, or selecting its window; none where the desktop cannot select, or a
// person has just approved that.
func (a *Agent) reach(t *turn, chosen *target) []acting.Act {
	var act acting.Act
	if chosen.Running {
		act.Command = commands.Select(chosen.window.ID, chosen.window.Title)
		if _, ok := t.Box.Tool(desktop.SelectApplicationWindow); !ok || a.data.Reached == chosen.window.ID {
			return nil
		}
	} else {
		act.Command = commands.Launch(chosen.program.Name, chosen.program.Command...)
	}
	return []acting.Act{t.lookAt(act)}
}

// succeeded reports whether an act of that tool was executed.
func succeeded(done acting.Acted, tool string) bool {
	return done.Command.ToolName == tool && done.Result.Status == desktop.Success
}

// awaitLaunched waits for the windows of the listed programs that were launched. Where one
// does not come up in time, it returns what the model is told. Of a program that is not
// listed nobody knows what its windows are called.
func (a *Agent) awaitLaunched(ctx context.Context, t *turn, acted []acting.Acted) (late string, err error) {
	known := map[string]bool{}
	for _, w := range t.windows {
		known[w.ID] = true
	}
	for _, done := range acted {
		p := program(a.cfg.Apps, text(done.Command.Parameters["name"]))
		if p == nil || !succeeded(done, desktop.LaunchApplication) {
			continue
		}
		w, err := a.awaitWindow(ctx, p.Name, known)
		if ctx.Err() != nil {
			return late, context.Cause(ctx)
		}
		if err != nil {
			late = err.Error()
			continue
		}
		t.launched, known[w.ID] = w, true
		if !t.partial { // else it may be one that was there and left out
			a.data.Launched = append(a.data.Launched, w)
		}
		if t.chosen != nil && t.chosen.program == p {
			t.chosen.window = w
		}
	}
	return late, nil
}

// asksAfter is how long a window of another program stays, while one that was launched shows
// none, before it is taken for a question that has to be answered first: "Document in Use".
const asksAfter = 4 * time.Second

// awaitWindow waits until a program shows a window that is not known.
func (a *Agent) awaitWindow(ctx context.Context, root string, known map[string]bool) (desktop.Window, error) {
	if a.cfg.LaunchTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.cfg.LaunchTimeout)
		defer cancel()
	}
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	var last error
	others := map[string]time.Time{} // since when they were seen
	for {
		windows, err := desktop.Windows(ctx, a.cfg.Desktop)
		belongs := belonging(windows)
		for _, w := range windows {
			if strings.EqualFold(w.Root, root) && !known[w.ID] && !belongs(w) {
				return w, nil
			}
		}
		if asks := stays(windows, known, others); asks != nil {
			return desktop.Window{}, fmt.Errorf("%s was launched and shows no window yet, but the window %q of %s came up: answer or close it first",
				root, clip.Name(asks.Title, promptsize.Title), clip.Name(asks.Root, promptsize.Title))
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			late := fmt.Errorf("%s was launched and shows no window after %v: look before you launch it again", root, a.cfg.LaunchTimeout)
			if last != nil {
				late = fmt.Errorf("%w; the windows could not be listed: %w", late, last)
			}
			return desktop.Window{}, late
		}
	}
}

// stays returns a window that came up and stays; nil where there is none. others has since when
// each was seen.
func stays(windows []desktop.Window, known map[string]bool, others map[string]time.Time) *desktop.Window {
	now := time.Now()
	there := map[string]bool{}
	for i := range windows {
		w := &windows[i]
		if known[w.ID] {
			continue
		}
		there[w.ID] = true
		switch since, seen := others[w.ID]; {
		case !seen:
			others[w.ID] = now
		case now.Sub(since) >= asksAfter:
			return w
		}
	}
	maps.DeleteFunc(others, func(id string, _ time.Time) bool { return !there[id] })
	return nil
}
