package shellpolicy

import "strings"

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

// problem is why a rule does not allow a command with these arguments; "" if it does.
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

// matcher goes through the arguments of one command.
type matcher struct {
	*rule
	words []word
	taken int  // arguments, flags aside
	ended bool // by --
}

func (m *matcher) next() string {
	w := m.words[0]
	m.words = m.words[1:]
	switch {
	case mayBeFlag(w):
		return "the argument " + w.shown() + " may become a flag; write " + quote("./"+w.text)
	case m.ended, w.glob, len(w.text) < 2, w.text[0] != '-':
		return m.operand(w)
	case w.text == "--" && m.flags["--"].bare:
		m.ended = true
		return ""
	case m.flags["-#"].bare && digits.MatchString(w.text[1:]):
		return ""
	}
	return m.flag(w)
}

// mayBeFlag reports whether wildcards may stand for a name that begins with a hyphen.
func mayBeFlag(w word) bool { return w.glob && (w.prefix == "" || w.prefix[0] == '-') }

func (m *matcher) operand(w word) string {
	if m.taken >= len(m.args) && (len(m.args) == 0 || !m.args[len(m.args)-1].repeats) {
		return "the argument " + w.shown() + " is one too many"
	}
	a := m.args[min(m.taken, len(m.args)-1)]
	if w.many && !a.repeats {
		return "the argument " + w.shown() + " may become several"
	}
	if problem := m.steered(a.kind, w.text, m.taken == 0); problem != "" {
		return "the argument " + w.shown() + " " + problem
	}
	m.taken++
	return m.fits(a.kind, w)
}

// steered says why a runner may take an argument for something else than a file or the text that a rule wants.
func (m *matcher) steered(k kind, text string, first bool) string {
	name, _, assigned := strings.Cut(text, "=")
	switch {
	case m.runner == "" || k.name == "=" && !first:
		return ""
	case first && (text == "" || text == "-"):
		return "makes it run its standard input"
	case strings.HasPrefix(text, "+"):
		return "may be an option; write ./ in front of a name"
	case k.name == "path" && assigned && !strings.Contains(name, "/"): // for make, awk and env
		return "may set a variable; write ./ in front of a name"
	case k.name == "path" && first && traits[m.runner]&shell != 0 && !strings.Contains(text, "/"):
		return "may be looked for in PATH; write ./ in front of it"
	}
	return ""
}

func (m *matcher) flag(w word) string {
	if f, known := m.flags[w.text]; known {
		if f.bare {
			return ""
		}
		return m.nextValue(w, f)
	}
	name, value, attached := strings.Cut(w.text, "=")
	long := strings.HasPrefix(name, "--")
	if f := m.flags[name]; attached && f.value != nil && (long || len(name) > 2) {
		return m.fits(*f.value, word{text: value})
	}
	for i := 1; i < len(w.text) && !long && m.letters; i++ {
		f := m.flags["-"+w.text[i:i+1]]
		rest := w.text[i+1:]
		switch {
		case f.value != nil && rest != "":
			// Some programs take the = for a part of the value, some do not.
			if value, both := strings.CutPrefix(rest, "="); both {
				if problem := m.fits(*f.value, word{text: value}); problem != "" {
					return problem
				}
			}
			return m.fits(*f.value, word{text: rest})
		case f.value != nil && !f.bare:
			return m.nextValue(w, f)
		case !f.bare:
			return "the flag " + w.shown() + " is not on the list"
		case rest == "":
			return ""
		}
	}
	return "the flag " + w.shown() + " is not on the list"
}

// nextValue takes the next word as the value of a flag.
func (m *matcher) nextValue(w word, f flag) string {
	if len(m.words) == 0 {
		return "the flag " + w.shown() + " has no value"
	}
	v := m.words[0]
	m.words = m.words[1:]
	// Not every command takes -x here for a value; one that takes none knows numbers.
	number := f.value.name == "number" && !v.glob && f.value.pattern.MatchString(v.text)
	switch {
	case v.many:
		return "the argument " + v.shown() + " may become several"
	case mayBeFlag(v), strings.HasPrefix(v.text, "-") && !number:
		return "the value " + v.shown() + " of the flag " + w.shown() + " may be a flag"
	}
	return m.fits(*f.value, v)
}

func (m *matcher) fits(k kind, w word) string {
	switch {
	case k.name == "any":
	case k.name == "path" && w.text == "-":
		return `the argument "-" is no path but standard input or output`
	case k.name == "path":
		if problem := m.places.wordProblem(w); problem != "" {
			return "the path " + w.shown() + " " + problem
		}
	case w.glob:
		return "the argument " + w.shown() + " has wildcards"
	case !k.pattern.MatchString(w.text):
		return "the argument " + w.shown() + " is not on the list"
	}
	return ""
}
