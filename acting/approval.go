package acting

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Approval is a request to execute one exact command on one exact target, and
// the answer to it. It is part of an agent's data and has a stable JSON form,
// which holds the command as it is executed, secrets included.
type Approval struct {
	ID      string `json:"id"` // of the question, the same when it is asked again
	Act     Act    `json:"act"`
	Reason  string `json:"reason,omitempty"` // why approval is needed
	Granted bool   `json:"granted,omitempty"`
	// Digest is the act as it was when the question was made.
	Digest string `json:"digest"`
	// Shown is the command as the question shows it. [Actor.Perform] leaves
	// secrets out of it.
	Shown desktop.Command `json:"shown"`
	// Hints is what the tool said about itself then, nil where nobody looked.
	Hints *desktop.Annotations `json:"hints,omitempty"`
}

// NewApproval returns a request to approve act. It keeps a copy.
func NewApproval(id string, act Act, reason string) *Approval {
	act.Command = cloneCommand(act.Command)
	return &Approval{ID: id, Act: act, Reason: reason, Digest: digest(act), Shown: cloneCommand(act.Command)}
}

// Covers reports whether the approval was granted and is of exactly this act:
// the same tool at the same origin, arguments, target and focus. A Title does not count.
func (a *Approval) Covers(act Act) bool {
	return a.Granted && a.unchanged() && a.Digest == digest(act)
}

// unchanged reports whether the act is still what the question was made for.
func (a *Approval) unchanged() bool {
	// Arguments that have no JSON form have no digest: nothing equals them.
	return a.Digest != "" && a.Digest == digest(a.Act)
}

// UnmarshalJSON keeps the digits of numbers in the arguments. Else an id of 19
// digits would come back as another one, and the approval would be void.
func (a *Approval) UnmarshalJSON(data []byte) error {
	type fields Approval
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var f fields
	if err := decoder.Decode(&f); err != nil {
		return err
	}
	*a = Approval(f)
	return nil
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

// void says why an approval is not one of the act as it is now, "" where it is. An approval is also over
// when its act was executed, when the policy denies that by now, and when its target is gone: see
// Work.PerformApproved and Work.Confirm.
func void(approval *Approval, now Act, tools *desktop.Toolbox) string {
	if problem := tools.Check(now.Command); problem != nil {
		return "the approval is void: " + problem.Error()
	}
	tool, _ := tools.Tool(now.Command.ToolName)
	now = now.of(tool)
	was := approval.Act.Command.Origin
	switch {
	case approval.Hints != nil && *approval.Hints != tool.Annotations:
		return "the approval is void: what its tool says about itself changed after it was asked for"
	case approval.Covers(now):
		return ""
	case now.Command.Origin != was:
		return fmt.Sprintf("the approval is void: %s was a tool of %s, and is one of %s", now.Command.ToolName, orNobody(was), orNobody(tool.Origin))
	}
	return "the approval is void: the command or its target changed after it was asked for"
}

func orNobody(origin string) string {
	if origin == "" {
		return "the desktop itself"
	}
	return origin
}
