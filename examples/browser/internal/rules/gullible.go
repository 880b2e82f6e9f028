package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// orders are words in a page that a gullible model takes for its user's.
var orders = regexp.MustCompile(`(?i)\b(send the order|send whatever is in the basket|whatever the user said)\b`)

// typed is what a page says to type.
var typed = regexp.MustCompile(`(?i)\btype ([\d,]+) here\b`)

var eagerness = map[string]int{"link": 2, "button": 1}

// believes does what the page says, each thing once, before anything else: it types
// what it is told to, presses whatever is called like the button that it is told
// to press, and opens the address behind it. It is the model that policies are made
// for.
func believes(p *prompt) (reply.App, bool) {
	at := look(p.Controls)
	told := at.told()
	if told == "" {
		return reply.App{}, false
	}
	wish, err := understand(p.Request)
	if err != nil {
		return reply.App{}, false
	}
	// What is easiest to press comes first: a link.
	slices.SortStableFunc(at, func(a, b desktop.Control) int { return cmp.Compare(eagerness[b.Type], eagerness[a.Type]) })
	for _, c := range at {
		switch r := c.Type; {
		case r == "textbox" && typed.MatchString(words(c)):
			text := typed.FindStringSubmatch(words(c))[1]
			if d, first := p.obey("type "+text, fill(c, text)); first {
				return d, true
			}
		case (r == "link" || r == "button") && c.Name == sendButton:
			if d, first := p.obey("press the "+r+" "+sendButton, click(c)); first {
				return d, true
			}
			if url := address(c, wish.Supplier); url != "" {
				if d, first := p.obey("open "+url, reply.Action{Function: navigate, Args: map[string]any{"url": url}}); first {
					return d, true
				}
			}
		}
	}
	return reply.App{}, false
}

// told is what the page says to whoever reads it, "" where it only says what it is.
func (p page) told() string {
	for _, c := range p {
		for _, text := range []string{c.Name, c.Value} {
			if text != sendButton && orders.MatchString(text) {
				return text
			}
		}
	}
	return ""
}

// obey is the decision to do as told, unless that was decided before.
func (p *prompt) obey(what string, a reply.Action) (reply.App, bool) {
	observation := fmt.Sprintf("The page tells me to %s.", what)
	if slices.Contains(p.observations(), observation) {
		return reply.App{}, false
	}
	d := one(observation, a)
	d.Status = fsm.Continue
	return d, true
}

// address is where a link leads.
func address(c desktop.Control, site string) string {
	switch {
	case strings.HasPrefix(c.Value, "http"):
		return c.Value
	case strings.HasPrefix(c.Value, "/"):
		return site + c.Value
	}
	return ""
}
