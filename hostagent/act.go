package hostagent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent/plan"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// check finds what is wrong with a decision, and makes its acts.
func (a *Agent) check(t *turn, d *Decision) error {
	err := a.examine(t, d)
	if err != nil && d.Plan != nil {
		// Else a model that mends only the rest believes that its plan holds.
		err = fmt.Errorf("%w; nothing of this reply counts: write its Plan again", err)
	}
	return err
}

// examine finds what the schema cannot say.
func (a *Agent) examine(t *turn, d *Decision) error {
	t.acts, t.chosen, t.item = nil, nil, plan.Entry{}
	if err := d.unread(t.Box); err != nil {
		return err
	}
	if d.Function == "" && len(d.Args) > 0 {
		return errors.New("there are Args without a Function: write the tool's name into Function")
	}
	if err := builtin.CheckQuestions(d.Questions); err != nil {
		return err
	}
	if err := a.replan(t, d); err != nil {
		return err
	}
	if d.Status == Assign {
		if err := a.choose(t, d); err != nil {
			return err
		}
	}
	if err := a.addCall(t, d); err != nil {
		return err
	}
	if strings.TrimSpace(d.Bash) != "" {
		if err := a.addAct(t, desktop.RunShell, desktop.Shell(d.Bash).Parameters); err != nil {
			return fmt.Errorf("the command of Bash: %w", err)
		}
	}
	if d.Status == fsm.Finish && len(d.Result) > 0 {
		resolved, err := acting.ResolveJSON(a.cfg.Board, d.Result)
		if err != nil {
			return err
		}
		d.Result = resolved
	}
	if err := a.data.Bare(d.said(), len(t.acts)); err != nil && !t.bare {
		t.bare = true // once: there may be nothing to say
		return err
	}
	return nil
}

// choose finds the application of an ASSIGN. A call that selects a window says
// the same as the two fields.
func (a *Agent) choose(t *turn, d *Decision) error {
	if strings.TrimSpace(d.CurrentSubTask) == "" {
		return errors.New("ASSIGN needs a CurrentSubTask")
	}
	label, name := strings.TrimSpace(d.ControlLabel), d.ControlText
	if selects(d.Function) {
		var err error
		if label, err = agree(label, d.Args["id"]); err != nil {
			return err
		}
		name = orElse(name, text(d.Args["name"]))
	}
	var err error
	if t.chosen, err = choose(t.targets, label, name); err != nil {
		return err
	}
	return t.pick(d)
}

// addCall adds the act of Function. What names a window by the id that the
// model was shown gets the desktop's own; a listed program is launched as its
// entry says.
func (a *Agent) addCall(t *turn, d *Decision) error {
	function, args := d.Function, map[string]any{}
	maps.Copy(args, d.Args) // the decision stays as the model wrote it
	switch {
	case function == "":
		return nil
	case selects(function) && d.Status == Assign:
		return nil // reaching for the application does it
	case selects(function), function == desktop.CloseApplication:
		w, err := t.window(d)
		if err != nil {
			return err
		}
		args["id"] = w.ID
		if selects(function) {
			args["name"] = w.Title
		}
	case function == desktop.LaunchApplication:
		p := program(a.cfg.Apps, text(args["name"]))
		switch {
		case p == nil:
		case t.chosen != nil && t.chosen.program == p:
			return nil // likewise
		case args["command"] == nil:
			args = desktop.LaunchProgram(p.Name, p.Command...).Parameters
		}
	case d.Status != Assign && d.ControlLabel != "" && !slices.ContainsFunc(slices.Collect(maps.Values(args)), func(arg any) bool { return text(arg) == d.ControlLabel }):
		return fmt.Errorf("ControlLabel is for an application, and %s does not get it: write what it acts on into Args, and leave ControlLabel out", function)
	}
	return a.addAct(t, function, args)
}

// window returns the running window that a call means.
func (t *turn) window(d *Decision) (desktop.Window, error) {
	label, name := text(d.Args["id"]), text(d.Args["name"])
	if d.Status != Assign { // else the two fields are about another one
		var err error
		if label, err = agree(strings.TrimSpace(d.ControlLabel), d.Args["id"]); err != nil {
			return desktop.Window{}, err
		}
		name = orElse(d.ControlText, name)
	}
	chosen, err := choose(t.targets, label, name)
	switch {
	case err != nil:
		return desktop.Window{}, fmt.Errorf("%s: %w", d.Function, err)
	case !chosen.Running:
		return desktop.Window{}, fmt.Errorf("%s: %s is not running", d.Function, chosen.Root)
	}
	return chosen.window, nil
}

func (a *Agent) addAct(t *turn, function string, args map[string]any) error {
	resolved, err := acting.Resolve(a.cfg.Board, args)
	if err != nil {
		return err
	}
	cmd := desktop.Command{ToolName: function, Parameters: resolved, ToolType: desktop.Action}
	if err := t.Box.Check(cmd); err != nil {
		return err
	}
	act := t.lookAt(acting.Act{Command: cmd, Label: builtin.ID(cmd)})
	if t.partial && t.focus == (desktop.Window{}) && act.Target == builtin.In(labelled(act), "") && function != desktop.RunShell {
		return fmt.Errorf("%s names no window, and which one has the focus cannot be told: select one first", function)
	}
	t.acts = append(t.acts, act)
	return nil
}

// labelled is what an act names in its window.
func labelled(act acting.Act) string {
	if act.Label == "" {
		return ""
	}
	return "id " + act.Label
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
	said := d.said()
	if err := a.setPlan(t.plan); err != nil {
		return err
	}
	if t.chosen != nil {
		// Reaching for the application comes last, so that it has the focus.
		t.acts = append(t.acts, a.reach(t)...)
	}
	a.data.Reached = ""
	performance, next, err := a.data.Act(ctx, a.actor(t), t.acts, said)
	t.performance = performance
	if err != nil {
		return err
	}
	if _, err := a.awaitLaunched(ctx, t, performance.Acted); err != nil {
		return err
	}
	if a.data.LastError != "" && next.To != fsm.Confirm && next.To != fsm.Pending {
		next = fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: a.data.LastError}
	}
	if next.To == Assign {
		a.data.Chosen = &assignment{Window: t.chosen.window, Text: d.CurrentSubTask, Message: d.Message, Item: t.item.ID}
		if t.item.ID != "" {
			a.data.Chosen.Text = t.item.Task
		}
	}
	a.data.Settle(said, next, a.cfg.NewID)
	a.Decide(next.To, next.By, next.Reason)
	return nil
}

func (a *Agent) actor(t *turn) *acting.Actor {
	return &acting.Actor{
		Desktop: a.cfg.Desktop, Tools: t.Box, Policy: a.cfg.Policy, NewID: a.cfg.NewID, Look: a.lookAgain(t.Box),
	}
}

// lookAgain looks at the target of an act once more where a run was resumed since
// the windows were listed. Within a step of a host nothing is looked at twice.
func (a *Agent) lookAgain(box *desktop.Toolbox) func(context.Context, acting.Act) acting.Act {
	return func(ctx context.Context, act acting.Act) acting.Act {
		if !trace.Stale(ctx) {
			return act
		}
		now := &turn{}
		now.Box = box
		if err := a.collectWindows(ctx, now); err != nil {
			act.Target = "not seen: " + err.Error()
			return act
		}
		return now.lookAt(act)
	}
}

// selects reports whether a function chooses an application.
func selects(function string) bool { return function == desktop.SelectApplicationWindow }

// agree returns the id that a decision means, by its field and by its call.
func agree(label string, id any) (string, error) {
	given := strings.TrimSpace(text(id))
	if label != "" && given != "" && label != given {
		return "", fmt.Errorf("ControlLabel is %q, but the argument id is %q", label, given)
	}
	return orElse(label, given), nil
}

// text is an argument as the model wrote it.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// performApproved executes what was approved, before the model is asked again.
func (a *Agent) performApproved(ctx context.Context) error {
	if a.data.Approval == nil {
		return nil
	}
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil {
		return err
	}
	p, err := a.data.PerformApproved(ctx, a.actor(t), a.cfg.Board, "", t.lookAt)
	if err != nil {
		return err
	}
	for _, done := range p.Acted {
		if id, ok := done.Command.Parameters["id"].(string); ok && succeeded(done, desktop.SelectApplicationWindow) {
			a.data.Reached = id
		}
	}
	launched, err := a.awaitLaunched(ctx, t, p.Acted)
	if launched.ID != "" {
		a.data.Reached = launched.ID
	}
	return err
}
