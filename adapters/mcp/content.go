package mcp

import (
	"encoding/json"
	"fmt"
	"mime"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/desktop"
)

// neverRan says that a server that answers with this code did not run the tool:
// it does not know it, dislikes the arguments, or wants a web page visited first.
func neverRan(code int64) bool {
	switch code {
	case jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, sdk.CodeURLElicitationRequired:
		return true
	}
	return false
}

// result is the answer of a tool.
func (c *connection) result(res *sdk.CallToolResult) desktop.Result {
	var out desktop.Result
	if isUnread(res.Meta) { // it has run: an agent that is told of a failure would call it again
		const text = "it answered, and the answer cannot be read"
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Text: text}}, Unverified: text}
	}
	structured, rest := structuredContent(res)
	for _, content := range rest {
		out.Content = append(out.Content, contents(content)...)
	}
	if structured != nil {
		out.Content = append(out.Content, desktop.Content{JSON: structured})
	}
	if !res.IsError {
		out.Status = desktop.Success
		return out
	}
	why := desktop.FailureResult("%s", c.secrets.hide(out.Text()))
	if strings.TrimSpace(why.Error) == "" {
		why.Error = "the tool failed and did not say why"
	}
	for _, content := range out.Content {
		if content.Image != nil { // texts and JSON are the reason
			why.Content = append(why.Content, content)
		}
	}
	return why
}

// structuredContent returns the structured content of a result, and the rest of
// it. Servers with a schema for their output repeat the one in the other. A text that repeats it is
// returned in its place, because its numbers are as the server wrote them.
func structuredContent(res *sdk.CallToolResult) (json.RawMessage, []sdk.Content) {
	if res.StructuredContent == nil {
		return nil, res.Content
	}
	raw, err := json.Marshal(res.StructuredContent)
	want, ok := plain(raw)
	if err != nil || !ok {
		return raw, res.Content
	}
	if object, is := want.(map[string]any); is && len(object) == 1 { // {"result": text} or {"result": [content...]}
		for _, value := range object {
			all, err := json.Marshal(res.Content)
			same, _ := plain(all)
			if text := onlyText(res.Content); text != nil && value == text || err == nil && reflect.DeepEqual(value, same) {
				return nil, res.Content
			}
		}
	}
	for i, content := range res.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			if got, ok := plain([]byte(text.Text)); ok && reflect.DeepEqual(got, want) {
				return json.RawMessage(text.Text), slices.Concat(res.Content[:i], res.Content[i+1:])
			}
		}
	}
	return raw, res.Content
}

func plain(raw []byte) (v any, ok bool) {
	ok = json.Unmarshal(raw, &v) == nil
	return v, ok
}

// onlyText is the text that a content consists of; nil if it is not one text.
func onlyText(contents []sdk.Content) any {
	if len(contents) == 1 {
		if text, ok := contents[0].(*sdk.TextContent); ok {
			return text.Text
		}
	}
	return nil
}

// contents are a piece of a result. What a model cannot be shown is described.
func contents(content sdk.Content) []desktop.Content {
	switch content := content.(type) {
	case *sdk.TextContent:
		return text(content.Text)
	case *sdk.ImageContent:
		return picture("image", content.MIMEType, content.Data)
	case *sdk.AudioContent:
		return text(fmt.Sprintf("[audio of %d bytes, type %s]", len(content.Data), content.MIMEType))
	case *sdk.ResourceLink:
		return text(link(content))
	case *sdk.EmbeddedResource:
		return resource(content.Resource)
	}
	return text(fmt.Sprintf("[content of an unknown kind, %T]", content))
}

func text(s string) []desktop.Content {
	if s == "" {
		return nil
	}
	return []desktop.Content{{Text: s}}
}

// picture is an image, if it is one by its type and not empty: providers refuse a
// whole prompt because of one that is not.
func picture(what, mediaType string, data []byte) []desktop.Content {
	kind, _, err := mime.ParseMediaType(mediaType)
	if err != nil || !strings.HasPrefix(kind, "image/") || len(data) == 0 {
		return text(fmt.Sprintf("[%s of %d bytes, type %s]", what, len(data), mediaType))
	}
	return []desktop.Content{{Image: &desktop.Image{MediaType: kind, Data: data}}}
}

func resource(r *sdk.ResourceContents) []desktop.Content {
	switch {
	case r == nil:
		return text("[resource without contents]")
	case r.Blob != nil:
		return picture("resource "+r.URI, r.MIMEType, r.Blob)
	}
	return text(fmt.Sprintf("[resource %s]\n%s", r.URI, r.Text))
}

func link(l *sdk.ResourceLink) string {
	parts := []string{l.URI, l.Name, l.Title, l.MIMEType, l.Description}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return "[link " + strings.Join(parts, "; ") + "]"
}
