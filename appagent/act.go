package appagent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/policies"
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

// aim makes a valid command of an action: references resolved, the control
// that it names among those that were shown.
func (a *Agent) aim(t *turn, action action) (acting.Act, error) {
	tool, ok := t.Box.Tool(action.Function)
	if !ok {
		return acting.Act{}, t.Box.Check(desktop.Command{ToolName: action.Function}) // says why
	}
	args, err := t.shown.Resolve(a.cfg.Board, action.Args)
	if err != nil {
		return acting.Act{}, err
	}
	if action.ControlLabel != "" && t.controls != nil {
		if _, shown := builtin.FindControl(t.controls, action.ControlLabel); !shown {
			return acting.Act{}, fmt.Errorf("ControlLabel %q is no id of the section controls", action.ControlLabel)
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
	if points := builtin.Points(cmd); len(points) > 0 {
		if path, _ := builtin.AtPoint(t.controls, points[0]); path != nil {
			act.Label = path[len(path)-1].ID
		}
	}
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
// arguments name, of a drag both controls, else the window. What the decision says beside them does not
// count, because the tool does not get it.
func (a *Agent) target(t *turn, act acting.Act) string {
	where, id, points := a.where(t), act.Label, builtin.Points(act.Command)
	switch {
	case len(points) > 0:
		what := make([]string, len(points))
		for i, p := range points {
			what[i], where = a.at(t, p, where)
		}
		return builtin.In(strings.Join(what, " to "), where)
	case id == "":
		return where
	case ofWindow(act.Command.ToolName):
		if t.window != nil && t.window.ID == id {
			return where
		}
		return fmt.Sprintf("window %s (not seen)", builtin.Exact(id))
	}
	what := fmt.Sprintf("control %s (not seen)", builtin.Exact(id))
	if path := builtin.PathTo(t.controls, id); path != nil {
		what, where = a.named(t, path, where)
	}
	return builtin.In(what, where)
}

// at is what is at a point in words, with what else may be there: when that changes, the target is
// another one. It also says where that is, as named does.
func (a *Agent) at(t *turn, p builtin.Point, where string) (what, in string) {
	path, perhaps := builtin.AtPoint(t.controls, p)
	what, in = p.String(), where
	if path != nil {
		what, in = a.named(t, path, where)
	}
	if len(perhaps) == 0 {
		return what, in
	}
	names := make([]string, len(perhaps))
	for i := range perhaps {
		names[i] = named(perhaps[i])
	}
	shown := strings.Join(names[:min(len(names), promptsize.Perhaps)], ", ")
	if more := len(names) - promptsize.Perhaps; more > 0 {
		sum := sha256.Sum256(fmt.Append(nil, names)) // also of those that are not named
		shown += fmt.Sprintf(" and %d more [%x]", more, sum[:4])
	}
	return fmt.Sprintf("%s, or one of these, whose place is unknown: %s", what, shown), in
}

func named(c desktop.Control) string {
	return strings.TrimSpace(fmt.Sprintf("%s %q (%s)", builtin.Exact(c.Type), c.Name, builtin.Exact(c.ID)))
}

// named is the control at the end of a path in words, with the dialog that it is in; and where that
// is. Of a control in the dialog in front the window is not said to be behind that dialog.
func (a *Agent) named(t *turn, path []desktop.Control, where string) (what, in string) {
	c := path[len(path)-1]
	what = named(c)
	dialog, ok := commands.Dialog(slices.Concat(t.inDialog, path))
	if !ok {
		return what, where
	}
	what += fmt.Sprintf(" of the dialog %q", dialog.Name)
	if !t.inFront(dialog) {
		return what, where
	}
	window := *t.window
	window.Dialog = ""
	return fmt.Sprintf("%s (%s)", what, builtin.Exact(t.window.Dialog)), builtin.Place(window)
}

// inFront reports whether a dialog is what the window is behind: its id, or its title, says so.
func (t *turn) inFront(dialog desktop.Control) bool {
	if t.window == nil || t.window.Dialog == "" {
		return false
	}
	return dialog.ID == t.window.Dialog || slices.ContainsFunc(t.dialogs, func(w desktop.Window) bool {
		return w.ID == t.window.Dialog && w.Title == dialog.Name
	})
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

// policy is that of the Config, which is told what the desktop called the control
// when it was looked at for this step. Behind the first act lookAgain has compared
// that with what it is called now. Where another control may be at the point of a command,
// the policy is also asked as of one that nobody has seen.
func (a *Agent) policy(t *turn) policies.Func {
	judge := a.judge
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		path, points := builtin.PathTo(t.controls, builtin.ID(cmd)), builtin.Points(cmd)
		seen, blind, drop := ctx, false, []desktop.Control(nil)
		for i, p := range points {
			at, perhaps := builtin.AtPoint(t.controls, p)
			blind = blind || at != nil && len(perhaps) > 0
			switch {
			case i == 0 && path == nil:
				path = at
			case i == 1:
				drop = at
			}
		}
		if len(drop) > 0 {
			seen = policies.WithDrop(seen, slices.Concat(t.inDialog, drop)...)
		}
		if len(path) > 0 && !ofWindow(cmd.ToolName) {
			seen = policies.WithControl(seen, slices.Concat(t.inDialog, path)...)
		}
		if !blind {
			return judge(seen, tool, cmd)
		}
		return policies.All(judge, func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
			return judge(ctx, tool, cmd)
		})(seen, tool, cmd)
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
		if err := a.identify(ctx, now); errors.Is(err, desktop.ErrWindowGone) {
			t.lost = err
		}
		if t.shows(act) {
			a.readAgain(ctx, now, t.controls, act)
		} else if a.where(now) == a.where(t) {
			target := act.Target
			act = a.aimed(now, act)
			act.Target = target
			return act
		}
		return a.aimed(now, act)
	}
}

// shows reports whether a control that an act is aimed at was seen; of a drag one is enough.
func (t *turn) shows(act acting.Act) bool {
	_, seen := builtin.FindControl(t.controls, act.Label)
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
	if _, ok := now.Box.Tool(desktop.GetControl); !ok || inDialog || len(builtin.Points(act.Command)) > 0 {
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
