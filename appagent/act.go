package appagent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/policies"
)

// intent is what a decision comes to.
type intent struct {
	acts []acting.Act
	wish acting.Wish
}

// examine says what a decision comes to, or what is wrong with it. It changes nothing.
func (a *Agent) examine(t *turn, d *decision) (intent, error) {
	if err := a.check(t, d); err != nil {
		return intent{}, err
	}
	return a.intend(t, d)
}

// check finds what the schema cannot say.
func (a *Agent) check(t *turn, d *decision) error {
	if err := d.unread(t.Box); err != nil {
		return err
	}
	switch {
	case d.Function != "" && len(d.Actions) > 0:
		return errors.New("give either Function or Actions, not both")
	case d.Function == "" && len(d.Args) > 0:
		return errors.New("there are Args without a Function: write the tool's name into Function")
	case a.cfg.MaxActions > 0 && len(d.Actions) > a.cfg.MaxActions:
		return fmt.Errorf("there are %d Actions; give at most %d, and the rest in the next step", len(d.Actions), a.cfg.MaxActions)
	}
	return builtin.CheckQuestions(d.Questions)
}

// intend plans the acts of a decision, with references resolved.
func (a *Agent) intend(t *turn, d *decision) (intent, error) {
	in := intent{wish: d.wish()}
	for _, action := range d.actions() {
		act, err := a.aim(t, action)
		if err != nil {
			return intent{}, err
		}
		in.acts = append(in.acts, act)
	}
	if d.Status == fsm.Finish && len(d.Result) > 0 {
		var err error
		if in.wish.Result, err = acting.ResolveJSON(a.cfg.Board, d.Result); err != nil {
			return intent{}, err
		}
	}
	return in, nil
}

// aim makes a valid command of an action: references resolved, the control
// that it names among those that were shown.
func (a *Agent) aim(t *turn, action action) (acting.Act, error) {
	if action.Function == "" {
		return acting.Act{}, errors.New("an action needs a Function")
	}
	tool, ok := t.Box.Tool(action.Function)
	if !ok {
		return acting.Act{}, t.Box.Check(desktop.Command{ToolName: action.Function}) // says why
	}
	args, err := acting.Resolve(a.cfg.Board, action.Args)
	if err != nil {
		return acting.Act{}, err
	}
	if action.ControlLabel != "" && t.controls != nil {
		if _, shown := builtin.FindControl(t.controls, action.ControlLabel); !shown {
			return acting.Act{}, fmt.Errorf("ControlLabel %q is not among the controls that were shown", action.ControlLabel)
		}
	}
	if err := builtin.Aim(tool, args, action.ControlLabel, action.ControlText, t.controls); err != nil {
		return acting.Act{}, err
	}
	cmd := desktop.Command{ToolName: action.Function, Parameters: args}
	if err := t.Box.Check(cmd); err != nil {
		return acting.Act{}, err
	}
	act := acting.Act{Command: cmd, Label: builtin.ID(cmd)}
	return a.aimed(t, act), nil
}

// aimed returns an act with what it is aimed at as it looks now.
func (a *Agent) aimed(t *turn, act acting.Act) acting.Act {
	act.Target, act.Focus, act.Title = a.target(t, act), "", a.cfg.Window.Title
	if t.window != nil {
		act.Focus, act.Title = builtin.Focus(t.Box, act.Command, *t.window), t.window.Title
	}
	return act
}

// target says what an act is aimed at as it looks now: the control that its
// arguments name, else the window. What the decision says beside them does not
// count, because the tool does not get it.
func (a *Agent) target(t *turn, act acting.Act) string {
	where, id := a.where(t), act.Label
	switch {
	case id == "":
		return where
	case ofWindow(act.Command.ToolName):
		if t.window != nil && t.window.ID == id {
			return where
		}
		return fmt.Sprintf("window %s (not seen)", id)
	}
	what := fmt.Sprintf("control %s (not seen)", id)
	if c, ok := builtin.FindControl(t.controls, id); ok {
		what = strings.TrimSpace(fmt.Sprintf("%s %q (%s)", c.Type, c.Name, c.ID))
	}
	return builtin.In(what, where)
}

// where says which window commands act on now.
func (a *Agent) where(t *turn) string {
	if t.window != nil {
		return builtin.Place(*t.window)
	}
	if a.cfg.Window == (desktop.Window{}) {
		return ""
	}
	return builtin.Place(a.cfg.Window) + " (not seen)"
}

// act executes the decision and says where to go.
func (a *Agent) act(ctx context.Context, t *turn) error {
	a.data.Plan = t.decision.Plan
	performance, next, err := a.data.Work.Perform(ctx, a.actor(t, a.lookAgain(t)), t.acts, t.wish)
	t.performance = performance
	return a.Settle(next, err)
}

func (a *Agent) actor(t *turn, look acting.Look) *acting.Actor {
	return &acting.Actor{
		Desktop: t.desktop, Tools: t.Box, Policy: a.policy(t), Look: look,
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// policy is that of the Config, which is told what the desktop called the control
// when it was looked at for this step. Behind the first act lookAgain has compared
// that with what it is called now.
func (a *Agent) policy(t *turn) policies.Func {
	judge := policies.All(a.cfg.Policy)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if c, seen := builtin.FindControl(t.controls, builtin.ID(cmd)); seen && !ofWindow(cmd.ToolName) {
			ctx = policies.WithControl(ctx, c)
		}
		return judge(ctx, tool, cmd)
	}
}

// ofWindow reports whether the id that a command takes is that of a window.
func ofWindow(tool string) bool {
	return tool == desktop.SelectApplicationWindow || tool == desktop.CloseApplication
}

// lookAgain looks at the control of an act once more. One that was not seen when
// the act was decided is the desktop's to judge: an action before may have opened
// the dialog that has it. It must be in the same window all the same: an action
// before may also have brought another one to the front.
func (a *Agent) lookAgain(t *turn) acting.Look {
	return func(ctx context.Context, act acting.Act) acting.Act {
		now := &turn{desktop: t.desktop}
		now.Box = t.Box
		// What cannot be seen is not what it was; another window says so itself.
		_ = a.identify(ctx, now)
		if _, seen := builtin.FindControl(t.controls, act.Label); seen {
			_ = a.readControls(ctx, now)
		} else if a.where(now) == a.where(t) {
			target := act.Target
			act = a.aimed(now, act)
			act.Target = target
			return act
		}
		return a.aimed(now, act)
	}
}

// look is how an act is aimed by what this step has seen, or by what is there now where
// that comes from the journal of a run that was resumed.
func (a *Agent) look(t *turn) acting.Look {
	again := a.lookAgain(t)
	return func(ctx context.Context, act acting.Act) acting.Act {
		if trace.Stale(ctx) {
			return again(ctx, act)
		}
		return a.aimed(t, act)
	}
}

// redeem executes what was approved, before the model is asked again.
func (a *Agent) redeem(ctx context.Context) error {
	if a.data.Approval == nil {
		return nil
	}
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil {
		return err
	}
	_, err := a.data.Work.PerformApproved(ctx, a.actor(t, a.look(t)), a.data.Task.ID)
	return err
}
