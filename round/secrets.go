package round

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
)

// hidden stands for a secret.
const hidden = "***"

// shortest is the length from which a secret is looked for anywhere in other
// texts. A shorter one, such as a PIN, would blot out half of what it is found
// in: it is hidden where it stands alone, as a word or a number does.
const shortest = 4

// secrets is what the tools' schemas marked as secret: in a round, or in all
// rounds of a session, which share their agents' memory.
type secrets struct {
	mu     sync.Mutex
	masked map[string]desktop.Command // by the command as it is executed
	known  map[string]bool            // every form of every secret
	values []string                   // the forms of some length, longest first, so that no part of one is left
	words  []string                   // the short ones, likewise
}

func (s *secrets) add(masked, original desktop.Command, values []string) {
	key := commandKey(original)
	if len(values) == 0 && key == commandKey(masked) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.masked == nil {
		s.masked, s.known = map[string]desktop.Command{}, map[string]bool{}
	}
	s.masked[key] = masked
	for _, v := range values {
		for _, form := range forms(v) {
			if s.known[form] {
				continue
			}
			s.known[form] = true
			if len(form) >= shortest {
				s.values = append(s.values, form)
			} else {
				s.words = append(s.words, form)
			}
		}
	}
	longest := func(a, b string) int { return len(b) - len(a) }
	slices.SortFunc(s.values, longest)
	slices.SortFunc(s.words, longest)
}

// forms are a secret as it stands in a text: as it is, inside JSON with and
// without what encoding/json does to < and >, inside Go's quotes, and inside
// these once more, such as JSON in a quoted error.
func forms(v string) []string {
	list := []string{v}
	for range 2 {
		for _, f := range list {
			quoted := strconv.Quote(f)
			list = append(list, inJSON(f, true), inJSON(f, false), quoted[1:len(quoted)-1])
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return slices.DeleteFunc(list, func(f string) bool { return f == "" })
}

func inJSON(v string, escapeHTML bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if err := enc.Encode(v); err != nil {
		return v
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

func (s *secrets) mask(cmd desktop.Command) desktop.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.masked != nil {
		if m, ok := s.masked[commandKey(cmd)]; ok {
			m.CallID, m.ToolType = cmd.CallID, cmd.ToolType
			m.Parameters = clone.Map(m.Parameters)
			return m
		}
	}
	cmd.Parameters = clone.Map(cmd.Parameters)
	return cmd
}

func (s *secrets) scrub(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[text] {
		return hidden
	}
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, hidden)
	}
	for _, w := range s.words {
		text = hideWord(text, w)
	}
	return text
}

// hideWord hides word where no letter, digit or underscore touches it.
func hideWord(text, word string) string {
	var b strings.Builder
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		at += from
		end := at + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if inWord(before) || inWord(after) {
			_, size := utf8.DecodeRuneInString(text[at:])
			end = at + size
			b.WriteString(text[from:end])
		} else {
			b.WriteString(text[from:at] + hidden)
		}
		from = end
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	s.Verdicts, s.Commands = slices.Clone(m.verdicts), slices.Clone(m.commands)
	s.Asks, s.Phases = slices.Clone(m.asks), slices.Clone(m.phases)
	m.mu.Unlock()

	s.Agent, s.NextAgent, s.Model = m.Scrub(s.Agent), m.Scrub(s.NextAgent), m.Scrub(s.Model)
	s.Reason = m.Scrub(s.Reason)
	if s.Err != nil {
		s.Err = &shownError{text: m.Scrub(textOf(s.Err)), err: s.Err}
	}
	if decision != nil {
		s.Decision = m.scrubDecision(decision)
	}
	for i := range s.Verdicts {
		s.Verdicts[i].Reason = m.Scrub(s.Verdicts[i].Reason)
	}
	for i := range s.Commands {
		m.scrubCommand(&s.Commands[i])
	}
	for i := range s.Asks {
		a := &s.Asks[i]
		a.Text, a.Answer, a.Err = m.Scrub(a.Text), m.Scrub(a.Answer), m.Scrub(a.Err)
		if a.Command != nil {
			a.Command.Parameters, _ = m.scrubValue(a.Command.Parameters).(map[string]any)
		}
	}
	return s
}

func (m *meter) scrubCommand(c *Command) {
	c.Command.Parameters, _ = m.scrubValue(c.Command.Parameters).(map[string]any)
	c.Err, c.Result.Error = m.Scrub(c.Err), m.Scrub(c.Result.Error)
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
