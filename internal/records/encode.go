package records

import (
	"bytes"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Encode writes a record, as encoding/json does but in less time: a run writes six of them in each step, and nearly all
// members of each are missing. What Read puts back is left out.
func Encode(n *Record) ([]byte, error) {
	act, result := n.Act, n.Result
	if act != nil {
		lean := *act
		if lean.Command.CallID == lean.ID {
			lean.Command.CallID = ""
		}
		if result != nil && result.ID == lean.ID {
			r := *result
			r.ID, result = "", &r
		}
		act = &lean
	}
	e := encoder{Encoder: plainjson.NewEncoder()}
	defer e.Close()
	e.head(n)
	member(&e, "round", n.Round)
	member(&e, "call", n.Call)
	member(&e, "tools", n.Tools)
	member(&e, "act", act)
	member(&e, "result", result)
	member(&e, "effect", n.Effect)
	member(&e, "done", n.Done)
	member(&e, "timer", n.Timer)
	member(&e, "ask", n.Ask)
	member(&e, "answer", n.Answer)
	member(&e, "drop", n.Drop)
	member(&e, "secret", n.Secret)
	member(&e, "blob", n.Blob)
	member(&e, "step", n.Step)
	member(&e, "fork", n.Fork)
	member(&e, "change", n.Change)
	member(&e, "snapshot", n.Snapshot)
	member(&e, "start", n.Start)
	member(&e, "cancel", n.Cancel)
	member(&e, "postpone", n.Postpone)
	member(&e, "retry", n.Retry)
	if e.err != nil {
		return nil, e.err
	}
	e.Text().WriteByte('}')
	return bytes.Clone(e.Text().Bytes()), nil
}

type encoder struct {
	*plainjson.Encoder
	err error
}

// head writes what glance reads.
func (e *encoder) head(n *Record) {
	text := e.Text().AvailableBuffer()
	text = append(strconv.AppendInt(append(text, `{"v":`...), int64(n.V), 10), `,"kind":"`...)
	text = append(append(text, n.Kind...), `","at":"`...)
	text, e.err = n.At.AppendText(text)
	e.Text().Write(append(text, '"'))
}

func member[T any](e *encoder, name string, v *T) {
	if v == nil || e.err != nil {
		return
	}
	text := e.Text()
	text.WriteString(`,"`)
	text.WriteString(name)
	text.WriteString(`":`)
	e.err = e.Add(v)
}
