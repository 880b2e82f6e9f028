package round

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
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

// longestCoded is the length up to which a secret is looked for in other codings.
const longestCoded = 64 << 10

// codings are a secret as programs write it into addresses, headers and pages: the
// error of an HTTP client has it in a query, a server's answer in base64, mostly with
// a user's name before it.
func codings(v string) []string {
	if len(v) < shortest || len(v) > longestCoded {
		return nil // of a short one, such as a PIN, they would be found anywhere
	}
	query := url.QueryEscape(v)
	spaces := strings.ReplaceAll(query, "+", "%20")
	list := []string{
		query, spaces, url.PathEscape(v), url.User(v).String(), (&url.URL{Path: v}).EscapedPath(),
		unreserved.Replace(spaces), // as browsers do
		html.EscapeString(v), hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))),
	}
	for _, escaped := range list[:6] {
		list = append(list, lowerHex(escaped))
	}
	for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		list = append(list, coding.EncodeToString([]byte(v)), coding.WithPadding(base64.NoPadding).EncodeToString([]byte(v)))
		for before := range 3 {
			if part := aligned(coding, v, before); len(part) >= 2*shortest {
				list = append(list, part)
			}
		}
	}
	return list
}

// unreserved are what encodeURIComponent leaves as it is.
var unreserved = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// aligned is v in base64 with something before it, in bytes modulo 3, and after it: the
// letters that nothing but v decides.
func aligned(coding *base64.Encoding, v string, before int) string {
	text := coding.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat(" ", before) + v))
	if (before+len(v))%3 != 0 {
		text = text[:len(text)-1]
	}
	return text[[]int{0, 2, 3}[before]:]
}

// lowerHex writes the hexadecimal digits of escapes small.
func lowerHex(escaped string) string {
	b := []byte(escaped)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
