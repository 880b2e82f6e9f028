package appagent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// intent is what a decision comes to.
type intent struct {
	acts []acting.Act
	wish acting.Wish
	rest error // what a FINISH leaves open that answered some of it
}

// examine says what a decision comes to, or what is wrong with it. It changes only t.kept.
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
		return errors.New("there is a call beside Actions: write all calls into Actions")
	case d.Function == "" && len(d.Args) > 0:
		return errors.New("the Args stand without a Function: write the name of the tool into Function")
	case d.Function == "" && d.ControlLabel != "" && len(d.Actions) > 0 && !slices.ContainsFunc(d.Actions, func(a action) bool { return a.ControlLabel == d.ControlLabel }):
		return fmt.Errorf("ControlLabel %q stands beside Actions: write it into the call that is for this control", clip.Name(d.ControlLabel, promptsize.Name))
	}
	return nil
}

// bounded says which list of a decision is too long. Nothing else is done with the lists before.
func (a *Agent) bounded(d *decision) error {
	if n, most := len(d.Actions), a.cfg.MaxActions; most > 0 && n > most {
		return fmt.Errorf("the reply makes %d calls: make at most %d, and the rest in the next step", n, most)
	}
	return cmp.Or(builtin.CheckPlan(len(d.Plan)), builtin.CheckQuestions(d.Questions))
}

// intend plans the acts of a decision, with references resolved.
func (a *Agent) intend(t *turn, d *decision) (intent, error) {
	in := intent{wish: d.wish()}
	for i, action := range d.actions() {
		if action.Function == "" {
			return intent{}, fmt.Errorf("the entry Actions[%d] calls no tool: write the name of one into its Function", i)
		}
		act, err := a.aim(t, action)
		if err != nil {
			return intent{}, err
		}
		in.acts = append(in.acts, act)
	}
	if d.Status == fsm.Finish && len(d.Result) > 0 {
		var err error
		if in.wish.Result, err = t.shown.ResolveJSON(a.cfg.Board, d.Result); err != nil {
			return intent{}, err
		}
	}
	// A reply that only leaves something open was read all the same: else what it plans and says
	// would be gone.
	if a.data.Alone && d.Plan != nil {
		t.kept.Write(d.Status == fsm.Finish, d.Plan...)
	}
	if d.Status == fsm.Finish {
		heard, err := t.kept.Hear(a.open(t.kept.Notes), d.Open)
		if in.rest = err; err != nil {
			in.acts = nil
		}
		if heard == 0 {
			return in, err
		}
	}
	return in, nil
}

// act executes the decision and says where to go.
func (a *Agent) act(ctx context.Context, t *turn) error {
	if t.decision.Plan != nil {
		a.data.Plan = t.decision.Plan
	}
	if t.rest != nil {
		a.data.Settled, a.data.LastError = nil, t.rest.Error()
		return a.Settle(fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: t.rest.Error()}, nil)
	}
	if err := a.closedBefore(ctx, t); err != nil {
		return err
	}
	performance, next, err := a.data.Work.Perform(ctx, a.actor(t, a.lookAgain(t)), t.acts, t.wish)
	t.performance = performance
	a.data.Doubting(ctx, t.Box, performance.Acted)
	if t.decision.Status != fsm.Finish { // else what it says is of what it did, too
		a.data.ForgetAfter(performance.Acted)
	}
	if err == nil {
		err = a.metClosed(t)
	}
	if err == nil && next.To == fsm.Finish {
		next, err = a.prove(ctx, t, next)
	}
	return a.Settle(next, err)
}

func (a *Agent) actor(t *turn, look acting.Look) *acting.Actor {
	return &acting.Actor{
		Desktop: t.desktop, Tools: t.Box, Policy: a.policy(t), Look: look, Place: a.place,
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// lookAgain looks at the control of an act once more. One that was not seen when
// the act was decided is the desktop's to judge: an action before may have opened
// the dialog that has it. It must be in the same window all the same: an action
// before may also have brought another one to the front.
func (a *Agent) lookAgain(t *turn) acting.Look {
	return func(ctx context.Context, act acting.Act) acting.Act {
		now := &turn{desktop: t.desktop}
		now.Box, t.since = t.Box, nil
		// What cannot be seen is not what it was; another window says so itself.
		if err := a.identify(ctx, now); errors.Is(err, desktop.ErrWindowGone) {
			t.lost = err
		}
		if t.shows(act) {
			a.readAgain(ctx, now, t.controls, act)
		} else if a.where(now) == a.where(t) {
			target := act.Target
			act = a.aimed(now, act)
			act.Target = target
			if presses, _ := builtin.Presses(act.Command); len(builtin.Named(act.Command, act.Label, nil)) > 0 || act.Focus != "" && presses {
				_ = a.readControls(ctx, now) // for the policy
				t.since = now.controls
			}
			return act
		}
		return a.aimed(now, act)
	}
}

// shows reports whether a control that an act is aimed at was seen; of a drag one is enough.
func (t *turn) shows(act acting.Act) bool {
	seen := slices.ContainsFunc(builtin.Named(act.Command, act.Label, t.controls), func(c builtin.NamedControl) bool { return c.Path != nil })
	return seen || slices.ContainsFunc(builtin.Points(act.Command), func(p builtin.Point) bool {
		path, perhaps := builtin.AtPoint(t.controls, p)
		return path != nil || len(perhaps) > 0
	})
}

// readAgain looks at the control of an act, without the rest of the tree where the desktop can.
// What is at a point only the tree can tell, and in which dialog a control is.
func (a *Agent) readAgain(ctx context.Context, now *turn, before []desktop.Control, act acting.Act) {
	around := builtin.PathTo(before, act.Label)
	_, inDialog := commands.Dialog(around)
	one := len(builtin.Points(act.Command)) == 0 && len(builtin.Named(act.Command, act.Label, before)) == 1
	if _, ok := now.Box.Tool(desktop.GetControl); !ok || inDialog || !one {
		_ = a.readControls(ctx, now)
		return
	}
	cmd := desktop.Command{ToolName: desktop.GetControl, Parameters: map[string]any{"id": act.Label}, Looks: true}
	var c desktop.Control
	if res, err := commands.Do(ctx, now.desktop, cmd); err == nil && res.Decode(&c) == nil && c.ID == act.Label {
		now.controls = []desktop.Control{c}
	}
}

// look is how an approved act is aimed by what this step has seen, or by what is there now where
// that comes from the journal of a run that was resumed; and the rest of its list by what is there
// after it.
func (a *Agent) look(t *turn) acting.Look {
	again, first := a.lookAgain(t), true
	return func(ctx context.Context, act acting.Act) acting.Act {
		if was := first; was && !trace.Stale(ctx) {
			first = false
			return a.aimed(t, act) // it was just seen
		}
		first = false
		return again(ctx, act)
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
	done, err := a.data.Work.PerformApproved(ctx, a.actor(t, a.look(t)), a.data.Task.ID)
	a.data.Doubting(ctx, t.Box, done.Acted)
	a.data.ForgetAfter(done.Acted)
	a.data.Seen = nil // as it was before the act
	t.performance = done
	if err == nil {
		err = a.metClosed(t)
	}
	return done.Approval, err
}
