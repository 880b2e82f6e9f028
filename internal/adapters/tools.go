package adapters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// longestName is how long the name of a tool may be, in bytes.
const longestName = 64

// Names are what a provider calls the tools of one request, which must have letters, digits, _ and -. A name that
// fits is the same; another one is written in another way, no two in one.
type Names struct{ sent, read map[string]string }

// NamesOf returns the names of the tools of a request, and of the calls that it shows.
func NamesOf(req *llm.Request) *Names {
	n := &Names{sent: map[string]string{}, read: map[string]string{}}
	each := func(f func(name string)) {
		for _, tool := range req.Tools {
			f(tool.Name)
		}
		for i := range req.Messages {
			for _, call := range req.Messages[i].Calls {
				f(call.Name)
			}
		}
	}
	each(func(name string) {
		if fits(name) {
			n.sent[name], n.read[name] = name, name
		}
	})
	each(func(name string) {
		if n.sent[name] == "" {
			sent := rename(name, n.read)
			n.sent[name], n.read[sent] = sent, name
		}
	})
	return n
}

// Sent returns the name that the provider gets.
func (n *Names) Sent(name string) string { return n.sent[name] }

// Read returns the name of the tool that a model calls. One that it made up stays as it is.
func (n *Names) Read(sent string) string {
	if name, ok := n.read[sent]; ok {
		return name
	}
	return sent
}

func fits(name string) bool { return name != "" && len(name) <= longestName && plain(name) == name }

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if letter || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// rename returns a name that fits and is not taken: as much of it as a person can read, and a hash.
func rename(name string, taken map[string]string) string {
	readable := plain(name)
	sum := sha256.Sum256([]byte(name))
	for {
		mark := "_" + hex.EncodeToString(sum[:6])
		sent := readable[:min(len(readable), longestName-len(mark))] + mark
		if _, ok := taken[sent]; !ok {
			return sent
		}
		sum = sha256.Sum256(sum[:])
	}
}

// Arguments are those of a call as a server wrote them: what is no JSON is a text.
func Arguments(text string) json.RawMessage {
	var out bytes.Buffer
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if json.Compact(&out, []byte(text)) != nil {
		raw, _ := json.Marshal(strings.ToValidUTF8(text, "\ufffd")) //nolint:errchkjson // a string has a JSON form
		return raw
	}
	return out.Bytes()
}

// Object returns arguments that are an object, and {} in the place of others, which no server takes back.
func Object(args json.RawMessage) json.RawMessage {
	if raw := bytes.TrimSpace(args); len(raw) > 0 && raw[0] == '{' && json.Valid(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// WrongTools says what of the tools and the calls of a request no protocol can say, or nothing.
func WrongTools(req *llm.Request) string {
	for _, tool := range req.Tools {
		if tool.Name == "" || !json.Valid(tool.Parameters) {
			return "a tool has no name, or its parameters are not JSON"
		}
	}
	open := map[string]bool{}
	for i := range req.Messages {
		m := &req.Messages[i]
		if m.Role != llm.ToolResult && len(open) > 0 {
			return "a call has no result"
		}
		switch {
		case m.Role == llm.ToolResult && !open[m.CallID]:
			return "a result is of no call before it"
		case m.Role == llm.ToolResult:
			delete(open, m.CallID)
		case m.Role != llm.Assistant && len(m.Calls) > 0:
			return "somebody else than the assistant calls a tool"
		}
		for _, call := range m.Calls {
			if call.ID == "" || open[call.ID] {
				return "a call has no id of its own"
			}
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return "a call has no result"
	}
	return ""
}
