package anthropic

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// quoted is how many bytes of a message must be in a request, too, to be taken for
// a quotation of it. A shorter text of a request must be there as a whole.
const quoted, quotedWhole = 20, 8

// publicMessage is what of a server's words may be shown: neither the key nor
// what it quotes of the request.
func (m *messagesModel) publicMessage(f *failure, req *llm.Request) string {
	words := f.kind
	if words == "" {
		words = f.code
	}
	message := f.message
	if m.key != "" { // first, so that no part of it is left where the message is cut
		message, words = strings.ReplaceAll(message, m.key, "***"), strings.ReplaceAll(words, m.key, "***")
	}
	switch {
	case f.status == http.StatusUnauthorized || f.status == http.StatusForbidden:
		message = http.StatusText(f.status) // some servers repeat the key, or a part of it
	case len(message) > 4*llm.MaxMessage: // no more of it is ever shown
		message = strings.ToValidUTF8(message[:4*llm.MaxMessage], "")
	}
	if quotes(message, req) {
		message = "(it quotes the request)"
	}
	switch {
	case message == "" && words == "":
		message = http.StatusText(f.status) // not a page of HTML
	case message == "":
		message = words
	case words != "":
		message = words + ": " + message
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
			if len(part.Text) < quoted {
				if len(part.Text) >= quotedWhole && strings.Contains(message, part.Text) {
					return true
				}
				continue
			}
			for i := 0; i+quoted <= len(message); i++ {
				if strings.Contains(part.Text, message[i:i+quoted]) {
					return true
				}
			}
		}
	}
	return false
}
