package fsm

import (
	"fmt"
	"strconv"
	"strings"
)

// Cause says who is behind a transition. It is a bit set: an edge may name
// several causes, a step has one.
type Cause uint8

// The causes. A table limits by them who may take an edge; ByFault is never in a table.
const (
	ByModel   Cause = 1 << iota // the model wrote the status
	BySystem                    // code decided
	ByUser                      // a person answered
	ByTimeout                   // nobody answered in time
	ByFault                     // an error or a panic
)

var causeNames = [...]string{"model", "system", "user", "timeout", "fault"}

const knownCauses Cause = 1<<len(causeNames) - 1

// String returns the names of the causes, joined by "|", or "none". Bits that
// have no name follow as a number, such as "model|cause(64)".
func (c Cause) String() string {
	switch c {
	case ByModel:
		return causeNames[0]
	case BySystem:
		return causeNames[1]
	case 0:
		return "none"
	}
	var names []string
	for i, name := range causeNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if rest := c &^ knownCauses; rest != 0 {
		names = append(names, fmt.Sprintf("cause(%d)", uint8(rest)))
	}
	return strings.Join(names, "|")
}

// words says for people who or what causes a transition.
func (c Cause) words() string {
	var list []string
	for i, word := range []string{"its model's word", "the system", "a person", "a timeout", "a fault"} {
		if c&(1<<i) != 0 {
			list = append(list, word)
		}
	}
	return strings.Join(list, " or ")
}

// MarshalText writes the form of [Cause.String], so that JSON shows words.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote; the empty text is no cause. A
// text that it does not understand is an error and changes nothing.
func (c *Cause) UnmarshalText(text []byte) error {
	if s := string(text); s == "none" || s == "" {
		*c = 0
		return nil
	}
	var all Cause
	for word := range strings.SplitSeq(string(text), "|") {
		one, ok := causeOf(word)
		if !ok {
			return fmt.Errorf("fsm: unknown cause %q", clip(word))
		}
		all |= one
	}
	*c = all
	return nil
}

func causeOf(word string) (Cause, bool) {
	for i, name := range causeNames {
		if word == name {
			return 1 << i, true
		}
	}
	number, opens := strings.CutPrefix(word, "cause(")
	number, closes := strings.CutSuffix(number, ")")
	if !opens || !closes {
		return 0, false
	}
	n, err := strconv.ParseUint(number, 10, 8)
	c := Cause(n)
	return c, err == nil && c != 0 && c&knownCauses == 0
}
