package linux

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
)

// Decision is what the model replies in CONTINUE.
type Decision struct {
	Thought   string          `json:"Thought,omitempty" desc:"why the next command line is the right one"`
	Bash      string          `json:"Bash,omitempty" desc:"the command line to run next; empty: none"`
	Status    fsm.Status      `json:"Status" desc:"what is next, one of the section allowed_statuses"`
	Comment   string          `json:"Comment,omitempty" desc:"a word for the user; the reason when Status is FAIL"`
	Questions []string        `json:"Questions,omitempty" desc:"what to ask the user when Status is PENDING"`
	Result    json.RawMessage `json:"Result,omitempty" desc:"what came out of the task when Status is FINISH: any JSON, or a reference"`
}

var (
	errNothing  = errors.New("CONTINUE needs a command line in Bash")
	errNoResult = errors.New("FINISH needs a Result or a Comment")
)

// check finds what the schema cannot say. Its errors are shown to the model.
func (d *Decision) check() error {
	switch {
	case d.Status == fsm.Continue && strings.TrimSpace(d.Bash) == "":
		return errNothing // the next step would be this one again
	case d.Status == fsm.Finish && len(d.Result) == 0 && d.Comment == "":
		return errNoResult
	}
	return nil
}
