package adapters

import (
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// WithoutRedirects returns a copy of a client, or of http.DefaultClient. One that follows
// would take the prompt, and a header with the key, wherever a server sends it.
func WithoutRedirects(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// ValidBase accepts a base URL that may be shown in an error, and that a path can follow.
func ValidBase(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// ValidKey accepts a key that can be in a header.
func ValidKey(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// MediaType is that of an image as it is registered, or nothing where it is no image.
func MediaType(image *llm.Image) string {
	media := image.MediaType
	if media == "" {
		media = http.DetectContentType(image.Data)
	}
	media, _, err := mime.ParseMediaType(media)
	switch {
	case err != nil || !strings.HasPrefix(media, "image/"):
		return ""
	case media == "image/jpg": // many call it so, and servers refuse it
		return "image/jpeg"
	}
	return media
}

// SchemaPrompt is a schema for a model that gets it as text.
func SchemaPrompt(s *llm.Schema) string {
	text := "Reply with one JSON object that fits this JSON Schema, and with nothing else."
	if s.Description != "" {
		text += " It is: " + s.Description
	}
	return text + "\n```json\n" + string(s.JSON) + "\n```"
}

// Joined returns the parts with each text that follows another joined to it, and without empty ones:
// between two texts many servers put a line break.
func Joined(parts []llm.Part) (joined []llm.Part) {
	var text strings.Builder
	end := func() {
		if text.Len() > 0 {
			joined = append(joined, llm.Part{Text: text.String()})
			text.Reset()
		}
	}
	for _, part := range parts {
		text.WriteString(part.Text)
		if part.Image != nil {
			end()
			joined = append(joined, llm.Part{Image: part.Image})
		}
	}
	end()
	return joined
}
