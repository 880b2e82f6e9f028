package mcp

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secrets are values that no error may have, the longest first.
type secrets []string

// wordOnly is how long a value must be to be looked for inside of words.
const wordOnly = 6

// harmless values are settings, and would make every text unreadable.
var harmless = []string{"", "0", "1", "true", "false", "yes", "no", "on", "off"}

// secretsOf collects what a Server is told that nobody else needs to know.
func secretsOf(s *Server) secrets {
	var all secrets
	add := func(value string) {
		if !slices.Contains(harmless, strings.ToLower(value)) {
			all = append(all, value)
		}
	}
	for _, variable := range s.Env {
		_, value, _ := strings.Cut(variable, "=")
		add(value)
	}
	for _, values := range s.Header {
		for _, value := range values {
			add(value)
			if _, token, ok := strings.Cut(value, " "); ok { // Bearer …
				add(token)
			}
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			add(password)
			add(url.QueryEscape(password))
		}
		add(u.RawQuery)
		for _, values := range u.Query() {
			for _, value := range values {
				add(value)
				add(url.QueryEscape(value))
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

const masked = "***"

// hide takes the secrets out of a text.
func (s secrets) hide(text string) string {
	for _, value := range s {
		if len(value) >= wordOnly {
			text = strings.ReplaceAll(text, value, masked)
			continue
		}
		text = hideWord(text, value)
	}
	return text
}

// hideWord replaces a short value where it is a word of its own.
func hideWord(text, value string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, value)
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i == 0 && out.Len() > 0 {
			before, _ = utf8.DecodeLastRuneInString(out.String())
		}
		after, _ := utf8.DecodeRuneInString(text[i+len(value):])
		out.WriteString(text[:i])
		if letter(before) || letter(after) {
			out.WriteString(value)
		} else {
			out.WriteString(masked)
		}
		text = text[i+len(value):]
	}
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// clean returns err itself when no secret is in its text, and else an error of
// the text without them. What is inside an error could tell it as well.
func (s secrets) clean(err error) error {
	text := err.Error()
	if hidden := s.hide(text); hidden != text {
		return errors.New(hidden)
	}
	return err
}

// withoutRest takes away what a text whose beginning is cut off may begin with: the
// rest of a secret, which could not be told from other words.
func (s secrets) withoutRest(text string) string {
	longest := 0
	for _, value := range s {
		for n := len(value) - 1; n > longest; n-- {
			if strings.HasPrefix(text, value[len(value)-n:]) {
				longest = n
			}
		}
	}
	return text[longest:]
}
