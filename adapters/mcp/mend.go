package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mend makes an answer readable of which the SDK would refuse the whole for one part: the part is
// described in its place, or logged and left out. An answer is known by the names of its fields.
func mend(log *slog.Logger, msg jsonrpc.Message) (changed bool) {
	res, ok := msg.(*jsonrpc.Response)
	if !ok || res.Error != nil {
		return false
	}
	var fields map[string]json.RawMessage
	mended := json.RawMessage(unreadable)
	if json.Unmarshal(res.Result, &fields) == nil && fields != nil {
		switch {
		case fields["content"] != nil || fields["structuredContent"] != nil || fields["isError"] != nil:
			mended = mendResult(res.Result, fields)
		case fields["tools"] != nil:
			mended = mendList(log, res.Result, fields)
		default:
			return false
		}
	}
	changed = !bytes.Equal(res.Result, mended)
	res.Result = mended
	return changed
}

// mendText mends the JSON of a message.
func mendText(log *slog.Logger, raw []byte) (mended []byte, changed bool) {
	msg, err := jsonrpc.DecodeMessage(bytes.TrimSpace(raw))
	if err != nil || !mend(log, msg) {
		return nil, false
	}
	mended, err = jsonrpc.EncodeMessage(msg)
	return mended, err == nil
}

// unreadable marks an answer that cannot be read. The SDK can.
const unreadable = `{"content": [], "tools": [], "_meta": {"agentfsm/unread": true}}`

func isUnread(meta sdk.Meta) bool { return meta["agentfsm/unread"] == true }

// mendList returns a list of tools without those that cannot be read.
func mendList(log *slog.Logger, raw json.RawMessage, fields map[string]json.RawMessage) json.RawMessage {
	var tools, kept []json.RawMessage
	switch {
	case reads[sdk.ListToolsResult](raw):
		return raw
	case json.Unmarshal(fields["tools"], &tools) != nil:
		return json.RawMessage(unreadable)
	}
	for _, tool := range tools {
		var t sdk.Tool
		if err := json.Unmarshal(tool, &t); err != nil {
			log.Warn("mcp: a tool is left out", "tool", cut(textIn(tool, "name")), "error", err)
			continue
		}
		kept = append(kept, tool)
	}
	var cursor string
	if err := json.Unmarshal(fields["nextCursor"], &cursor); err != nil && fields["nextCursor"] != nil {
		log.Warn("mcp: the rest of the list of tools is left out", "error", err)
	}
	return written(map[string]any{"tools": kept, "nextCursor": cursor})
}

// mendResult returns the answer of a tool with a description of each piece that cannot be read.
func mendResult(raw json.RawMessage, fields map[string]json.RawMessage) json.RawMessage {
	if reads[sdk.CallToolResult](raw) {
		return raw
	}
	content := bytes.TrimSpace(fields["content"])
	var pieces []json.RawMessage
	if json.Unmarshal(content, &pieces) != nil { // a piece by itself
		pieces = []json.RawMessage{content}
	}
	for i := range pieces {
		pieces[i] = piece(pieces[i])
	}
	fields["content"] = written(pieces)
	if failed, is := fields["isError"]; is && !reads[bool](failed) { // such as "true"
		no := strings.Contains(`"false" "0" null`, strings.ToLower(string(failed)))
		fields["isError"] = written(!no)
	}
	delete(fields, "_meta")
	if whole := written(fields); reads[sdk.CallToolResult](whole) {
		return whole
	}
	return json.RawMessage(unreadable)
}

// piece is a piece of an answer that the SDK can read.
func piece(raw json.RawMessage) json.RawMessage {
	if reads[sdk.CallToolResult](written(map[string]any{"content": []any{raw}})) {
		return raw
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = cmp.Or(textIn(raw, "text"), fmt.Sprintf("[content of an unknown kind, %q, or one that cannot be read]", cut(textIn(raw, "type"))))
	}
	return written(map[string]string{"type": "text", "text": text})
}

func reads[T any](raw json.RawMessage) bool { return json.Unmarshal(raw, new(T)) == nil }

// textIn is a text in an object, "" where there is none.
func textIn(raw json.RawMessage, name string) (text string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) == nil {
		_ = json.Unmarshal(fields[name], &text) // else it is ""
	}
	return text
}

func written(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // all of it was read from JSON
	}
	return raw
}
