package round

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/clone"
)

// hidden stands for a secret.
const hidden = "***"

// shortest is the length from which a secret is looked for anywhere in other texts. A shorter one, such as a PIN, would
// blot out half of what it is found in: it is hidden where it stands alone, as a word or a number does.
const shortest = 4

// secrets is what the tools' schemas marked as secret: in a round, or in all
// rounds of a session, which share their agents' memory.
type secrets struct {
	mu     sync.Mutex
	masked map[string]desktop.Command // by the command as it is executed
	known  map[string]bool            // every form of every secret
	values []string                   // the forms of some length
	words  []string                   // the short ones
	digits []string                   // the hexadecimal digits of those of some length
	list   []checkpoint.Secret        // as they became known
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
	_, known := s.masked[key]
	s.masked[key] = masked
	news := !known
	for _, v := range values {
		for _, digits := range inHex(v) {
			if !slices.Contains(s.digits, digits) {
				s.digits = append(s.digits, digits)
			}
		}
		for _, form := range forms(v) {
			if s.known[form] {
				continue
			}
			s.known[form], news = true, true
			if min(len(v), len(form)) >= shortest {
				s.values = append(s.values, form)
			} else {
				s.words = append(s.words, form)
			}
		}
	}
	if news {
		original.Parameters = clone.Map(original.Parameters)
		s.list = append(s.list, checkpoint.Secret{Masked: masked, Original: original, Values: values})
	}
}

// all returns what became known so far.
func (s *secrets) all() []checkpoint.Secret {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.list)
}

func (s *secrets) mask(cmd desktop.Command) desktop.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.masked != nil {
		if m, ok := s.masked[commandKey(cmd)]; ok {
			m.CallID, m.Looks, m.Origin = cmd.CallID, cmd.Looks, cmd.Origin
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
	if len(s.known) == 0 {
		return text
	}
	var spans [][2]int
	for _, v := range views(text) {
		spans = append(spans, v.find(s.values, false)...)
		spans = append(spans, v.find(s.words, true)...)
		if len(s.digits) > 0 {
			if digits, ok := v.digits(); ok {
				spans = append(spans, digits.find(s.digits, false)...)
			}
		}
	}
	if len(spans) == 0 {
		return text
	}
	return hide(text, spans)
}

// find returns where a view has secrets: anywhere, or alone, where no letter, digit or underscore touches them.
func (v view) find(secrets []string, alone bool) (spans [][2]int) {
	for _, secret := range secrets {
		for from := 0; ; {
			at := strings.Index(v.text[from:], secret)
			if at < 0 {
				break
			}
			at += from
			end := at + len(secret)
			before, _ := utf8.DecodeLastRuneInString(v.text[:at])
			after, _ := utf8.DecodeRuneInString(v.text[end:])
			if alone && (inWord(before) || inWord(after)) {
				_, size := utf8.DecodeRuneInString(v.text[at:])
				from = at + size
				continue
			}
			spans, from = append(spans, v.span(at, end)), end
		}
	}
	return spans
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
