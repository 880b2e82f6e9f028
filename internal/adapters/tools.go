package adapters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// longestName is how long the name of a tool may be, in bytes.
const longestName = 64

// named returns a request with names that providers take for tools and calls: letters, digits, _ and -. A name that
// fits is the same. The request is not changed.
func named(req *llm.Request) *llm.Request {
	if len(req.Tools) == 0 {
		return req
	}
	out := *req
	out.Tools, out.Messages = slices.Clone(req.Tools), slices.Clone(req.Messages)
	for i := range out.Tools {
		out.Tools[i].Name = sentName(out.Tools[i].Name)
	}
	for i := range out.Messages {
		m := &out.Messages[i]
		m.Calls = slices.Clone(m.Calls)
		for n := range m.Calls {
			m.Calls[n].Name = sentName(m.Calls[n].Name)
		}
	}
	return &out
}

// unnamed gives the calls of a response the names of the tools of the request. A name that the model made up stays as
// it is.
func unnamed(resp *llm.Response, req *llm.Request) *llm.Response {
	if resp == nil {
		return nil
	}
	for i := range resp.Calls {
		for _, tool := range req.Tools {
			if sentName(tool.Name) == resp.Calls[i].Name {
				resp.Calls[i].Name = tool.Name
			}
		}
	}
	return resp
}

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if letter || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// sentName is a name that fits: another one is as much of it as a person can read, and a hash.
func sentName(name string) string {
	readable := plain(name)
	if name != "" && readable == name && len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	mark := "_" + hex.EncodeToString(sum[:6])
	return readable[:min(len(readable), longestName-len(mark))] + mark
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
