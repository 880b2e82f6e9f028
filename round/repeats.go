package round

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash/maphash"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
)

// repeats counts how often in a row an agent did the same on the same
// observation.
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

var seed = maphash.MakeSeed()

// deed is the mark of one command, made outside of every lock.
type deed struct {
	looks bool
	mark  uint64
}

func deedOf(cmd desktop.Command, result desktop.Result, err error) deed {
	var h maphash.Hash
	h.SetSeed(seed)
	if !cmd.Looks {
		h.WriteString(commandKey(cmd))
		return deed{mark: h.Sum64()}
	}
	write := func(text string) {
		h.WriteString(text)
		h.WriteByte(0)
	}
	write(cmd.ToolName)
	write(string(result.Status))
	write(result.Error)
	for _, c := range result.Content {
		write(c.Text)
		write(string(c.JSON))
		if c.Image != nil {
			h.Write(c.Image.Data)
		}
	}
	if err != nil {
		write(err.Error())
	}
	return deed{looks: true, mark: h.Sum64()}
}

// lastingDeed is deedOf with a mark that other processes make, too.
func lastingDeed(cmd desktop.Command, result desktop.Result, err error) deed {
	mark := func(parts ...any) uint64 {
		raw, err := json.Marshal(parts)
		if err != nil {
			raw = []byte(cmd.ToolName) // content is checked: only arguments can have no JSON form
		}
		sum := sha256.Sum256(raw)
		return binary.BigEndian.Uint64(sum[:])
	}
	if !cmd.Looks {
		return deed{mark: mark(calls.Key(cmd))}
	}
	what := []any{cmd.ToolName, result.Status, result.Error}
	for _, c := range result.Content {
		what = append(what, c)
	}
	if err != nil {
		what = append(what, textOf(err))
	}
	return deed{looks: true, mark: mark(what...)}
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
	key, err := json.Marshal([]any{cmd.ToolName, cmd.Parameters})
	if err != nil {
		return ""
	}
	return string(key)
}
