package records

import (
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// Call is a model call that came back.
type Call struct {
	Request  string        `json:"request,omitempty"` // a mark of what was asked
	Response *llm.Response `json:"response,omitempty"`
	Err      *Error        `json:"error,omitempty"`
	Ended    bool          `json:"ended,omitempty"` // it only cost something: its context ended, or it is a part of what is recorded as a whole
}

// Act is a command.
type Act struct {
	ID      string          `json:"id"`
	Command desktop.Command `json:"command"`
	Refused bool            `json:"refused,omitempty"` // it was never executed
	// Idempotent: its tool says that to execute it once more does no harm. Again: that is done now.
	Idempotent bool `json:"idempotent,omitempty"`
	Again      bool `json:"again,omitempty"`
}

// Result is what came of a command.
type Result struct {
	ID         string         `json:"id,omitempty"` // of the command
	Status     desktop.Status `json:"status,omitempty"`
	Content    []Content      `json:"content,omitempty"`
	Error      string         `json:"error,omitempty"`
	Err        *Error         `json:"failed,omitempty"`    // instead of a result
	Uncertain  bool           `json:"uncertain,omitempty"` // the run was interrupted: nobody knows what came of it
	Late       bool           `json:"late,omitempty"`      // likewise after its own deadline, which its agent was told
	Gone       bool           `json:"gone,omitempty"`      // as in a desktop.Result, and so is
	Unverified string         `json:"unverified,omitempty"`
}

// Content is content whose image is a blob.
type Content struct {
	Text      string          `json:"text,omitempty"`
	JSON      json.RawMessage `json:"json,omitempty"`
	MediaType string          `json:"media_type,omitempty"`
	Blob      string          `json:"blob,omitempty"`
}

// Effect is an effect of Go code. Its step has one with that key, and begins it again where it may
// be done twice, or was not done.
type Effect struct {
	Key        string `json:"key"`
	Idempotent bool   `json:"idempotent,omitempty"`
}

// Done is what came of the effect with that key.
type Done struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value,omitempty"`
	Err   *Error          `json:"error,omitempty"`
	As    Ending          `json:"as,omitempty"`
}

// Ending says how an effect ended that has neither a value nor an error of its own.
type Ending string

// The endings.
const (
	Cut       Ending = "cut"       // its context ended, or it panicked: Err is what the Handle was told
	Uncertain Ending = "uncertain" // nobody knows, and the Handle was told so
	NotDone   Ending = "not done"  // it was refused
	NoValue   Ending = "no value"  // it was done, and its value could not be kept
	Withdrawn Ending = "withdrawn" // it did nothing, and is to be done when its state is handled again
)

// Timer is until when a step waits, by a key.
type Timer struct {
	Key   string    `json:"key"`
	Until time.Time `json:"until"`
	Since time.Time `json:"since,omitzero"` // when the wait began, by the same clock
	Over  bool      `json:"over,omitempty"`
}

// Ask is a question to a person.
type Ask struct {
	people.Question                  // as it was asked: by this it is known when it is asked again
	Words           *people.Question `json:"words,omitempty"`  // its texts as they may be shown; nil: as they were asked
	Answer          *Answer          `json:"answer,omitempty"` // in a stop: it has one, which its agent does not have yet
	Asked           time.Time        `json:"asked,omitzero"`   // when its time began, by the clock of its Deadline; zero: it has none
}

// textsOf are the texts of a question, which may have secrets.
func textsOf(q people.Question) people.Question {
	return people.Question{Agent: q.Agent, Text: q.Text, Title: q.Title, Target: q.Target, Reason: q.Reason, Comment: q.Comment}
}

// ShowAs keeps the texts of shown, if they differ from those of the question.
func (a *Ask) ShowAs(shown people.Question) {
	a.Words = nil
	if w := textsOf(shown); w != textsOf(a.Question) {
		a.Words = &w
	}
}

// Legible returns the question with the texts that may be shown. Its Command is as it was recorded.
func (a *Ask) Legible() people.Question {
	q := a.Question
	if w := a.Words; w != nil {
		q.Agent, q.Text, q.Title, q.Target, q.Reason, q.Comment = w.Agent, w.Text, w.Title, w.Target, w.Reason, w.Comment
	}
	return q
}

// Answer is what was said to the question with that id.
type Answer struct {
	ID       string `json:"id"`
	Text     string `json:"text,omitempty"`
	Approved bool   `json:"approved,omitempty"`
	By       string `json:"by,omitempty"`
	Approval bool   `json:"approval,omitempty"` // the question asked for a yes, so Approved says something
	Err      *Error `json:"error,omitempty"`
}

// AnswerTo returns the answer to a question.
func AnswerTo(q people.Question, a people.Answer) *Answer {
	return &Answer{ID: q.ID, Text: a.Text, Approved: a.Approved, By: a.By, Approval: q.Approval}
}

// Said returns what the person said.
func (a *Answer) Said() people.Answer {
	return people.Answer{Text: a.Text, Approved: a.Approved, By: a.By}
}

// Drop names records of the step that count no more.
type Drop struct {
	Seqs []int64 `json:"seqs"`
	Text string  `json:"text"`
}

// Tools is a list of tools, by the blob that has it.
type Tools struct {
	Ref string `json:"ref,omitempty"`
	Err *Error `json:"error,omitempty"`
}

// Fork says where a run comes from.
type Fork struct {
	Run string `json:"run"`
	Seq int64  `json:"seq"` // up to which it is as that one

	// Done are the commands that were executed in that run behind this place, or may have been.
	Done []desktop.Command `json:"done,omitempty"`
	// Void are those of them that a person had approved before it: that approval is used up.
	Void []desktop.Command `json:"void,omitempty"`
	// Effects are the keys of those that were done in that run behind this place, or may have been.
	Effects []string `json:"effects,omitempty"`
}

// Blob is bytes by their hash.
type Blob struct {
	Ref  string `json:"ref"` // sha256:…
	Data []byte `json:"data"`
}

// Error is what is kept of an error.
type Error struct {
	Text  string      `json:"text"`
	Kinds []string    `json:"kinds,omitempty"`
	Call  *ModelError `json:"call,omitempty"`
	Tool  string      `json:"tool,omitempty"` // of a desktop.CallError
}

// ModelError is what is kept of a llm.CallError.
type ModelError struct {
	Status     int           `json:"status,omitempty"`
	RetryAfter time.Duration `json:"retry_after_ns,omitempty"`
	Model      string        `json:"model,omitempty"`
	Message    string        `json:"message,omitempty"`
}
