package round

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// noteVersion is raised when older code would misread a record. What older code
// may overlook, such as a new field or kind, does not raise it.
const noteVersion = 1

// The kinds of records.
const (
	kindRound  = "round"  // a round begins
	kindResume = "resume" // a process goes on with the run
	kindCall   = "call"   // a model call that came back
	kindLook   = "look"   // a command that only looked
	kindIntent = "intent" // a command is about to be executed
	kindResult = "result" // and what came of it
	kindAsk    = "ask"    // a person is about to be asked
	kindAnswer = "answer" // and what was said
	kindDrop   = "drop"   // records of this step that count no more
	kindSecret = "secret" // what must be shown nowhere
	kindBlob   = "blob"   // bytes that other records name by their hash
	kindStep   = "step"   // a step was taken
	kindStop   = "stop"   // the round stopped, and can go on
	kindEnd    = "end"    // it ended
)

// note is one record. Fields that it does not have are ignored when it is read.
type note struct {
	V    int       `json:"v"`
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`

	Round  *roundNote  `json:"round,omitempty"`
	Call   *callNote   `json:"call,omitempty"`
	Act    *actNote    `json:"act,omitempty"`    // of look and intent
	Result *resultNote `json:"result,omitempty"` // of look and result
	Ask    *askNote    `json:"ask,omitempty"`
	Answer *answerNote `json:"answer,omitempty"`
	Drop   *dropNote   `json:"drop,omitempty"`
	Secret *secretNote `json:"secret,omitempty"`
	Blob   *blobNote   `json:"blob,omitempty"`
	Step   *stepNote   `json:"step,omitempty"` // of step, stop and end
}

// news is what changed in the data of agents and blackboard since the last news.
type news struct {
	Agent    json.RawMessage `json:"agent,omitempty"`    // changes of the first agent, those that it made included
	Snapshot json.RawMessage `json:"snapshot,omitempty"` // the same, whole, of one that tells no changes
	Board    json.RawMessage `json:"board,omitempty"`    // changes of the blackboard
}

type roundNote struct {
	Request  string          `json:"request"`
	Agent    string          `json:"agent"`
	Kind     string          `json:"kind"`
	First    int             `json:"first"`              // sub-tasks on the blackboard before it
	Snapshot json.RawMessage `json:"snapshot,omitempty"` // of the first agent; of the first round only
	Board    json.RawMessage `json:"board,omitempty"`    // likewise
	News     *news           `json:"news,omitempty"`     // of later rounds
}

type callNote struct {
	Response *llm.Response `json:"response,omitempty"`
	Err      *errNote      `json:"error,omitempty"`
	Ended    bool          `json:"ended,omitempty"` // the context ended: it only cost something
}

type actNote struct {
	ID      string          `json:"id"`
	Command desktop.Command `json:"command"`
	Refused bool            `json:"refused,omitempty"` // it was never executed
}

type resultNote struct {
	ID        string         `json:"id"`
	Status    desktop.Status `json:"status,omitempty"`
	Content   []contentNote  `json:"content,omitempty"`
	Error     string         `json:"error,omitempty"`
	Err       *errNote       `json:"failed,omitempty"`    // instead of a result
	Uncertain bool           `json:"uncertain,omitempty"` // nobody knows what came of it
}

// contentNote is content whose image is a blob.
type contentNote struct {
	Text      string          `json:"text,omitempty"`
	JSON      json.RawMessage `json:"json,omitempty"`
	MediaType string          `json:"media_type,omitempty"`
	Blob      string          `json:"blob,omitempty"`
}

type askNote struct {
	ID      string           `json:"id"`
	Agent   string           `json:"agent"`
	Text    string           `json:"text"`
	Command *desktop.Command `json:"command,omitempty"`
}

type answerNote struct {
	ID       string   `json:"id"`
	Text     string   `json:"text,omitempty"`
	Approved bool     `json:"approved,omitempty"`
	Err      *errNote `json:"error,omitempty"`
}

type dropNote struct {
	Seqs []int64 `json:"seqs"`
	Text string  `json:"text"`
}

type secretNote struct {
	Masked   desktop.Command `json:"masked"`
	Original desktop.Command `json:"original"`
	Values   []string        `json:"values"`
}

type blobNote struct {
	Ref  string `json:"ref"` // sha256:…
	Data []byte `json:"data"`
}

// placeNote is where an agent stands.
type placeNote struct {
	Agent    string       `json:"agent"`
	Kind     string       `json:"kind"`
	Status   fsm.Status   `json:"status"`
	Decision fsm.Decision `json:"decision,omitzero"`
}

// stepNote is where a round stands, and what it used.
type stepNote struct {
	Agent string     `json:"agent,omitempty"` // who was handled, of a step
	From  fsm.Status `json:"from,omitempty"`

	Stack    []placeNote       `json:"stack"` // who waits, and at the end who is at work
	Returned *placeNote        `json:"returned,omitempty"`
	Makers   map[string]string `json:"makers,omitempty"` // of agents that are new
	Begun    bool              `json:"begun,omitempty"`
	Held     bool              `json:"held,omitempty"`
	Told     bool              `json:"told,omitempty"`
	News     news              `json:"news,omitzero"`

	Used    usedNote    `json:"used"`
	Session usedNote    `json:"session,omitzero"`
	Spent   int64       `json:"spent_ns,omitempty"`
	Last    int         `json:"repeats,omitempty"`
	Repeat  *repeatNote `json:"repeat,omitempty"` // of the agent that was handled
	Now     *nowNote    `json:"now,omitempty"`    // of a step that was not taken yet

	Waits   []askNote  `json:"waits,omitempty"` // questions that are open
	Outcome Outcome    `json:"outcome,omitempty"`
	Status  fsm.Status `json:"status,omitempty"` // of the result
	Answer  string     `json:"answer,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Err     *errNote   `json:"error,omitempty"`
	Tasks   int        `json:"subtasks,omitempty"` // on the blackboard at the end
}

type usedNote struct {
	Transitions int       `json:"transitions,omitempty"`
	Steps       int       `json:"steps,omitempty"`
	Calls       int       `json:"calls,omitempty"`
	Usage       llm.Usage `json:"usage,omitzero"`
	Cost        float64   `json:"cost,omitempty"`
}

type repeatNote struct {
	Agent string `json:"agent"`
	Mark  uint64 `json:"mark"`
	Times int    `json:"times"`
}

type nowNote struct {
	Tries int       `json:"tries"`
	Calls int       `json:"calls,omitempty"`
	Usage llm.Usage `json:"usage,omitzero"`
	Cost  float64   `json:"cost,omitempty"`
	Model string    `json:"model,omitempty"`
	Acted bool      `json:"acted,omitempty"`
	Did   uint64    `json:"did,omitempty"`
	Saw   uint64    `json:"saw,omitempty"`
}

var errMoreBehind = errors.New("there is something behind the record")

// readNote reads a record. Digits of numbers stay: a command with an id of 19 digits
// must be the same one. Of a record of a newer version only the version is known.
func readNote(data []byte) (*note, error) {
	var head struct {
		V int `json:"v"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.V > noteVersion {
		return &note{V: head.V}, nil
	}
	n := &note{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(n); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errMoreBehind
	}
	return n, nil
}
