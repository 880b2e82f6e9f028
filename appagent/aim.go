package appagent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/policies"
)

// aim makes a valid command of an action: references resolved, the control
// that it names among those that were shown.
func (a *Agent) aim(t *turn, action action) (acting.Act, error) {
	if _, ok := t.Box.Tool(action.Function); !ok {
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
	if err := builtin.Aim(t.Box, action.Function, args, action.ControlLabel, action.ControlText, t.controls); err != nil {
		return acting.Act{}, err
	}
	cmd := desktop.Command{ToolName: action.Function, Parameters: args}
	if err := t.Box.Check(cmd); err != nil {
		return acting.Act{}, err
	}
	act := acting.Act{Command: cmd, Label: cmp.Or(builtin.ID(cmd), action.ControlLabel)}
	if points := builtin.Points(cmd); len(points) > 0 {
		if path, _ := builtin.AtPoint(t.controls, points[0]); path != nil {
			act.Label = path[len(path)-1].ID
		}
	} else if named := builtin.Named(cmd, act.Label, t.controls); len(named) > promptsize.Named { // each is judged
		return acting.Act{}, fmt.Errorf("the call of %q names %d controls: name at most %d in one call", action.Function, len(named), promptsize.Named)
	} else if act.Label == "" && len(named) > 0 {
		act.Label = named[0].ID
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

// target says what an act is aimed at as it looks now: the controls that it names, of a drag both
// controls, else the window.
func (a *Agent) target(t *turn, act acting.Act) string {
	where, points := a.where(t), builtin.Points(act.Command)
	switch {
	case len(points) > 0:
		what := make([]string, len(points))
		for i, p := range points {
			what[i], where = a.at(t, p, where)
		}
		return builtin.In(strings.Join(what, " to "), where)
	case ofWindow(act.Command.ToolName):
		if id := builtin.ID(act.Command); id != "" && (t.window == nil || t.window.ID != id) {
			return fmt.Sprintf("window %s (not seen)", builtin.Exact(id))
		}
		return where
	}
	var what []string
	for _, c := range builtin.Named(act.Command, act.Label, t.controls) {
		words := fmt.Sprintf("control %s (not seen)", builtin.Exact(c.ID))
		if c.Path != nil {
			words, where = a.named(t, c.Path, where)
		}
		what = append(what, words)
	}
	return builtin.In(strings.Join(what, " and "), where)
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
	if c.Name == "" && commands.IsButton(c) {
		c.Name = clip.Text(strings.Join(commands.Texts(c.Children), " "), promptsize.Name)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %q (%s)", builtin.Exact(c.Type), c.Name, builtin.Exact(c.ID)))
}

// named is the control at the end of a path in words, with the dialog that it is in, and the ids of that and
// of all that is around the control, and a mark of what the dialog says; and where that is. Of a control in the dialog in front the window is
// not said to be behind that dialog.
func (a *Agent) named(t *turn, path []desktop.Control, where string) (what, in string) {
	around := slices.Concat(t.inDialog, path)
	what = named(path[len(path)-1])
	dialog, ok := commands.Dialog(around)
	if !ok {
		return what, where
	}
	front := ""
	if t.inFront(dialog) {
		window := *t.window
		window.Dialog = ""
		front, where = t.window.Dialog, builtin.Place(window)
	}
	what += fmt.Sprintf(" of the dialog %q", dialog.Name)
	if ids := builtin.IDs(front, around[:len(around)-1]); ids != "" {
		what += fmt.Sprintf(" (%s)", builtin.Exact(ids))
	}
	says := dialog.Children
	if len(around) > len(path) && len(says) == 0 { // the controls are its own
		says = t.controls
	}
	name := path[len(path)-1].Name
	if texts := slices.DeleteFunc(commands.Texts(says), func(text string) bool { return text == name }); len(texts) > 0 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", texts)) // a yes is for what the dialog says
		what += fmt.Sprintf(" [%x]", sum[:4])
	}
	return what, where
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

// policy is that of the Config, which is told what the desktop called the control
// when it was looked at for this step. Behind the first act lookAgain has compared
// that with what it is called now. It is asked once for each control that a command names, and once
// as of one that nobody has seen if the command names such a one, or if another control may be at its point.
func (a *Agent) policy(t *turn) policies.Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		shown, aim := t.controls, commands.AimOf(ctx)
		if t.since != nil {
			shown = t.since
		}
		within := func(path []desktop.Control) []desktop.Control { return slices.Concat(t.inDialog, path) }
		presses, elsewhere := builtin.Presses(cmd)
		_, reads := t.Box.Tool(desktop.GetUITree)
		aim.Unseen = reads && elsewhere || ofControls(t.Box, tool) && builtin.Unseen(cmd, shown)
		if presses {
			if path := builtin.PathTo(shown, aim.Focus); path != nil {
				aim.Pressed = within(path)
			}
		}
		ctx = commands.WithAim(ctx, aim)
		var named []builtin.NamedControl
		if !ofWindow(cmd.ToolName) {
			named = builtin.Named(cmd, aim.Label, shown)
		}
		seen, blind := ctx, false
		for i, p := range builtin.Points(cmd) {
			at, perhaps := builtin.AtPoint(shown, p)
			blind = blind || at != nil && len(perhaps) > 0
			switch {
			case i == 0:
				named = []builtin.NamedControl{{Path: at}}
			case i == 1 && len(at) > 0:
				seen = policies.WithDrop(seen, within(at)...) //nolint:fatcontext // once
			}
		}
		judges := make([]policies.Func, 0, len(named)+1)
		asOf := func(ctx context.Context) {
			judges = append(judges, func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
				return a.judge(ctx, tool, cmd)
			})
		}
		for _, c := range named {
			if c.Path == nil {
				asOf(seen)
			} else {
				asOf(policies.WithControl(seen, within(c.Path)...))
			}
		}
		if len(judges) == 0 || blind {
			asOf(ctx)
		}
		return policies.All(judges...)(ctx, tool, cmd)
	}
}

// ofControls reports whether what a tool calls an id is that of a control of this desktop: the ids of a
// tool that was joined from elsewhere are its own, if it is no well-known one.
func ofControls(box *desktop.Toolbox, tool desktop.Tool) bool {
	tree, ok := box.Tool(desktop.GetUITree)
	if _, known := desktop.ToolNamed(tool.Name); !known && tool.Origin != tree.Origin {
		return false
	}
	return ok && !ofWindow(tool.Name)
}

// ofWindow reports whether the id that a command takes is that of a window.
func ofWindow(tool string) bool {
	return tool == desktop.SelectApplicationWindow || tool == desktop.CloseApplication
}
