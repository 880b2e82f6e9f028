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
// it. Servers repeat it as a text, which then is left out; but the text is what is
// returned, because its numbers are as the server wrote them.
func structuredContent(res *sdk.CallToolResult) (json.RawMessage, []sdk.Content) {
	if res.StructuredContent == nil {
		return nil, res.Content
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, res.Content
	}
	var want any
	if json.Unmarshal(raw, &want) != nil {
		return raw, res.Content
	}
	if wraps(want, res.Content) {
		return nil, res.Content
	}
	for i, content := range res.Content {
		text, ok := content.(*sdk.TextContent)
		if !ok {
			continue
		}
		var got any
		if json.Unmarshal([]byte(text.Text), &got) == nil && reflect.DeepEqual(got, want) {
			rest := append(append([]sdk.Content{}, res.Content[:i]...), res.Content[i+1:]...)
			return json.RawMessage(text.Text), rest
		}
	}
	return raw, res.Content
}

// wraps reports whether structured content is an object with nothing but the
// content itself in it: its text, or all of it. Servers with a schema for their
// output do that, and a picture would be in the prompt again, as letters.
func wraps(structured any, contents []sdk.Content) bool {
	object, ok := structured.(map[string]any)
	if !ok || len(object) != 1 {
		return false
	}
	for _, value := range object {
		switch value := value.(type) {
		case string:
			if len(contents) == 1 {
				text, ok := contents[0].(*sdk.TextContent)
				return ok && text.Text == value
			}
		case []any:
			raw, err := json.Marshal(contents)
			var same any
			return err == nil && json.Unmarshal(raw, &same) == nil && reflect.DeepEqual(any(value), same)
		}
	}
	return false
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
