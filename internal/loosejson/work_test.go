package loosejson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// hostile returns texts of about a size on which a reader that tries again at
// every brace, quote, fence or comment takes quadratic time: hours, not
// milliseconds.
func hostile(size int) map[string]string {
	texts := make(map[string]string)
	for _, unit := range []string{
		`{`, `"`, `[`, `}`, `'`, `{"`, `{'`, `["`, `{/*`, `{//`, `[#`, `{"a":`, `{"a":[`, `{a:'`, `[{`, `[1 `, `{"a":1}`, `{} `, `\`, `{"\"`,
		`“`, `{“`, `{‘`, `{"{'`, `["[`, `[[],`, `[{},`, `<`, `<think>`, `</think>`, `<think></think>`, `[THINK]`, "```", "```json\n", "~~~\n", "`",
		`{"a":"{\"a\":`, "{\u200b", "\ufeff", "{\ufeff", `{a`, `{é`, `{"a"：`, `{"a":1,`, "{x}", "{{", `{"a":-`, `\u`, `{"\ud83d`, "\x00", "\xff",
	} {
		texts[unit] = strings.Repeat(unit, size/len(unit))
	}
	texts["one long string"] = `{"a":"` + strings.Repeat(`\"`, size/2)
	texts["long equal values"] = `{"a":[` + strings.Repeat("1,", size/4) + `],"a":[` + strings.Repeat("1,", size/4) + "]}"
	texts["one long value, many short"] = `{"a":[` + strings.Repeat("1,", size/4) + `]` + strings.Repeat(`,"b":[1,2]`, size/20) + "}"
	for name, unit := range map[string]string{
		"same name": `"a":1,`, "comments": "/**/", "lines of comments": "#\n", "names": `"%d":1,`, "bare names": "n%d:1,", "escapes": `"\u00e9%d":1,`,
		"spaces": "\u00a0", "lists": `"%d":[[],],`, "objects": `"%d":{'a':True},`,
	} {
		var b strings.Builder
		b.WriteString("{")
		for i := 0; b.Len() < size; i++ {
			if strings.Contains(unit, "%d") {
				fmt.Fprintf(&b, unit, i)
			} else {
				b.WriteString(unit)
			}
		}
		texts[name] = b.String()
		texts[name+", closed"] = b.String() + "}"
		texts[name+", twice"] = strings.Repeat(b.String()[:b.Len()/2]+"}", 2)
	}
	return texts
}

// mostWork is how much the reader may look at for each byte: a few passes, and
// a short list of names before it keeps an index.
const mostWork = 16

// The work is counted, not timed: it is bounded by the length of the text, and a
// text that is four times as long takes four times the work.
func TestWorkGrowsAsTheTextDoes(t *testing.T) {
	const size = 1 << 14
	long := hostile(4 * size)
	for name, short := range hostile(size) {
		for reader, measure := range map[string]func(string) (int, error){"Find": loosejson.FindWork, "Parse": loosejson.ParseWork} {
			less, _ := measure(short)
			more, _ := measure(long[name])
			assert.LessOrEqual(t, more, mostWork*len(long[name]), "%s of %s", reader, name)
			assert.LessOrEqual(t, more, 5*less+mostWork*64, "%s of %s", reader, name)
		}
	}
}
