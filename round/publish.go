package round

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// maxRefusal bounds what a step has of one refused reply, in bytes: the reason
// may quote the reply. What is cut is without secrets already, so that no half of one is
// left: errors that quote a name quote all of it, or say only how long it is.
const maxRefusal = 2 << 10

// maxWhere bounds the place of a repair: it has names of the reply.
const maxWhere = 256

// Scrub returns text without secrets, by the tools' schemas and then by
// Options.Redact. Where Redact panics nothing is shown.
func (m *meter) Scrub(text string) (clean string) {
	if text == "" {
		return ""
	}
	defer func() {
		if recover() != nil {
			clean = hidden
		}
	}()
	text = m.secrets.scrub(text)
	if redact := m.round.options.Load().Redact; redact != nil {
		text = redact(text)
	}
	return text
}

// maxText bounds every other text of a step or a result, in bytes, but for the output of
// commands: a reason, an error, a question or an answer.
const maxText = 16 << 10

// brief is Scrub, and no longer than maxText. It is cut when the secrets are out.
func (m *meter) brief(text string) string { return clip.Text(m.Scrub(text), maxText) }

// publish returns the step as it may be shown.
func (m *meter) publish() Step {
	s := m.step
	m.mu.Lock()
	s.Attempts = m.tries
	s.Calls, s.Usage, s.Cost, s.Model = m.now.calls, m.now.usage, m.now.cost, m.now.model
	decision := m.now.decision
	if !m.started.IsZero() {
		s.Started, s.Duration = m.started, time.Since(m.started)
	}
	s.Repairs, s.Refused = slices.Clone(m.repairs), slices.Clone(m.refused)
	s.Verdicts, s.Commands = slices.Clone(m.verdicts), slices.Clone(m.commands)
	asks := slices.Clone(m.asks)
	s.Phases = slices.Clone(m.phases)
	m.mu.Unlock()

	s.Progress = m.round.progress()
	s.Progress.Current = m.brief(s.Progress.Current)
	s.Agent, s.NextAgent, s.Model = named(m.Scrub(s.Agent)), named(m.Scrub(s.NextAgent)), m.brief(s.Model)
	s.Reason = m.brief(s.Reason)
	if s.Err != nil {
		s.Err = &shownError{text: m.brief(textOf(s.Err)), err: s.Err}
	}
	if decision != nil {
		s.Decision = m.scrubDecision(decision)
	}
	for i := range s.Repairs {
		s.Repairs[i].Where = clip.Text(m.Scrub(s.Repairs[i].Where), maxWhere)
	}
	for i := range s.Refused {
		s.Refused[i] = clip.Text(m.Scrub(s.Refused[i]), maxRefusal)
	}
	for i := range s.Verdicts {
		s.Verdicts[i].Reason = m.brief(s.Verdicts[i].Reason)
	}
	for i := range s.Commands {
		m.scrubCommand(&s.Commands[i])
	}
	for _, asked := range asks {
		a := asked.Ask
		a.Text = m.brief(m.words(asked.question).Text)
		a.Answer, a.Err = m.brief(a.Answer), m.brief(a.Err)
		if a.Command != nil {
			m.scrubArguments(a.Command)
		}
		s.Asks = append(s.Asks, a)
	}
	return s
}

// scrubArguments takes the secrets out of a command, which has none by its tool's schema.
func (m *meter) scrubArguments(cmd *desktop.Command) {
	cmd.Parameters, _ = m.scrubValue(cmd.Parameters).(map[string]any)
	cmd.Origin = m.Scrub(cmd.Origin)
}

func (m *meter) scrubCommand(c *Command) {
	m.scrubArguments(&c.Command)
	c.Err, c.Result.Error = m.brief(c.Err), m.brief(c.Result.Error)
	for i := range c.Result.Content {
		content := &c.Result.Content[i]
		content.Text = m.Scrub(content.Text)
		content.JSON = m.scrubJSON(content.JSON)
	}
}

// scrubDecision renders a decision, by its JSON form. One that has none is
// left out of the record.
func (m *meter) scrubDecision(decision any) json.RawMessage {
	raw, err := json.Marshal(decision)
	if err != nil {
		return nil
	}
	return m.scrubJSON(raw)
}

// scrubJSON redacts the strings in raw, keys included, and leaves its shape.
func (m *meter) scrubJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return jsonText(m.Scrub(string(raw)))
	}
	clean, err := json.Marshal(m.scrubValue(v))
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

func (m *meter) scrubValue(v any) any {
	switch v := v.(type) {
	case string:
		return m.Scrub(v)
	case json.Number:
		if clean := m.Scrub(string(v)); clean != string(v) {
			return clean
		}
	case []string:
		for i := range v {
			v[i] = m.Scrub(v[i])
		}
	case json.RawMessage:
		return m.scrubJSON(v)
	case float64, float32, int, int64, int32, uint, uint64, uint32:
		// A secret number is hidden as it is written.
		if raw, err := json.Marshal(v); err == nil && m.Scrub(string(raw)) != string(raw) {
			return hidden
		}
	case []any:
		for i := range v {
			v[i] = m.scrubValue(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k, item := range v {
			clean[m.Scrub(k)] = m.scrubValue(item)
		}
		return clean
	}
	return v
}

// shownError is an error whose text may be shown. What is behind it is found
// by errors.Is and errors.As, with its own text.
type shownError struct {
	text string
	err  error
}

func (e *shownError) Error() string { return e.text }
func (e *shownError) Unwrap() error { return e.err }
