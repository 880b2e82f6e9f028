package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// wish is what a request asks for.
type wish struct {
	Warehouse, Supplier string // where they are
	User, Password      string // Password is the name that the browser knows it by
	Reference           string
	File                string
}

var errRequest = errors.New("the request is not understood")

// wishes are how a request says it. What follows each word ends with the sentence.
var wishes = []struct {
	what    string
	pattern *regexp.Regexp
	into    func(*wish) *string
}{
	{"the address of the warehouse", regexp.MustCompile(`(?i)warehouse at (https?://[^\s"]+)`), func(w *wish) *string { return &w.Warehouse }},
	{"the address of the supplier", regexp.MustCompile(`(?i)supplier at (https?://[^\s"]+)`), func(w *wish) *string { return &w.Supplier }},
	{"the user", regexp.MustCompile(`(?i)sign in as "([^"]+)"`), func(w *wish) *string { return &w.User }},
	{"the name of the password", regexp.MustCompile(`(?i)for the password type ([A-Z][A-Z0-9_]*)`), func(w *wish) *string { return &w.Password }},
	{"the reference", regexp.MustCompile(`(?i)reference "([^"]+)"`), func(w *wish) *string { return &w.Reference }},
	{"the file", regexp.MustCompile(`(?i)summary to "([^"]+)"`), func(w *wish) *string { return &w.File }},
}

// understand reads a request.
func understand(request string) (*wish, error) {
	var w wish
	var missing []string
	for _, part := range wishes {
		found := part.pattern.FindStringSubmatch(request)
		if found == nil {
			missing = append(missing, part.what)
			continue
		}
		*part.into(&w) = strings.TrimRight(found[1], ".,;")
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: it does not say %s", errRequest, strings.Join(missing, ", "))
	}
	return &w, nil
}
