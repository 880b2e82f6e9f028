package acting

import (
	"bytes"
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
)

// Approval is a request to execute one exact command on one exact target, and the answer to
// it. It is part of an agent's data, and its JSON form is stable. The form has the command as
// it is executed, secrets included.
type Approval struct {
	ID      string `json:"id"` // of the question, the same when it is asked again
	Act     Act    `json:"act"`
	Reason  string `json:"reason,omitempty"` // why approval is needed
	Granted bool   `json:"granted,omitempty"`
	// Shown is the command as the question shows it. [Actor.Perform] leaves
	// secrets out of it.
	Shown desktop.Command `json:"shown"`
	seal
}

// seal is what an approval is compared with before its act is executed.
type seal struct {
	Digest string `json:"digest"`         // of the act, when the question was made
	Tool   string `json:"tool,omitempty"` // a mark of what the tool said about itself then; "": nobody looked
}

// NewApproval returns a request to approve act. It keeps a copy.
func NewApproval(id string, act Act, reason string) *Approval {
	act.Command = cloneCommand(act.Command)
	return &Approval{ID: id, Act: act, Reason: reason, Shown: cloneCommand(act.Command), seal: seal{Digest: digest(act)}}
}

// UnmarshalJSON keeps the digits of numbers in the arguments. Without that an id of 19
// digits would come back as another one, and the approval would be void.
func (a *Approval) UnmarshalJSON(data []byte) error {
	type fields Approval
	var f fields
	if err := exactly(data, &f); err != nil {
		return err
	}
	*a = Approval(f)
	return nil
}

// exactly reads JSON and keeps the digits of numbers that have no type.
func exactly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return decoder.Decode(into)
}
