package llm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
)

// linked is a type in which a reply may nest as deeply as JSON may.
type linked struct {
	Name string            `json:"name"`
	Next *linked           `json:"next"`
	All  map[string]linked `json:"all"`
	Many [][]int           `json:"many"`
}

// planner is a type with a list that may be of texts or of objects.
type planner struct {
	Plan   []errand `json:"Plan,omitzero"`
	Status string   `json:"Status"`
}

// hostileReplies are replies of about a size on which a careless decoder takes
// quadratic time or memory. The reader of the text has a test of its own, which
// counts what it looks at.
func hostileReplies(size int) map[string]string {
	list := map[string]string{}
	for _, unit := range []string{
		`{`, `"`, `[`, `}`, `\`, `{"Args":`, `{"Actions":[`, `{'Args':'`, `{"Args":"{\"Args\":`, `[{`, "```", "~~~\n", `{"Status":"x"}`, `{"a":1} `,
		`{/*`, `<think>`, `</think>`, `{"Status`, "\x00",
	} {
		list[unit] = strings.Repeat(unit, size/len(unit))
	}
	for _, unit := range []string{
		`"Status":"x",`, `"status":"x","Status_":"x",`, `"Plan":[],`, `"Args":"{}",`, `"S-t-a-t-u-s":"x",`, `"_____":1,`, `/**/`, `"control":1,"Target_Id":"1",`,
		`"Plan":"[\"a\"]",`, `"Status":'x',`,
	} {
		list["object of "+unit] = "{" + strings.Repeat(unit, size/len(unit)) + "}"
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `"Name_%d":%d,`, i, i)
	}
	list["unknown names"] = "{" + b.String() + "}"
	deep := strings.Repeat(`{"---next-----------------------------------------------------":`, 120)
	list["deep and wide"] = deep + "{" + strings.Repeat(`"name":"a",`, size/11) + "}" + strings.Repeat("}", 120)
	// Long lists whose elements may be texts or objects, and a Status that nothing fits.
	for name, element := range map[string]string{"texts": `"a",`, "objects": `{"id":"a"},`, "numbers": `1,`, "nulls": `null,`, "objects in texts": `"{\"id\":\"a\"}",`} {
		elements := strings.TrimSuffix(strings.Repeat(element, size/len(element)), ",")
		list["list of "+name] = `{"Plan":[` + elements + `],"Status":{}}`
		quoted, err := json.Marshal("[" + elements + "]")
		if err != nil {
			panic(err) // a string always has a JSON form
		}
		list["text of "+name] = `{"Plan":` + string(quoted) + `,"Status":{}}`
	}
	list["long name"] = `{"` + strings.Repeat("x", size) + `":1}`
	return list
}

// What decoding allocates grows as the reply does, in number and in bytes. A
// quadratic decoder would take sixteen times as much for four times the reply.
func TestDecodeAllocatesAsTheReplyGrows(t *testing.T) {
	const size = 1 << 13
	long := hostileReplies(4 * size)
	replies := hostileReplies(size)
	for i, name := range slices.Sorted(maps.Keys(replies)) {
		if i%sample.Every(10) != 0 {
			continue
		}
		short := replies[name]
		for typ, decode := range map[string]func(string){
			"decision": func(text string) { _, _, _ = llm.Decode[decision](text) },
			"linked":   func(text string) { _, _, _ = llm.Decode[linked](text) },
			"planner":  func(text string) { _, _, _ = llm.Decode[planner](text) },
		} {
			less, lessBytes := allocated(func() { decode(short) })
			more, moreBytes := allocated(func() { decode(long[name]) })
			assert.LessOrEqual(t, more, 5*less+100, "allocations for %s of %s", typ, name)
			assert.LessOrEqual(t, moreBytes, 6*lessBytes+1<<16, "bytes for %s of %s", typ, name)
		}
	}
}

// allocated is what f allocates: the least of some runs, since the runtime
// allocates too.
func allocated(f func()) (count, size uint64) {
	for i := range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		n, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
		if i == 0 || n < count {
			count = n
		}
		if i == 0 || bytes < size {
			size = bytes
		}
	}
	return count, size
}

// A megabyte of each shape (in the short form 64 KiB) comes back, with one error or with
// what it says, and with a report that is short however long the reply.
func TestDecodeOfHostileReplies(t *testing.T) {
	for name, reply := range hostileReplies(sample.Of(1<<20, 1<<15)) {
		got, repairs, err := llm.Decode[decision](reply)
		assert.LessOrEqual(t, len(repairs), 10, name)
		if err != nil {
			require.ErrorAs(t, err, new(*llm.DecodeError), name)
			assert.Less(t, len(err.Error()), 1000, name)
			assert.Zero(t, got, name)
		}
	}
	for _, name := range []string{`object of "Status":"x",`, `object of "Args":"{}",`, `object of "S-t-a-t-u-s":"x",`, `{"Status":"x"}`} {
		_, _, err := llm.Decode[decision](hostileReplies(1 << 12)[name])
		require.NoError(t, err, "the same thing over and over is one: %s", name)
	}
	deep := `{"Status":"x","Args":` + strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000) + "}"
	_, _, err := llm.Decode[decision](deep)
	require.ErrorContains(t, err, "nested more than")
}
