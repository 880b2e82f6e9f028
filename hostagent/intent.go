package hostagent

import (
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
)

// intent is what a decision comes to.
type intent struct {
	plan   plan.Plan  // as the decision leaves it
	chosen *target    // of an ASSIGN
	item   plan.Entry // likewise, where the plan binds
	acts   []acting.Act
	wish   acting.Wish
}

// examine says what a decision comes to, or what is wrong with it. It changes nothing.
func (a *Agent) examine(t *turn, d *Decision) (in intent, err error) {
	if err = d.check(t.Box); err == nil {
		in, err = a.intend(t, d)
	}
	if err != nil && d.Plan != nil {
		// Else a model that mends only the rest believes that its plan holds.
		err = fmt.Errorf("%w; nothing of this reply counts: write its Plan again", err)
	}
	return in, err
}

// check finds what the schema cannot say.
func (d *Decision) check(box *desktop.Toolbox) error {
	if err := d.unread(box); err != nil {
		return err
	}
	if d.Function == "" && len(d.Args) > 0 {
		return errors.New("there are Args without a Function: write the tool's name into Function")
	}
	return builtin.CheckQuestions(d.Questions)
}

// intend plans what a decision wants: the acts, with references resolved, and for an ASSIGN
// the application.
func (a *Agent) intend(t *turn, d *Decision) (intent, error) {
	in := intent{wish: d.wish()}
	var err error
	if in.plan, err = a.replan(d); err != nil {
		return intent{}, err
	}
	if d.Status == Assign {
		if in.chosen, err = t.application(d); err != nil {
			return intent{}, err
		}
		if in.item, err = in.chosen.pick(in.plan, d); err != nil {
			return intent{}, err
		}
	}
	if in.acts, err = a.acts(t, d, in.chosen); err != nil {
		return intent{}, err
	}
	if d.Status == fsm.Finish && len(d.Result) > 0 {
		if in.wish.Result, err = acting.ResolveJSON(a.cfg.Board, d.Result); err != nil {
			return intent{}, err
		}
	}
	return in, nil
}

// acts makes the acts of a decision. Reaching for the chosen application comes last, so that
// it has the focus.
func (a *Agent) acts(t *turn, d *Decision, chosen *target) ([]acting.Act, error) {
	var acts []acting.Act
	function, args, err := a.call(t, d, chosen)
	if err != nil {
		return nil, err
	}
	if function != "" {
		act, err := a.aim(t, function, args)
		if err != nil {
			return nil, err
		}
		acts = append(acts, act)
	}
	if strings.TrimSpace(d.Bash) != "" {
		act, err := a.aim(t, desktop.RunShell, desktop.Shell(d.Bash).Parameters)
		if err != nil {
			return nil, fmt.Errorf("the command of Bash: %w", err)
		}
		acts = append(acts, act)
	}
	if chosen != nil {
		acts = append(acts, a.reach(t, chosen)...)
	}
	return acts, nil
}

// application finds the application of an ASSIGN. A call that selects a window says
// the same as the two fields.
func (t *turn) application(d *Decision) (*target, error) {
	if strings.TrimSpace(d.CurrentSubTask) == "" {
		return nil, errors.New("ASSIGN needs a CurrentSubTask")
	}
	label, name := strings.TrimSpace(d.ControlLabel), d.ControlText
	if selects(d.Function) {
		var err error
		if label, err = agree(label, d.Args["id"]); err != nil {
			return nil, err
		}
		name = orElse(name, text(d.Args["name"]))
	}
	return targetOf(t.targets, label, name)
}

// call returns the tool that Function means, "" for none, and its arguments. What names a
// window by the id that the model was shown gets the desktop's own; a listed program is
// launched as its entry says.
func (a *Agent) call(t *turn, d *Decision, chosen *target) (string, map[string]any, error) {
	function, args := d.Function, map[string]any{}
	maps.Copy(args, d.Args) // the decision stays as the model wrote it
	switch {
	case function == "", selects(function) && d.Status == Assign: // reaching for the application does it
		return "", nil, nil
	case selects(function), function == desktop.CloseApplication:
		w, err := t.window(d)
		if err != nil {
			return "", nil, err
		}
		args["id"] = w.ID
		if selects(function) {
			args["name"] = w.Title
		}
	case function == desktop.LaunchApplication:
		p := program(a.cfg.Apps, text(args["name"]))
		switch {
		case p == nil:
		case chosen != nil && chosen.program == p:
			return "", nil, nil // likewise
		case args["command"] == nil:
			args = desktop.LaunchProgram(p.Name, p.Command...).Parameters
		}
	case d.Status != Assign && d.ControlLabel != "" && !slices.ContainsFunc(slices.Collect(maps.Values(args)), func(arg any) bool { return text(arg) == d.ControlLabel }):
		return "", nil, fmt.Errorf("ControlLabel is for an application, and %s does not get it: write what it acts on into Args, and leave ControlLabel out", function)
	}
	return function, args, nil
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
	chosen, err := targetOf(t.targets, label, name)
	switch {
	case err != nil:
		return desktop.Window{}, fmt.Errorf("%s: %w", d.Function, err)
	case !chosen.Running:
		return desktop.Window{}, fmt.Errorf("%s: %s is not running", d.Function, chosen.Root)
	}
	return chosen.window, nil
}

// aim makes a valid command, with references resolved, and says what it is aimed at.
func (a *Agent) aim(t *turn, function string, args map[string]any) (acting.Act, error) {
	resolved, err := acting.Resolve(a.cfg.Board, args)
	if err != nil {
		return acting.Act{}, err
	}
	cmd := desktop.Command{ToolName: function, Parameters: resolved, ToolType: desktop.Action}
	if err := t.Box.Check(cmd); err != nil {
		return acting.Act{}, err
	}
	act := t.lookAt(acting.Act{Command: cmd, Label: builtin.ID(cmd)})
	if t.partial && t.focus == (desktop.Window{}) && act.Target == builtin.In(labelled(act), "") && function != desktop.RunShell {
		return acting.Act{}, fmt.Errorf("%s names no window, and which one has the focus cannot be told: select one first", function)
	}
	return act, nil
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
