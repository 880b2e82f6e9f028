package blackboard

import (
	"encoding/json"
	"slices"
)

// Op is one operation on a [Board] as data. [Board.TakeOps] gives those that were
// done, [Board.Replay] does them again. Its JSON form is stable:
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
	Value     json.RawMessage `json:"value,omitempty"`       // the value, the item, the result of a sub-task, the board that was loaded
	App       string          `json:"application,omitempty"` // of a sub-task that was opened, as the next two
	Text      string          `json:"task,omitempty"`
	DependsOn []string        `json:"depends_on,omitempty"`
	Status    string          `json:"status,omitempty"` // of a sub-task that was closed
	Reason    string          `json:"reason,omitempty"` // likewise
	MediaType string          `json:"media_type,omitempty"`
	Data      []byte          `json:"data,omitempty"` // of a blob. Who keeps it elsewhere, by its reference, takes it out and puts it back.
}

// OpKind says what an [Op] does: the method of that name did it.
type OpKind string

// The kinds of operations. All but load have a Name.
const (
	opPut        OpKind = "put"         // Value
	opPutNew     OpKind = "put_new"     // N, Value
	opDelete     OpKind = "delete"      // nothing else
	opAppend     OpKind = "append"      // N, Value
	opOpen       OpKind = "open"        // N, App, Text, DependsOn
	opClose      OpKind = "close"       // Status, Value and Reason if it had them
	OpPutBlob    OpKind = "put_blob"    // MediaType, Data
	opDeleteBlob OpKind = "delete_blob" // nothing else
	opLoad       OpKind = "load"        // Value is all but the blobs, which are put by the next operations
)

// opLog has what was done since it was last taken. A nil one has nothing and takes nothing.
type opLog struct {
	ops  []Op
	last map[opTarget]int // which of ops was the last on a value, or a blob
}

type opTarget struct {
	blob bool
	name string
}

// LogOps has the board log from now on what is done to it, for [Board.TakeOps].
// What it logged before is forgotten. Until LogOps is called nothing is logged.
func (b *Board) LogOps() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.log == nil {
		b.log = &opLog{last: make(map[opTarget]int)}
	}
	b.log.reset()
}

// TakeOps returns what was done since [Board.LogOps] or the last TakeOps, in order;
// none when nothing was. What was refused or changed nothing is not among them. Of
// several values that were put under one name there is the last only, and none of what
// was put and deleted.
//
// What [Board.UnmarshalJSON] and [Board.Replay] did is logged as anything else; a
// board that is loaded first and logged then has nothing of it. The error is an
// [*Error] over [ErrNotLogged].
func (b *Board) TakeOps() ([]Op, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.log == nil {
		return nil, &Error{"take", "", ErrNotLogged}
	}
	ops := slices.Clone(b.log.ops)
	b.log.reset()
	return ops, nil
}

// reset forgets what was logged. The memory stays, so that a step after many costs
// what the first did.
func (l *opLog) reset() {
	clear(l.ops)
	l.ops = l.ops[:0]
	clear(l.last)
}

// add logs what was done. An operation on a value or a blob takes the place of the one
// before it on the same, where that makes no difference in the end: those between
// them are on others.
func (l *opLog) add(op *Op) {
	if l == nil {
		return
	}
	target := opTarget{name: op.Name}
	switch op.Kind {
	case opPut, opDelete:
	case opPutNew:
		target.name = numberedName(op.Name, op.N)
	case OpPutBlob, opDeleteBlob:
		target.blob = true
	case opLoad: // nothing that was there before is there now
		l.reset()
		l.ops = append(l.ops, *op)
		return
	case opAppend, opOpen, opClose:
		l.ops = append(l.ops, *op)
		return
	}
	if at, ok := l.last[target]; ok {
		switch was := &l.ops[at]; {
		case op.Kind == opPut && was.Kind == opPutNew: // its number stays used
			was.Value = op.Value
			return
		case op.Kind == opDelete && was.Kind == opPutNew: // likewise
			was.Value = json.RawMessage("null")
		case op.Kind == opPut, op.Kind == opDelete && was.Kind == opPut, op.Kind == opDeleteBlob:
			*was = *op
			return
		}
	}
	l.last[target] = len(l.ops)
	l.ops = append(l.ops, *op)
}
