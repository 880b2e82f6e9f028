package blackboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth bounds how deep arrays and objects nest. It is far below the 10,000
// levels at which encoding/json gives up, so that a board, which wraps values
// in a few levels of its own, can always be read back.
const maxDepth = 1000

var errDepth = errors.New("more than 1000 levels")

// normal returns a copy of raw in the form in which values are kept: valid
// JSON in UTF-8, no white space between tokens, and of the characters that
// encoding/json may or may not escape (<, >, &, U+2028, U+2029) the first three
// bare and the others escaped. Two texts that differ only in what json.Marshal
// makes of a RawMessage are therefore the same, byte for byte. Digits of
// numbers, order of members and all other escapes stay as they are.
func normal(raw []byte) (json.RawMessage, error) {
	if !json.Valid(raw) {
		var v json.RawMessage
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, json.Unmarshal(raw, &v))
	}
	return normalValid(raw)
}

// normalValid is normal for what is known to be valid JSON, save that strings
// may hold bytes that are not UTF-8.
func normalValid(raw []byte) (json.RawMessage, error) {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	out := make([]byte, 0, len(raw))
	depth := 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '"':
			end := skipString(raw, i)
			out = appendString(out, raw[i:end])
			i = end
			continue
		case '{', '[':
			if depth++; depth > maxDepth {
				return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, errDepth)
			}
		case '}', ']':
			depth--
		}
		out = append(out, raw[i])
		i++
	}
	return out, nil
}

// appendString appends a JSON string, quotes included, in normal form.
func appendString(out, s []byte) []byte {
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '\\':
			n = 2
			if s[i+1] == 'u' {
				n = 6
				if c := bareEscape(s[i+2 : i+6]); c != 0 {
					out = append(out, c)
					i += n
					continue
				}
			}
		case 0xE2: // U+2028 is E2 80 A8, U+2029 is E2 80 A9
			n = 3
			if s[i+1] == 0x80 && s[i+2]&^1 == 0xA8 {
				out = append(out, `\u202`...)
				out = append(out, '8'+s[i+2]&1)
				i += n
				continue
			}
		}
		out = append(out, s[i:i+n]...)
		i += n
	}
	return out
}

// bareEscape returns the character that the four hex digits stand for when it
// is one that is kept bare, else 0.
func bareEscape(hex []byte) byte {
	if hex[0] != '0' || hex[1] != '0' {
		return 0
	}
	switch {
	case hex[2] == '3' && hex[3]|0x20 == 'c':
		return '<'
	case hex[2] == '3' && hex[3]|0x20 == 'e':
		return '>'
	case hex[2] == '2' && hex[3] == '6':
		return '&'
	}
	return 0
}

// appendQuoted appends s, which is valid UTF-8, as a JSON string in normal form.
func appendQuoted(out []byte, s string) []byte {
	if plain(s) { // as mostly
		return append(append(append(out, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always has a JSON form, and a Buffer takes it
	return append(out, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// plain reports whether a text stands in JSON as it is: printable ASCII that nothing escapes.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
