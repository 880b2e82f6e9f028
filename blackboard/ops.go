package blackboard

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// opLog has what was done since it was last taken. A nil one has nothing and takes nothing.
type opLog struct {
	ops  []boarddata.Op
	last map[opTarget]int // which of ops was the last on a value, or a blob
}

type opTarget struct {
	blob bool
	name string
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
func (l *opLog) add(op *boarddata.Op) {
	if l == nil {
		return
	}
	target := opTarget{name: op.Name}
	switch op.Kind {
	case boarddata.OpPut, boarddata.OpDelete:
	case boarddata.OpPutNew:
		target.name = numberedName(op.Name, op.N)
	case boarddata.OpPutBlob, boarddata.OpDeleteBlob:
		target.blob = true
	case boarddata.OpLoad: // nothing that was there before is there now
		l.reset()
		l.ops = append(l.ops, *op)
		return
	case boarddata.OpAppend, boarddata.OpDrop, boarddata.OpOpen, boarddata.OpClose:
		l.ops = append(l.ops, *op)
		return
	}
	if at, ok := l.last[target]; ok {
		switch was := &l.ops[at]; {
		case op.Kind == boarddata.OpPut && was.Kind == boarddata.OpPutNew: // its number stays used
			was.Value = op.Value
			return
		case op.Kind == boarddata.OpDelete && was.Kind == boarddata.OpPutNew: // likewise
			was.Value = json.RawMessage("null")
		case op.Kind == boarddata.OpPut, op.Kind == boarddata.OpDelete && was.Kind == boarddata.OpPut, op.Kind == boarddata.OpDeleteBlob:
			*was = *op
			return
		}
	}
	l.last[target] = len(l.ops)
	l.ops = append(l.ops, *op)
}
