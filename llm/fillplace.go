package llm

import (
	"strconv"

	"github.com/agentfsm/agentfsm/internal/clip"
)

// place is where in a reply a value stands. It becomes a text only when
// somebody asks for it.
type place struct {
	up    *place
	name  string // of a member
	index int    // of an element; -1: a member
	log   *log   // nil: nobody wants to know what was repaired
}

func (at *place) member(name string) place { return place{at, name, -1, at.log} }
func (at *place) element(i int) place      { return place{at, "", i, at.log} }

func (at *place) note(kind string) { at.log.note(kind, 1, at) }

// String is the path in the reply's own words, such as Actions[1].args.
func (at *place) String() string { return string(at.append(nil)) }

// append copies, so that a place may stay on the stack.
func (at *place) append(path []byte) []byte {
	if at.up == nil {
		return path
	}
	path = at.up.append(path)
	if at.index >= 0 {
		return append(strconv.AppendInt(append(path, '['), int64(at.index), 10), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, shown(at.name)...)
}

// shown leaves out a name that is too long, which may be of any length. No part of it
// is shown: in half a name nobody would find a secret.
func shown(name string) string {
	const limit = 64
	return clip.Name(name, limit)
}
