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
		"a host":             {map[string]any{"host": 2130706433}, `deny: the parameter "host" is for a URL or a host, so it must be a text`},
		"in a list":          {map[string]any{"hosts": []any{"good.com", 1}}, `deny: the parameter "hosts" is for a URL or a host, so it must be a text`},
		"by format":          {map[string]any{"addr": 1}, `deny: the parameter "addr" is for a URL or a host, so it must be a text`},
		"what the tool says": {map[string]any{"max_links": 3}, "allow"},
		"something else":     {map[string]any{"count": 3}, "allow"},
		"no number":          {map[string]any{"follow_links": true, "url": nil, "link": ""}, "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(policies.Hosts(list, nil), tool, c.parameters))
		})
	}
}
