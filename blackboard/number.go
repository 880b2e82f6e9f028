package blackboard

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// PutNew sets a new value from JSON under the name prefix_N and returns that
// name. N counts from 1 for each prefix, also through a store and a load; no
// number is given twice, not even that of a value that was deleted, and names
// that are taken are passed over. So whoever holds a name finds what it put
// there, or nothing. The errors are those of [Board.PutRaw]; then no number is
// used up.
func (b *Board) PutNew(prefix string, raw json.RawMessage) (name string, err error) {
	value, err := normal(raw)
	if err != nil {
		return "", &opError{"put", prefix, err}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.numbered[prefix]
	for taken := true; taken; {
		n++
		name = numberedName(prefix, n)
		_, taken = b.values[name]
	}
	if err := b.doPutNew(prefix, n, value); err != nil {
		return "", err
	}
	return name, nil
}

func (b *Board) doPutNew(prefix string, n int, value json.RawMessage) error {
	name := numberedName(prefix, n)
	err := checkName(name)
	_, taken := b.values[name]
	switch {
	case err != nil:
	case prefix == "":
		err = fmt.Errorf("%w: empty name", ErrInvalid)
	case taken || n <= b.numbered[prefix]:
		err = errExists
	default:
		err = b.room(len(name) + len(value))
	}
	if err != nil {
		return &opError{"put", name, err}
	}
	b.set(name, entry{raw: value}, len(name)+len(value))
	b.count(prefix, n)
	b.log.add(&boarddata.Op{Kind: boarddata.OpPutNew, Name: prefix, N: n, Value: value})
	return nil
}

// count notes that the numbers up to n are used.
func (c *contents) count(prefix string, n int) {
	if c.numbered == nil {
		c.numbered = make(map[string]int)
	}
	c.numbered[prefix] = max(n, c.numbered[prefix])
}

func numberedName(prefix string, n int) string { return prefix + "_" + strconv.Itoa(n) }
