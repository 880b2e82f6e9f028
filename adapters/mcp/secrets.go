package mcp

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// secrets are values that no error may show.
type secrets struct {
	values  *regexp.Regexp // nil: there are none
	longest int
}

// shortest is how long a value must be to be hidden inside of words, too.
const shortest = 6

// harmless values are settings, and would make every text unreadable.
var harmless = []string{"", "0", "1", "true", "false", "yes", "no", "on", "off"}

// secretsOf collects the values of a Server that are secret.
func secretsOf(s *Server) secrets {
	var all []string
	for _, variable := range s.Env {
		_, value, _ := strings.Cut(variable, "=")
		all = append(all, value)
	}
	for _, values := range s.Header {
		for _, value := range values {
			_, token, _ := strings.Cut(value, " ") // Bearer …
			all = append(all, value, token)
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		password, _ := u.User.Password()
		_, escaped, _ := strings.Cut(u.User.String(), ":")
		all = append(all, password, escaped, url.QueryEscape(password), u.RawQuery)
		for _, values := range u.Query() {
			all = append(all, values...)
		}
	}
	all = slices.DeleteFunc(all, func(v string) bool { return slices.Contains(harmless, strings.ToLower(v)) })
	if len(all) == 0 {
		return secrets{}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // the longest is tried first
	longest := len(all[0])
	for i, value := range all {
		all[i] = regexp.QuoteMeta(value)
		if len(value) < shortest && wordOnly.MatchString(value) {
			all[i] = `\b` + all[i] + `\b`
		}
	}
	return secrets{regexp.MustCompile(strings.Join(all, "|")), longest}
}

var wordOnly = regexp.MustCompile(`^\w+$`)

// hide takes the secrets out of a text.
func (s secrets) hide(text string) string {
	if s.values == nil {
		return text
	}
	return s.values.ReplaceAllLiteralString(text, "***")
}

// clean returns err itself if no secret is in its text, else an error of
// the text without them: what is inside of err could show it as well.
func (s secrets) clean(err error) error {
	text := err.Error()
	if hidden := s.hide(text); hidden != text {
		return errors.New(hidden)
	}
	return err
}
