package mcpserver

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// message is what the person at the client reads. What the question itself has of
// strangers was made legible by package people.
func message(q people.Question) string {
	text := withoutSecrets(q)
	if q.Agent != "" {
		text = speaker(q.Agent) + ": " + text
	}
	return text
}

// speaker is who asks. In a name may be that of a document, which could go on like a
// question: then it is in quotes.
func speaker(agent string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./ ", r)
	}
	shown := name(agent)
	if strings.ContainsFunc(shown, func(r rune) bool { return !plain(r) }) {
		shown = strconv.Quote(shown)
	}
	return legible.Exact(shown)
}

// says is where a question for an approval has the words of the agent: they are last,
// in quotes.
const says = ` The agent says: "`

// withoutSecrets is the text of a question. Its command is shown without secrets; an
// agent whose words have one of them is not quoted. The command stays as it is: what
// is found in it besides must be read.
func withoutSecrets(q people.Question) string {
	if q.Command == nil || q.Shown == nil || q.Comment == "" {
		return q.Text
	}
	at := strings.LastIndex(q.Text[:len(q.Text)-1], says) // in the words themselves, quotes are escaped
	if at < 0 || !quotes(q.Comment, plain(q.Command.Parameters), plain(q.Shown.Parameters)) {
		return q.Text
	}
	return q.Text[:at] + " What the agent says has a secret in it."
}

// quotes reports whether a text has a value that is not shown.
func quotes(text string, v, shown any) bool {
	switch v := v.(type) {
	case map[string]any:
		of, _ := shown.(map[string]any)
		for key, value := range v {
			if quotes(text, value, of[key]) {
				return true
			}
		}
	case []any:
		of, _ := shown.([]any)
		for i, value := range v {
			var s any
			if i < len(of) {
				s = of[i]
			}
			if quotes(text, value, s) {
				return true
			}
		}
	case string:
		return v != "" && v != shown && strings.Contains(text, legible.Exact(v))
	case json.Number:
		return v != shown && strings.Contains(text, v.String())
	}
	return false
}

// plain is a value as JSON has it, nil if it has none.
func plain(v any) (out any) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if decoder.Decode(&out) != nil {
		return nil
	}
	return out
}
