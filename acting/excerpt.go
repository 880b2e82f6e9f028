package acting

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// head returns raw itself, or a note with its first bytes, where the whole is
// and, if it could not be kept, why.
func head(raw json.RawMessage, ref string, lost error) json.RawMessage {
	if len(raw) <= MaxOutput {
		return raw
	}
	text := strings.ToValidUTF8(string(raw[:MaxOutput/2]), "") // may end in half a letter
	note := map[string]any{"head": text, "bytes": len(raw)}
	if ref != "" {
		note["$ref"] = ref
	}
	if lost != nil {
		note["not_kept"] = clip.Text(lost.Error(), MaxOutput/4)
	}
	short, err := plainjson.Encode(note)
	if err != nil {
		return nil
	}
	return short
}

// clipDecision shortens the texts of a decision, names of members included. All
// else stays as it is, byte for byte.
func clipDecision(raw json.RawMessage) json.RawMessage {
	if len(raw) <= MaxOutput || !json.Valid(raw) {
		return raw
	}
	out := make(json.RawMessage, 0, MaxOutput+MaxOutput/4) // one long text, as mostly
	for rest := raw; len(rest) > 0; {
		n := 1
		if rest[0] == '"' {
			n = quoted(rest)
		}
		if n <= MaxOutput {
			out = append(out, rest[:n]...)
		} else {
			out = appendClipped(out, rest[:n])
		}
		rest = rest[n:]
	}
	if len(out) > promptsize.Decision {
		return head(out, "", nil)
	}
	return out
}

// appendClipped appends the beginning of a long string of valid JSON.
func appendClipped(out, quoted []byte) []byte {
	if text := quoted[1 : len(quoted)-1]; plainText(text) { // as mostly
		end := MaxOutput
		for !utf8.RuneStart(text[end]) { // half a letter
			end--
		}
		out = append(append(out, '"'), text[:end]...)
		return append(append(out, clip.Mark(len(text), "")...), '"')
	}
	var text string
	_ = json.Unmarshal(quoted, &text)
	return append(out, quote(clip.Text(text, MaxOutput))...)
}

// plainText reports whether what stands between quotes stands for itself.
func plainText(text []byte) bool {
	return utf8.Valid(text) && len(text) > MaxOutput && !bytes.ContainsRune(text, '\\') && !bytes.ContainsRune(text, '\u2028') && !bytes.ContainsRune(text, '\u2029')
}

// quoted returns the length of the JSON string that raw begins with.
func quoted(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
