package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Where a URL ends, readers disagree: what makes another host of it to one of them
// is denied. Its name changes nothing.
func TestHostsWhereAURLEnds(t *testing.T) {
	p := policies.Hosts(must(policies.NewHostList([]string{"good.com"})), nil)
	corpus(t, "urls.txt", func(text string) string {
		got := denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{"text": text}))
		if got != "" {
			assert.Contains(t, got, "the URL ")
			assert.NotEmpty(t, denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{"url": text})))
		}
		return got
	})
}

// A number may be an address: 2130706433 is 127.0.0.1.
func TestHostsThatAreNumbers(t *testing.T) {
	list := must(policies.NewHostList([]string{"good.com"}))
	tool := desktop.Tool{Name: "x", InputSchema: json.RawMessage(`{"properties": {"max_links": {"type": "integer"}, "addr": {"format": "ipv4"}}}`)}
	for name, c := range map[string]struct {
		parameters map[string]any
		want       string
	}{
		"a host":             {map[string]any{"host": 2130706433}, `deny: the parameter "host" is for a URL, so it must be a text`},
		"in a list":          {map[string]any{"hosts": []any{"good.com", 1}}, `deny: the parameter "hosts" is for a URL, so it must be a text`},
		"by format":          {map[string]any{"addr": 1}, `deny: the parameter "addr" is for a URL, so it must be a text`},
		"what the tool says": {map[string]any{"max_links": 3}, "allow"},
		"something else":     {map[string]any{"count": 3}, "allow"},
		"no number":          {map[string]any{"follow_links": true, "url": nil, "link": ""}, "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(policies.Hosts(list, nil), tool, c.parameters))
		})
	}
}

// The host of an address in a text ends where the text goes on, unless that may be a part of the host to a reader.
func TestHostsInTexts(t *testing.T) {
	p := policies.Hosts(must(policies.NewHostList([]string{"www.example.com"})), nil)
	for text, ok := range map[string]bool{
		"“www.example.com”":                true,
		"“www.example.com”.":               true,
		"www.example.com—nice":             true,
		"see (www.example.com).":           true,
		"„www.example.com/x“":              true,
		"« www.example.com\u00a0»":         true,
		"see www.example.com。":             true,
		"see www.example.com…":             true,
		"www.example.com:443/x?y#z":        true,
		"www.example.com—nice.evil.test":   false,
		"www.example.com”@evil":            false,
		"www.example.com”@evil.test":       false,
		"www.example.com．evil":             false,
		"see www.example.com。evil":         false,
		"www.example.com”，www.evil.test":   false,
		"www.example.com-evil":             false,
		"www.example.com:81":               false,
		`www.example.com\@evil`:            false,
		"www.example.co\u200bm":            false,
		"www.example.comⓜ":                 false,
		"see www.example.com(www.evil.tv)": false,
		"www.example.com.evil.test":        false,
		"www.example.comé":                 false,
	} {
		got := denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{"text": text}))
		assert.Equal(t, ok, got == "", "%s: %s", text, got)
	}
}
