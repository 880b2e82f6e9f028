package boarddata

import (
	"context"
	"encoding/json"
)

// Inside is a blackboard as the packages of this module use it besides its exported
// methods.
type Inside interface {
	// LogOps begins a log of what is done to the board, for TakeOps. What was logged
	// before is forgotten. Nothing is logged until LogOps is called.
	LogOps()
	// TakeOps returns what was done since LogOps or the last TakeOps, in order. Refused
	// calls, and calls that changed nothing, are left out. What UnmarshalJSON and Replay did is
	// logged too. Without LogOps it is an error.
	TakeOps() ([]Op, error)
	// Replay does the operations that another board's TakeOps returned. This board must
	// be as the other one was before them. Its bound does not count. The error is over
	// blackboard.ErrInvalid when an operation cannot be done or gets another number than
	// it had; then the board is as it was.
	Replay(ops []Op) error
	// Excerpt is Board.Render without the values of these names. Its bytes are the board's own: read
	// them only.
	Excerpt(maxBytes int, leaveOut []string) (json.RawMessage, error)
	// AppendLast is Board.Append to a list that keeps its last items, at least so many. As soon as it has half as
	// many more, it drops those, and the blobs to which nothing else on the board refers. The others keep their
	// places in paths.
	AppendLast(name string, v any, least int) error
	// Items returns how many items the list of a name has; 0 where there is none.
	Items(name string) int
	// Progress counts the sub-tasks after the first n, which are those of a round that
	// began when the board had n. It copies none of them. Of several open ones Current is
	// the last.
	Progress(n int) Progress
	// Closed returns the latest of the sub-tasks after the first n that have ended, no more than most,
	// in order; and how many there are in all.
	Closed(n, most int) (latest []Closed, all int)
	// ClosedOf is Closed of the sub-tasks with these ids, which have ended. It looks only at the latest.
	ClosedOf(ids []string, most int) (latest []Closed, all int)
	// ResultName returns the name under which the outcome of a sub-task is, or will be,
	// on the board: subtask_result_N. ok is false when no sub-task has that id.
	ResultName(id string) (name string, ok bool)
	// KeepChanges has keep called for what a program changes in the agents of the board between two
	// Runs, such as with hostagent.Agent.Drop. keep does the change and records it, or does nothing
	// and says why.
	KeepChanges(keep func(ctx context.Context, change func()) error)
	// Change does such a change, through the keep of KeepChanges where somebody records the board.
	Change(ctx context.Context, change func()) error
}

// Op is one operation on a blackboard. Its JSON form is stable:
//
//	{"op":"put","name":"plan","value":["read","draw"]}
//	{"op":"append","name":"requests","n":2,"value":"Draw a chart"}
//	{"op":"close","name":"subtask_1","value":{"rows":[]},"status":"FINISH"}
//
// The bytes and lists of an Op from TakeOps are the board's own: read them only.
type Op struct {
	Kind      OpKind          `json:"op"`
	Name      string          `json:"name,omitempty"`        // of the value or list, the prefix of a new one; the id of a sub-task; the reference of a blob
	N         int             `json:"n,omitempty"`           // what the board counted: of a new value, an item in its list, a sub-task; from 1
	Value     json.RawMessage `json:"value,omitempty"`       // the value, the item, the result of a sub-task
	App       string          `json:"application,omitempty"` // of a sub-task that was opened, as the next two
	Text      string          `json:"task,omitempty"`
	DependsOn []string        `json:"depends_on,omitempty"`
	Status    string          `json:"status,omitempty"` // of a sub-task that was closed
	Reason    string          `json:"reason,omitempty"` // likewise
	MediaType string          `json:"media_type,omitempty"`
	Data      []byte          `json:"data,omitempty"` // of a blob. A store may keep it elsewhere, by its reference, and put it back before Replay.
}

// OpKind says what an [Op] does: the method of that name did it.
type OpKind string

// The kinds of operations. All but clear have a Name.
const (
	OpPut        OpKind = "put"         // Value
	OpPutNew     OpKind = "put_new"     // N, Value
	OpDelete     OpKind = "delete"      // nothing else
	OpAppend     OpKind = "append"      // N, Value
	OpDrop       OpKind = "drop"        // N: the first N items that the list ever had. AppendLast did it
	OpOpen       OpKind = "open"        // N, App, Text, DependsOn
	OpClose      OpKind = "close"       // Status, Value and Reason if it had them
	OpPutBlob    OpKind = "put_blob"    // MediaType, Data
	OpDeleteBlob OpKind = "delete_blob" // nothing else
	OpCount      OpKind = "count"       // N: the numbers that put_new has given so far
	OpClear      OpKind = "clear"       // nothing else: the board is empty, and has the numbers that were given
)
