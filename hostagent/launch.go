package hostagent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
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
	for i := range t.targets {
		known[t.targets[i].window.ID] = true
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
	for {
		windows, err := desktop.Windows(ctx, a.cfg.Desktop)
		for _, w := range windows {
			if strings.EqualFold(w.Root, root) && !known[w.ID] {
				return w, nil
			}
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			late := fmt.Errorf("%s was launched, but showed no window within %v", root, a.cfg.LaunchTimeout)
			if last != nil {
				late = fmt.Errorf("%w; the windows could not be listed: %w", late, last)
			}
			return desktop.Window{}, late
		}
	}
}
