package round

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/legible"
)

// forms are a secret as it stands in a text: as it is, in other codings, as texts are
// escaped, and as these are escaped once more, such as JSON in a quoted error, or a quoted
// title that a person reads.
func forms(v string) []string {
	var list []string
	for _, f := range []string{v, strings.TrimSpace(v)} { // a key from a file ends in a line break, which is trimmed
		list = append(append(list, f), codings(f)...)
	}
	for range 2 {
		for _, f := range list {
			list = append(list, escapes(f)...)
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return slices.DeleteFunc(list, func(f string) bool { return f == "" })
}

// escapes are a text inside JSON, with and without what encoding/json does to < and >,
// inside Go's quotes, both also in ASCII alone, and as a person reads it.
func escapes(v string) []string {
	return []string{
		inJSON(v, true), inJSON(v, false), inASCII(v), inQuotes(strconv.Quote(v)), inQuotes(strconv.QuoteToASCII(v)),
		legible.Exact(v), legible.Text(v),
	}
}

func inQuotes(quoted string) string { return quoted[1 : len(quoted)-1] }

func inJSON(v string, escapeHTML bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if err := enc.Encode(v); err != nil {
		return v
	}
	return inQuotes(strings.TrimSuffix(b.String(), "\n"))
}

// inASCII is a text inside JSON as Python and others write it.
func inASCII(v string) string {
	var b strings.Builder
	for _, r := range inJSON(v, false) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
