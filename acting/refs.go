package acting

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// maxResolved is how many bytes of JSON one [Resolve] puts in, for all references
// together: a reply of a few bytes must not become a command of gigabytes.
const maxResolved = 16 << 20

// refError says why a reference leads nowhere. Its reader is the model, so the name stands in it once.
type refError struct {
	ref string
	err error
}

func (e *refError) Error() string {
	reason := e.err.Error()
	if inner := errors.Unwrap(e.err); inner != nil { // without the operation of the blackboard
		reason = strings.TrimPrefix(inner.Error(), blackboard.ErrNotFound.Error()+": ")
	}
	if errors.Is(e.err, blackboard.ErrNotFound) {
		reason += ": copy a $ref that you were shown, or write the value itself"
	}
	return fmt.Sprintf("acting: $ref %q: %s", e.ref, reason)
}

func (e *refError) Unwrap() error { return e.err }

func badRef(ref string, err error) error { return &refError{ref, err} }

// Resolve returns args with every {"$ref": "subtask_result_1.data"} replaced
// by what the blackboard has at that path, so that a large result travels
// whole though a prompt shows only its head. args is not changed. What was
// put in is data: references inside it are not resolved. Numbers in it keep
// their digits, as json.Number. A reference may also be written as a prompt
// shows a long value, with its bytes, items and head. A path that leads nowhere
// is an error, and so is every path when board is nil, and the one with which all of
// them together would be more than 16 MiB.
func Resolve(board *blackboard.Board, args map[string]any) (map[string]any, error) {
	return (&resolver{board, maxResolved}).object(args)
}

// resolver is one call of Resolve.
type resolver struct {
	board *blackboard.Board
	left  int // bytes that may still be put in
}

func (r *resolver) object(args map[string]any) (map[string]any, error) {
	resolved := make(map[string]any, len(args))
	for k, v := range args {
		r, err := r.value(v)
		if err != nil {
			return nil, err
		}
		resolved[k] = r
	}
	return resolved, nil
}

// ResolveJSON is [Resolve] for any JSON value.
func ResolveJSON(board *blackboard.Board, raw json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(raw, []byte(`$ref`)) {
		return raw, nil
	}
	v, err := plainjson.Decode(raw)
	if err != nil {
		return nil, err
	}
	if v, err = (&resolver{board, maxResolved}).value(v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func (r *resolver) value(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && isReference(v) {
			return r.reference(ref)
		}
		return r.object(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = r.value(v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return v, nil
}

func (r *resolver) reference(ref string) (any, error) {
	if r.board == nil {
		return nil, badRef(ref, blackboard.ErrNotFound)
	}
	raw, err := r.board.Lookup(ref)
	if err != nil {
		return nil, badRef(ref, err)
	}
	if len(raw) > r.left {
		return nil, badRef(ref, fmt.Errorf("all references together stand for more than %d bytes", maxResolved))
	}
	r.left -= len(raw)
	return plainjson.Decode(raw)
}

// isReference reports whether an object is a reference and nothing else. A
// model that copies an excerpt means the whole: the head would pass for it.
func isReference(v map[string]any) bool {
	for name := range v {
		switch name {
		case "$ref", "bytes", "items", "head", "tail":
		default:
			return false
		}
	}
	_, excerpt := v["bytes"]
	return excerpt || len(v) == 1
}
