package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Where a URL ends, readers disagree: what makes another host of it to one of them
// is denied.
func TestHostsWhereAURLEnds(t *testing.T) {
	list := must(policies.NewHostList([]string{"good.com"}))
	const (
		another = `has an "@" behind it`
		blank   = "has blanks"
		unread  = "cannot be read"
	)
	for text, denied := range map[string]string{
		`https://good.com"@evil.com/`:               unread,
		`https://good.com'@evil.com/`:               "user",
		`https://good.com<@evil.com/`:               unread,
		`https://good.com @evil.com/`:               blank,
		"https://good.com\t@evil.com/":              blank,
		"https://good.com\n.evil.com/":              blank,
		" \u00a0https://good.com @evil.com/":        blank,
		"https:good.com @evil.com/":                 blank,
		`WSS://good.com"@evil.com/`:                 unread,
		`x://good.com"@evil.com/`:                   unread,
		"https://good.com is a fine site":           blank,
		`see https://good.com"@evil.com/`:           another,
		`see https://good.com'@evil.com/`:           another,
		"see https://good.com<@evil.com/":           another,
		"see https://good.com @evil.com/":           another,
		"see https://good.com:443\n@evil.com":       another,
		"see https://good.com. @evil.com/":          another,
		`see https://good.com"\@evil.com/`:          another,
		"see https://good.com?x @evil.com/":         another,
		`"https://good.com"@evil.com/`:              another,
		"see https://good.com x:y@evil.com/":        another,
		"see https://good.com/x and https://evil/":  "not on the list",
		`see https://good.com/x"@evil.com/`:         "", // the slash has ended the host
		"see https://good.com/ or ada@example.com":  "",
		"see https://good.com/x or ada@example.com": "",
		"ada@example.com likes https://good.com":    "",
		"see https://good.com a/b@c":                "",
		`{"page": "https://good.com", "n": 1}`:      "",
		"https://good.com":                          "",
		" https://good.com/x?y=ada@example.com ":    "",
		"<https://good.com>":                        "",
	} {
		t.Run(text, func(t *testing.T) {
			p := policies.Hosts(list, nil)
			got := verdict(p, desktop.Tool{Name: "x"}, map[string]any{"text": text})
			if denied == "" {
				assert.Equal(t, "allow", got)
				return
			}
			assert.Contains(t, got, "deny: the URL ")
			assert.Contains(t, got, denied)
			assert.Contains(t, verdict(p, desktop.Tool{Name: "x"}, map[string]any{"url": text}), "deny: ", "its name changes nothing")
		})
	}
}

// A number may be an address: 2130706433 is 127.0.0.1.
func TestHostsThatAreNumbers(t *testing.T) {
	list := must(policies.NewHostList([]string{"good.com"}))
	tool := desktop.Tool{Name: "x", InputSchema: json.RawMessage(`{"properties": {"max_links": {"type": "integer"}, "addr": {"format": "ipv4"}}}`)}
	for name, c := range map[string]struct {
		parameters map[string]any
		want       string
	}{
		"a host":             {map[string]any{"host": 2130706433}, `deny: the parameter "host" is for a URL or a host, and has a number`},
		"in a list":          {map[string]any{"hosts": []any{"good.com", 1}}, `deny: the parameter "hosts" is for a URL or a host, and has a number`},
		"by format":          {map[string]any{"addr": 1}, `deny: the parameter "addr" is for a URL or a host, and has a number`},
		"what the tool says": {map[string]any{"max_links": 3}, "allow"},
		"something else":     {map[string]any{"count": 3}, "allow"},
		"no number":          {map[string]any{"follow_links": true, "url": nil, "link": ""}, "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(policies.Hosts(list, nil), tool, c.parameters))
		})
	}
}
