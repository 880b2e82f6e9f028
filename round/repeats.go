package round

import (
	"encoding/binary"
	"encoding/json"
	"hash/maphash"
	"strconv"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/digest"
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
	write := func(text string) {
		h.WriteString(text)
		h.WriteByte(0)
	}
	write(cmd.ToolName)
	if !cmd.Looks {
		hashValue(&h, cmd.Parameters, 0)
		return deed{mark: h.Sum64()}
	}
	write(string(result.Status))
	write(result.Error)
	for _, c := range result.Content {
		write(c.Text)
		h.Write(c.JSON)
		h.WriteByte(0)
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
	d := digest.New()
	if !cmd.Looks {
		if key := calls.Key(cmd); key != "" {
			d.Field(key)
		} else {
			d.Field(cmd.ToolName) // content is checked: only arguments can have no JSON form
		}
	} else {
		d.Field(cmd.ToolName)
		d.Field(string(result.Status))
		d.Field(asRecorded(result.Error))
		for _, c := range result.Content {
			d.Field(asRecorded(c.Text))
			d.JSON(c.JSON)
			if c.Image != nil {
				d.Bytes(c.Image.Data)
			}
		}
		if err != nil {
			d.Field(asRecorded(textOf(err)))
		}
	}
	sum := d.Sum()
	return deed{looks: cmd.Looks, mark: binary.BigEndian.Uint64(sum[:])}
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
	key, err := json.Marshal([]any{cmd.ToolName, cmd.Parameters})
	if err != nil {
		return ""
	}
	return string(key)
}

// hashValue adds an argument to a hash, as its JSON would: members have no order, and 1 is 1
// whatever type it has.
func hashValue(h *maphash.Hash, v any, depth int) {
	const deepest = 500 // what is deeper may hold itself
	if depth > deepest {
		return
	}
	switch v := v.(type) {
	case string:
		hashText(h, 's', v)
	case float64:
		var digits [32]byte
		hashText(h, 'n', string(strconv.AppendFloat(digits[:0], v, 'g', -1, 64)))
	case json.Number:
		hashText(h, 'n', string(v))
	case []any:
		hashSize(h, '[', uint64(len(v)))
		for i := range v {
			hashValue(h, v[i], depth+1)
		}
	case map[string]any:
		var sum uint64
		for name, item := range v {
			sum += memberHash(name, item, depth)
		}
		hashSize(h, '{', sum)
	default: // true, null, and other types of Go
		raw, _ := json.Marshal(v)
		_, _ = h.Write(raw)
	}
}

func memberHash(name string, v any, depth int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	hashText(&h, 's', name)
	hashValue(&h, v, depth+1)
	return h.Sum64()
}

func hashText(h *maphash.Hash, kind byte, text string) {
	hashSize(h, kind, uint64(len(text)))
	_, _ = h.WriteString(text) // a Hash has no errors
}

func hashSize(h *maphash.Hash, kind byte, n uint64) {
	var b [9]byte
	b[0] = kind
	binary.LittleEndian.PutUint64(b[1:], n)
	_, _ = h.Write(b[:])
}
