package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mender makes answers readable of which the SDK would refuse the whole for one part: what is wrong with a part is
// said in its place, or logged. It knows an answer by its names.
type mender struct{ log *slog.Logger }

// message mends an answer, and reports whether it did.
func (m mender) message(msg jsonrpc.Message) bool {
	res, ok := msg.(*jsonrpc.Response)
	if !ok || res.Error != nil {
		return false
	}
	var fields map[string]json.RawMessage
	mended := json.RawMessage(unreadable)
	if json.Unmarshal(res.Result, &fields) == nil && fields != nil {
		switch {
		case fields["content"] != nil || fields["structuredContent"] != nil || fields["isError"] != nil:
			mended = result(res.Result, fields)
		case fields["tools"] != nil:
			mended = m.list(res.Result, fields)
		default:
			return false
		}
	}
	changed := !bytes.Equal(res.Result, mended)
	res.Result = mended
	return changed
}

// text mends the JSON of an answer. What is none stays as it is.
func (m mender) text(raw []byte) []byte {
	msg, err := jsonrpc.DecodeMessage(raw)
	if err != nil || !m.message(msg) {
		return raw
	}
	if mended, err := jsonrpc.EncodeMessage(msg); err == nil {
		return mended
	}
	return raw
}

// body mends the answer of a web server, when it is read.
func (m mender) body(resp *http.Response, most int) {
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	all := resp.Body
	if isStream(resp) {
		from := bufio.NewReader(all)
		resp.Body = &mendedBody{Closer: all, more: func() ([]byte, error) { return m.event(from, most) }}
		return
	}
	resp.Body = &mendedBody{Closer: all, more: func() ([]byte, error) {
		raw, err := io.ReadAll(all)
		if err == nil {
			err = io.EOF
		}
		return m.text(raw), err
	}}
}

// event reads an event of a stream. One with a mended message has it in one line. One that is too long is left to the
// SDK.
func (m mender) event(from *bufio.Reader, most int) (event []byte, err error) {
	for fresh := true; ; {
		part, err := from.ReadSlice('\n')
		event = append(event, part...)
		long := most >= 0 && len(event) > most
		end := fresh && len(bytes.TrimSpace(part)) == 0 && err == nil
		if fresh = err == nil; errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		if long || end || err != nil {
			return m.lines(event), err
		}
	}
}

func (m mender) lines(event []byte) []byte {
	var data, rest []byte
	for line := range bytes.Lines(event) {
		if part, is := bytes.CutPrefix(line, []byte("data:")); is {
			data = append(data, part...)
		} else if len(bytes.TrimSpace(line)) > 0 {
			rest = append(rest, line...)
		}
	}
	raw := bytes.TrimSpace(data)
	if mended := m.text(raw); !bytes.Equal(mended, raw) {
		return slices.Concat(rest, []byte("data: "), mended, []byte("\n\n"))
	}
	return event
}

// mendedBody is a body that is read in pieces, each of which is mended.
type mendedBody struct {
	io.Closer
	more  func() ([]byte, error)
	piece []byte
	err   error
}

func (b *mendedBody) Read(p []byte) (int, error) {
	for len(b.piece) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.piece, b.err = b.more()
	}
	n := copy(p, b.piece)
	b.piece = b.piece[n:]
	return n, nil
}

// unreadable marks an answer that cannot be read. The SDK can.
const unreadable = `{"content": [], "tools": [], "_meta": {"agentfsm/unread": true}}`

func isUnread(meta sdk.Meta) bool { return meta["agentfsm/unread"] == true }

// list returns a list of tools without those that cannot be read.
func (m mender) list(raw json.RawMessage, fields map[string]json.RawMessage) json.RawMessage {
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
			m.log.Warn("mcp: a tool is left out", "tool", cut(textIn(tool, "name")), "error", err)
			continue
		}
		kept = append(kept, tool)
	}
	var cursor string
	if err := json.Unmarshal(fields["nextCursor"], &cursor); err != nil && fields["nextCursor"] != nil {
		m.log.Warn("mcp: the rest of the list of tools is left out", "error", err)
	}
	return written(map[string]any{"tools": kept, "nextCursor": cursor})
}

// result returns the answer of a tool with a description of each piece that cannot be read.
func result(raw json.RawMessage, fields map[string]json.RawMessage) json.RawMessage {
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
	if !reads[sdk.CallToolResult](written(fields)) {
		delete(fields, "_meta")
	}
	if whole := written(fields); reads[sdk.CallToolResult](whole) {
		return whole
	}
	return json.RawMessage(unreadable)
}

// piece is a piece of an answer that the SDK can read.
func piece(raw json.RawMessage) json.RawMessage {
	readable := func(p any) bool { return reads[sdk.CallToolResult](written(map[string]any{"content": []any{p}})) }
	if readable(raw) {
		return raw
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		kind, data := textIn(raw, "type"), textIn(raw, "data")
		if about, encoded, is := strings.Cut(strings.TrimPrefix(data, "data:"), ";base64,"); is { // a URL of RFC 2397
			image := map[string]string{"type": kind, "mimeType": cmp.Or(textIn(raw, "mimeType"), about), "data": encoded}
			if readable(image) {
				return written(image)
			}
		}
		if text = textIn(raw, "text"); text == "" {
			text = fmt.Sprintf("[content of an unknown kind, %q, or one that cannot be read]", cut(kind))
		}
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
