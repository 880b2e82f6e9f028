package round

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/legible"
)

// forms are a secret as it stands in a text whose escapes are undone.
func forms(v string) (list []string) {
	add := func(form string, least int) {
		if len(form) >= least && !slices.Contains(list, form) {
			list = append(list, form)
		}
	}
	all := []string{v, strings.TrimSpace(v)} // a key from a file ends in a line break, which is trimmed
	if inner := strings.Trim(v, `\`); len(inner) >= shortest {
		all = append(all, inner) // what is beside a backslash may make an escape of it
	}
	for _, f := range all {
		add(f, 1)
		query := strings.ReplaceAll(f, " ", "+")
		reads := []string{f, query, legible.Exact(f), legible.Text(f), legible.Exact(legible.Text(f))}
		for i, read := range reads {
			reads[i] = string([]rune(read)) // as JSON has what is no UTF-8
		}
		for _, read := range append(reads, latin1(f), latin1(query)) {
			add(read, 1)
			// What looks like an escape in a secret, or together with what is beside it, is undone, too.
			for _, beside := range [][2]string{{}, {`\`}, {"%"}, {"&"}, {"", `"`}} {
				for _, view := range views(beside[0] + read + beside[1]) {
					if beside == [2]string{} || !strings.Contains(view.text, read) {
						add(view.text, shortest)
					}
				}
			}
		}
		for _, coded := range codings(f) {
			add(coded, shortest)
		}
	}
	return list
}

// latin1 is a text in ISO 8859-1; "" if that does not have all of its letters.
func latin1(text string) string {
	var b []byte
	for _, r := range text {
		if r > 0xff {
			return ""
		}
		b = append(b, byte(r))
	}
	return string(b)
}

// longestCoded is the length up to which a secret is looked for in base64 and in hexadecimal digits.
const longestCoded = 64 << 10

// coded reports whether a secret is looked for in other codings: a short one, such as a PIN, would be found anywhere.
func coded(v string) bool { return shortest <= len(v) && len(v) <= longestCoded }

// codings are a secret in base64, mostly with a user's name before it, and also as a part of JSON.
func codings(v string) (list []string) {
	if !coded(v) {
		return nil
	}
	texts := []string{v, inQuotes(strconv.Quote(v)), inQuotes(strconv.QuoteToASCII(v))}
	if raw, err := json.Marshal(v); err == nil {
		texts = append(texts, inQuotes(string(raw)))
	}
	for _, text := range texts {
		for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			list = append(list, coding.EncodeToString([]byte(text)), coding.WithPadding(base64.NoPadding).EncodeToString([]byte(text)))
			for before := range 3 {
				if part := aligned(coding, text, before); len(part) >= 2*shortest {
					list = append(list, part)
				}
			}
		}
	}
	return list
}

func inQuotes(quoted string) string { return quoted[1 : len(quoted)-1] }

// aligned is v in base64 with something before it, in bytes modulo 3, and after it: the
// letters that nothing but v decides.
func aligned(coding *base64.Encoding, v string, before int) string {
	text := coding.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat(" ", before) + v))
	if (before+len(v))%3 != 0 {
		text = text[:len(text)-1]
	}
	return text[[]int{0, 2, 3}[before]:]
}

// inHex are the hexadecimal digits of a secret.
func inHex(v string) (list []string) {
	for _, f := range []string{v, strings.TrimSpace(v)} {
		if coded(f) {
			list = append(list, hex.EncodeToString([]byte(f)))
		}
	}
	return list
}
