package round

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
)

// repeats counts how often in a row an agent did the same on the same observation.
type repeats struct {
	last int                // of the last step that acted
	seen map[string]*repeat // by the agent's name

	acted bool
	did   uint64 // the actions of this step, in order
	// What looks returned, each result once: neither the order matters nor how
	// often the same was seen, as by an agent that polls until a window is there.
	saw map[uint64]bool
}

type repeat struct {
	mark  uint64
	times int
}

// deed is the mark of one command, made outside of every lock.
type deed struct {
	looks bool
	mark  uint64
}

// deedOf returns the mark of a command, which other processes make, too.
func deedOf(cmd desktop.Command, result desktop.Result, err error) deed {
	h := sha256.New()
	var line []byte
	field := func(text string) { // behind its length, so that no two lists are written alike
		line = append(strconv.AppendInt(line[:0], int64(len(text)), 10), ' ')
		line = append(append(line, text...), '\n')
		h.Write(line)
	}
	if !cmd.Looks {
		if key := calls.Key(cmd); key != "" {
			field(key)
		} else {
			field(cmd.ToolName) // content is checked: only arguments can have no JSON form
		}
	} else {
		field(cmd.ToolName)
		field(string(result.Status))
		field(asRecorded(result.Error))
		for _, c := range result.Content {
			field(asRecorded(c.Text))
			field(strconv.Itoa(len(c.JSON))) // compact, as desktop.Execute has it and as it is recorded
			h.Write(c.JSON)
			if c.Image != nil {
				field(string(c.Image.Data))
			}
		}
		if err != nil {
			field(asRecorded(textOf(err)))
		}
	}
	return deed{looks: cmd.Looks, mark: binary.BigEndian.Uint64(h.Sum(nil))}
}

// asRecorded returns a text as JSON gives it back: with U+FFFD for each byte that is no UTF-8.
func asRecorded(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

func (r *repeats) begin() {
	r.acted, r.did = false, 0
	clear(r.saw)
}

func (r *repeats) add(d deed) {
	if d.looks {
		if r.saw == nil {
			r.saw = map[uint64]bool{}
		}
		r.saw[d.mark] = true
		return
	}
	r.acted = true
	r.did = r.did*31 + d.mark
}

// end closes a step of agent. One that led elsewhere got the agent further.
func (r *repeats) end(agent string, stayed bool) {
	if !r.acted {
		return
	}
	if r.seen == nil {
		r.seen = map[string]*repeat{}
	}
	this := r.seen[agent]
	if this == nil {
		this = &repeat{}
		r.seen[agent] = this
	}
	mark := r.did * 31
	for seen := range r.saw {
		mark += seen
	}
	if mark != this.mark || !stayed {
		this.mark, this.times = mark, 0
	}
	if stayed {
		this.times++
	}
	r.last = this.times
}

// commandKey is the same for the same tool and arguments.
func commandKey(cmd desktop.Command) string {
	cmd.Origin = ""
	return calls.Key(cmd)
}
