package shellpolicy

import (
	"regexp"
	"strings"
)

// problem is why a rule does not allow a command; "" when it does.
func (c *rule) problem(words []word) string {
	if c.any {
		return ""
	}
	m := matcher{rule: c, words: words}
	for len(m.words) > 0 {
		if problem := m.next(); problem != "" {
			return problem
		}
	}
	for _, a := range c.args[min(m.taken, len(c.args)):] {
		if !a.optional && !a.repeats {
			return "an argument is missing"
		}
	}
	return ""
}

// begins reports whether a command is one of this rule, by its first words.
func (c *rule) begins(words []word) bool {
	if len(words) < len(c.words) {
		return false
	}
	for i, text := range c.words {
		if words[i].glob || words[i].text != text {
			return false
		}
	}
	return true
}

// matcher goes through the arguments of one command.
type matcher struct {
	*rule
	words []word
	taken int  // arguments, flags aside
	ended bool // by --
}

var (
	digits = regexp.MustCompile(`^[0-9]{1,18}$`)
	signed = regexp.MustCompile(`^[+-][0-9]{1,18}$`) // tail -n +2
)

func (m *matcher) next() string {
	w := m.words[0]
	m.words = m.words[1:]
	switch {
	case w.glob && (w.prefix == "" || w.prefix[0] == '-'):
		return "the argument " + w.shown() + " may become a flag; write " + quote("./"+w.text)
	case m.ended, w.glob, len(w.text) < 2, w.text[0] != '-':
		return m.operand(w)
	case w.text == "--" && m.ends:
		m.ended = true
		return ""
	case m.number && digits.MatchString(w.text[1:]):
		return ""
	}
	return m.flag(w)
}

func (m *matcher) operand(w word) string {
	if m.taken >= len(m.args) && (len(m.args) == 0 || !m.args[len(m.args)-1].repeats) {
		return "the argument " + w.shown() + " is one too many"
	}
	a := m.args[min(m.taken, len(m.args)-1)]
	if w.many && !a.repeats {
		return "the argument " + w.shown() + " may become several"
	}
	if problem := m.steered(a.kind, w, m.taken == 0); problem != "" {
		return "the argument " + w.shown() + " " + problem
	}
	m.taken++
	return m.fits(a.kind, w)
}

func (m *matcher) flag(w word) string {
	name, value, attached := strings.Cut(w.text, "=")
	if f, known := m.flags[w.text]; known {
		if f.bare {
			return ""
		}
		return m.nextValue(w, f)
	}
	if f := m.flags[name]; attached && f.value != nil && (strings.HasPrefix(name, "--") || len(name) > 2) {
		return m.value(*f.value, value)
	}
	if strings.HasPrefix(w.text, "--") {
		return "the flag " + w.shown() + " is not on the list"
	}
	if !m.letters {
		return "the flag " + w.shown() + " is not on the list"
	}
	for i := 1; i < len(w.text); i++ {
		f := m.flags["-"+w.text[i:i+1]]
		rest := w.text[i+1:]
		switch {
		case f == flag{}:
			return "the flag " + w.shown() + " is not on the list"
		case f.value != nil && rest != "":
			// Some programs take the = for a part of the value, some do not.
			if value, both := strings.CutPrefix(rest, "="); both {
				if problem := m.fits(*f.value, word{text: value}); problem != "" {
					return problem
				}
			}
			return m.value(*f.value, rest)
		case f.value != nil && !f.bare:
			return m.nextValue(w, f)
		}
	}
	return ""
}

// nextValue takes the next word as the value of a flag.
func (m *matcher) nextValue(w word, f flag) string {
	if len(m.words) == 0 {
		return "the flag " + w.shown() + " has no value"
	}
	v := m.words[0]
	m.words = m.words[1:]
	if v.many {
		return "the argument " + v.shown() + " may become several"
	}
	// Not every command takes -x here for a value; one that takes none knows numbers.
	if f.value.name == "number" && !v.glob && signed.MatchString(v.text) {
		return ""
	}
	if strings.HasPrefix(v.text, "-") || v.glob && (v.prefix == "" || v.prefix[0] == '-') {
		return "the value " + v.shown() + " of the flag " + w.shown() + " may be a flag"
	}
	return m.fits(*f.value, v)
}

// value judges what is attached to a flag.
func (m *matcher) value(k kind, text string) string {
	if k.name == "number" && signed.MatchString(text) {
		return ""
	}
	return m.fits(k, word{text: text})
}

func (m *matcher) fits(k kind, w word) string {
	switch k.name {
	case "any":
		return ""
	case "path":
		if w.text == "-" {
			return `the argument "-" is no path but standard input or output`
		}
		if problem := m.places.wordProblem(w); problem != "" {
			return "the path " + w.shown() + " " + problem
		}
		return ""
	}
	ok := false
	switch {
	case w.glob:
		return "the argument " + w.shown() + " has wildcards"
	case k.name == "number":
		ok = digits.MatchString(w.text)
	case k.name == "=":
		ok = w.text == k.literal
	case k.name == "/":
		ok = k.pattern.MatchString(w.text)
	}
	if !ok {
		return "the argument " + w.shown() + " is not on the list"
	}
	return ""
}
