package acting

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// moment is when somebody looks whether an approval holds.
type moment int

const (
	asking    moment = iota // CONFIRM is about to ask
	answered                // a person said yes
	taken                   // CONTINUE took the approval, to execute the act
	executing               // CONTINUE has looked at the target and the tools
	resumed                 // likewise, in a step that goes on in another process
)

// void says why an approval does not hold, "" where it does. Nobody else decides that; agents
// only say what they see, by their [Look]. This is all that voids an approval:
//
//   - Its target is another one: another window, another dialog in front of it, a dialog that says something else, another control,
//     or a control of another name or type.
//   - Its focus is another one, for keys that name no control.
//   - Its command is another one: the tool, or an argument. What has no JSON form equals nothing.
//   - Its tool is gone, comes from another origin, or says something else about itself: its
//     description, its annotations, or the schema of its arguments.
//   - No person said yes, or not since it was last asked for.
//   - Its window is gone: [Work.WindowGone].
//   - Its task is over: [Work.Next].
//
// One that holds is used once: CONTINUE forgets it before the act, also where the policy denies
// the act by now. Nothing but this file forgets an approval.
//
// now is the act as it is aimed now. tools would execute it; only the last two moments have them.
func (a *Approval) void(at moment, now Act, tools *desktop.Toolbox) string {
	was := a.Act
	moved := now.Target != was.Target || now.Focus != was.Focus
	switch at {
	case asking:
		if moved {
			return fmt.Sprintf("%s was not executed: its target %s changed or is gone: look again", was.Command.ToolName, was.aim())
		}
		return ""
	case answered:
		if !a.unchanged() {
			return was.Command.ToolName + " was not executed: the call changed while the user was asked"
		}
		return ""
	case taken:
		if !a.Granted {
			return "nobody was asked to approve it"
		}
		return ""
	case resumed:
		if moved {
			return elsewhere(was, now, "while the run was stopped")
		}
	case executing:
	}
	if why := otherTool(now.Command, was.Command.Origin, a.Tool, tools); why != "" {
		return notExecuted + why
	}
	tool, _ := tools.Tool(now.Command.ToolName)
	switch {
	case a.covers(now.of(tool)):
		return ""
	case moved:
		return notExecuted + "its target changed after the user was asked: look again, then ask again"
	}
	return notExecuted + "the call changed after the user was asked: ask again"
}

// otherTool says why the tool of a command is not the one that the command was judged for: it is gone,
// takes other arguments, or has another origin or another mark. "": it is the same.
func otherTool(cmd desktop.Command, origin, mark string, tools *desktop.Toolbox) string {
	if problem := tools.Check(cmd); problem != nil {
		return problem.Error()
	}
	tool, _ := tools.Tool(cmd.ToolName)
	switch {
	case tool.Origin != origin:
		return fmt.Sprintf("it is another tool of that name now, from %s and not from %s: look at its description, then ask again",
			orNobody(tool.Origin), orNobody(origin))
	case mark != "" && mark != markOf(tool):
		return "the description of its tool changed after the user was asked: look at it, then ask again"
	}
	return ""
}

// void says why an act behind an approved one is not executed, "" where it is. It was decided for a
// tool, and in the minutes that a person takes another server may offer one of that name. Its target
// is compared as that of any act in a list.
func (b behind) void(tools *desktop.Toolbox) string {
	if why := otherTool(b.Command, b.Command.Origin, b.Tool, tools); why != "" {
		return notExecuted + why
	}
	return ""
}

// behindIt are the acts of a list behind one that waits for approval, with their tools as they are.
func behindIt(acts []Act, tools *desktop.Toolbox, confirm bool) []behind {
	var list []behind
	for _, act := range acts {
		b := behind{Act: act, Confirm: confirm}
		if tool, ok := tools.Tool(act.Command.ToolName); ok {
			b.Act, b.Tool = act.of(tool), markOf(tool)
		}
		list = append(list, b)
	}
	return list
}

// covers reports whether the approval was granted, for exactly this act: the same tool of the
// same origin, arguments, target and focus. A Title does not count.
func (a *Approval) covers(act Act) bool {
	return a.Granted && a.unchanged() && a.Digest == digest(act)
}

// unchanged reports whether the act is still what the question was made for.
func (a *Approval) unchanged() bool {
	// Arguments that have no JSON form have no digest: nothing equals them.
	return a.Digest != "" && a.Digest == digest(a.Act)
}

// digest is the part of an act that an approval is of, in a form that is the
// same before and after it was saved: encoding/json sorts the keys of maps, and a
// struct becomes a map on its way.
func digest(act Act) string {
	text, err := json.Marshal([]any{
		act.Command.ToolName, act.Command.Origin, act.Command.Parameters, act.Target, act.Focus,
	})
	if err != nil {
		return ""
	}
	v, err := plainjson.Decode(text)
	if err != nil {
		return ""
	}
	if text, err = json.Marshal(v); err != nil {
		return ""
	}
	return string(text)
}

// markOf is a mark of what a tool says about itself: of the same meaning, in whatever order a server
// writes its schema.
func markOf(tool desktop.Tool) string {
	schema := []byte(tool.InputSchema)
	if decoded, err := plainjson.Decode(schema); err == nil {
		if sorted, err := json.Marshal(decoded); err == nil {
			schema = sorted
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %+v %s", tool.Description, tool.Annotations, schema))
	return hex.EncodeToString(sum[:8])
}

func orNobody(origin string) string {
	if origin == "" {
		return "the desktop itself"
	}
	return strconv.Quote(origin)
}

// forgetApproval returns the approval that w waits for, nil for none, and forgets it, with what
// an answer before led to.
func (w *Work) forgetApproval() *Approval {
	approval := w.Approval
	w.Approval, w.Settled, w.Rest = nil, nil, nil
	return approval
}

// WindowGone forgets everything that w waits for from a person. An agent calls it when the
// window that it works in is gone. Questions and the question whether to go on have no target,
// so nothing else voids them: they end with an answer, with this call, or with their task.
func (w *Work) WindowGone() { w.Approval, w.waiting = nil, waiting{} }

// Next returns what is left for the next task: the memory. An approval or a question does not
// outlive its task.
func (w *Work) Next() Work { return Work{Memory: w.Memory.clip()} }
