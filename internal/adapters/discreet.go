package adapters

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/llm"
)

// quoted is how many bytes of a message must be in a request, too, to be taken for
// a quotation of it. A shorter text of a request must be there as a whole.
const quoted, quotedWhole = 20, 8

// longestWord is how long the code of an error is, in bytes.
const longestWord = 100

// Public is what of a server's words may be shown, behind the word that the protocol has
// for the failure: neither the key nor what it quotes of the request.
func (f *Failure) Public(word, key string, req *llm.Request) string {
	message := f.Message
	if key != "" { // first, so that no part of it is left where the message is cut
		message, word = strings.ReplaceAll(message, key, "***"), strings.ReplaceAll(word, key, "***")
	}
	switch {
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		message = http.StatusText(f.Status) // some servers repeat the key, or a part of it
	case len(message) > 4*clip.Message: // no more of it is ever shown
		message = strings.ToValidUTF8(message[:4*clip.Message], "")
	}
	if quotes(message, req) {
		message = "(it quotes the request)"
	}
	message = legible.Exact(strings.Join(strings.Fields(message), " "))
	if len(word) > longestWord || quotes(word, req) {
		word = "" // it is none
	}
	switch {
	case message == "":
		return cmp.Or(word, http.StatusText(f.Status)) // not a page of HTML
	case word != "":
		return word + ": " + message
	}
	return message
}

// encoded is what an image looks like in a message. No word is that long.
var encoded = regexp.MustCompile(`;base64,|[A-Za-z0-9+/]{64}`)

// quotes reports whether a message has a piece of the request's texts or images.
func quotes(message string, req *llm.Request) bool {
	if encoded.MatchString(message) {
		return true
	}
	for _, said := range req.Messages {
		for _, part := range said.Parts {
			if quotesText(message, part.Text) {
				return true
			}
		}
		for _, call := range said.Calls {
			if quotesText(message, string(call.Args)) {
				return true
			}
		}
	}
	return false
}

func quotesText(message, text string) bool {
	if len(text) < quoted {
		return len(text) >= quotedWhole && strings.Contains(message, text)
	}
	for i := 0; i+quoted <= len(message); i++ {
		if strings.Contains(text, message[i:i+quoted]) {
			return true
		}
	}
	return false
}
