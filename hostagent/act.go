package hostagent

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// labelled is what an act names in its window.
func labelled(act acting.Act) string {
	if act.Label == "" {
		return ""
	}
	return "id " + builtin.Exact(act.Label)
}

// lookAt returns an act with what it is aimed at as it looks now: a window, a program,
// for the shell nothing, and for everything else what it names in the window that has
// the focus.
func (t *turn) lookAt(act acting.Act) acting.Act {
	act.Target, act.Focus, act.Title = "", "", ""
	p := act.Command.Parameters
	switch act.Command.ToolName {
	case desktop.SelectApplicationWindow, desktop.CloseApplication:
		act.Target = fmt.Sprintf("window %v (not there)", p["id"])
		for i := range t.targets {
			if w := &t.targets[i]; w.Running && w.window.ID == p["id"] {
				act.Target, act.Title = builtin.Place(w.window), w.window.Title
				break
			}
		}
	case desktop.LaunchApplication:
		act.Target = text(p["name"])
		for i := range t.targets {
			if w := &t.targets[i]; w.Running && strings.EqualFold(w.Root, act.Target) {
				act.Target += " (running)"
				break
			}
		}
	case desktop.RunShell:
	default:
		act.Target, act.Title = builtin.In(labelled(act), builtin.Place(t.focus)), t.focus.Title
		act.Focus = builtin.Focus(t.Box, act.Command, t.focus)
	}
	return act
}

// act executes the decision and says where to go.
func (a *Agent) act(ctx context.Context, t *turn) error {
	d := &t.decision
	if err := a.setPlan(t.plan); err != nil {
		return err
	}
	a.data.Reached = ""
	if t.rest != nil {
		a.data.Settled, a.data.LastError = nil, t.rest.Error()
		return a.Settle(fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: t.rest.Error()}, nil)
	}
	performance, next, err := a.data.Work.Perform(ctx, a.actor(t), t.acts, t.wish)
	t.performance = performance
	if err == nil && next.To == Assign {
		a.data.Chosen = &assignment{Window: t.chosen.window, Text: d.CurrentSubTask, Message: d.Message, Item: t.item.ID, Context: d.facts()}
		if t.item.ID != "" {
			a.data.Chosen.Text = t.item.Task
		}
	}
	a.data.Doubting(ctx, t.Box, performance.Acted)
	if d.Status != fsm.Finish { // else what it says is of what it did, too
		a.data.ForgetAfter(performance.Acted)
	}
	if err == nil && next.To == fsm.Finish {
		next, err = a.prove(ctx, t, next)
	}
	return a.Settle(next, err)
}

func (a *Agent) actor(t *turn) *acting.Actor {
	return &acting.Actor{
		Desktop: a.cfg.Desktop, Tools: t.Box, Policy: a.cfg.Policy, Look: a.look(t),
		After: func(ctx context.Context, acted []acting.Acted) (string, error) { return a.awaitLaunched(ctx, t, acted) },
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// look looks at the target of an act once more where a run was resumed since the windows
// were listed. Within a step of a host nothing is looked at twice.
func (a *Agent) look(t *turn) acting.Look {
	return func(ctx context.Context, act acting.Act) acting.Act {
		if !trace.Stale(ctx) {
			return t.lookAt(act)
		}
		now := &turn{}
		now.Box = t.Box
		if err := a.collectWindows(ctx, now); err != nil {
			act.Target = "not seen: " + err.Error()
			return act
		}
		return now.lookAt(act)
	}
}

// redeem executes what was approved, and the rest of its list, before the model is asked again. It
// returns the approval that one of the rest needs.
func (a *Agent) redeem(ctx context.Context) (*acting.Approval, error) {
	if a.data.Approval == nil {
		return nil, nil //nolint:nilnil // nothing was to be approved
	}
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil {
		return nil, err
	}
	p, err := a.data.Work.PerformApproved(ctx, a.actor(t), "")
	a.data.Doubting(ctx, t.Box, p.Acted)
	a.data.ForgetAfter(p.Acted)
	for _, done := range p.Acted {
		if id, ok := done.Command.Parameters["id"].(string); ok && succeeded(done, desktop.SelectApplicationWindow) {
			a.data.Reached = id
		}
	}
	if t.launched.ID != "" {
		a.data.Reached = t.launched.ID
	}
	return p.Approval, err
}
