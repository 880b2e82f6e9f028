package mcpserver

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// message is what the person at the client reads. What the question itself has of
// strangers was made legible by package people.
func message(q people.Question) string {
	if q.Agent == "" {
		return q.Text
	}
	return speaker(q.Agent) + ": " + q.Text
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
