package round

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// scrubber takes secrets out of what is shown: those that tools' schemas mark, and what Options.Redact takes out.
type scrubber struct {
	secrets *secrets
	options *atomic.Pointer[options]
}

// scrub returns text without secrets, by the tools' schemas and then by
// Options.Redact. Where Redact panics nothing is shown.
func (s *scrubber) scrub(text string) (clean string) {
	if text == "" {
		return ""
	}
	defer func() {
		if recover() != nil {
			clean = hidden
		}
	}()
	text = s.secrets.scrub(text)
	if redact := s.options.Load().Redact; redact != nil {
		text = redact(text)
	}
	return text
}

// maxText bounds every other text of a step or a result, in bytes, but for the output of
// commands: a reason, an error, a question or an answer.
const maxText = 16 << 10

// brief is scrub, and no longer than maxText. It is cut when the secrets are out.
func (s *scrubber) brief(text string) string { return clip.Text(s.scrub(text), maxText) }

// arguments takes the secrets out of a command, which has none by its tool's schema.
func (s *scrubber) arguments(cmd *desktop.Command) {
	cmd.Parameters, _ = s.value(cmd.Parameters).(map[string]any)
	cmd.Origin = s.scrub(cmd.Origin)
}

func (s *scrubber) command(c *Command) {
	s.arguments(&c.Command)
	c.Err, c.Result.Error, c.Result.Unverified = s.brief(c.Err), s.brief(c.Result.Error), s.brief(c.Result.Unverified)
	for i := range c.Result.Content {
		content := &c.Result.Content[i]
		content.Text = s.scrub(content.Text)
		content.JSON = s.json(content.JSON)
	}
}

// decision renders a decision, by its JSON form. One that has none is left out of the record.
func (s *scrubber) decision(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return s.json(raw)
}

// json redacts the strings in raw, keys included, and leaves its shape.
func (s *scrubber) json(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return jsonText(s.scrub(string(raw)))
	}
	clean, err := json.Marshal(s.value(v))
	if err != nil {
		return jsonText(hidden)
	}
	return clean
}

func jsonText(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage(`"` + hidden + `"`)
	}
	return raw
}

func (s *scrubber) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.scrub(v)
	case json.Number:
		if clean := s.scrub(string(v)); clean != string(v) {
			return clean
		}
	case []string:
		for i := range v {
			v[i] = s.scrub(v[i])
		}
	case json.RawMessage:
		return s.json(v)
	case float64, float32, int, int64, int32, uint, uint64, uint32:
		// A secret number is hidden as it is written.
		if raw, err := json.Marshal(v); err == nil && s.scrub(string(raw)) != string(raw) {
			return hidden
		}
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k, item := range v {
			clean[s.scrub(k)] = s.value(item)
		}
		return clean
	}
	return v
}
