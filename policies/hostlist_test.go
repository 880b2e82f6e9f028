package policies_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/policies"
)

func TestHostList(t *testing.T) {
	l := must(policies.NewHostList([]string{"example.com", "*.example.org", "127.0.0.1", "[::1]:8080", "api.test:8443", "any.test:*", "xn--mnchen-3ya.de", "Upper.Test."}))
	corpus(t, "hostlist.txt", func(url string) string { return l.Problem(url) })
}

func TestHostSchemes(t *testing.T) {
	l := must(policies.NewHostList([]string{"example.com"}, "wss", "about"))
	for url, ok := range map[string]bool{
		"wss://example.com": true, "example.com": true, "about:blank": true, "https://example.com": false, "about://x": false, "about:/etc": false,
	} {
		assert.Equal(t, ok, l.Problem(url) == "", url)
	}
	assert.NotEmpty(t, new(policies.HostList).Problem("example.com"), "an empty list")
}

func TestNewHostListRefuses(t *testing.T) {
	for _, entry := range []string{
		"", "*", "*.", "*example.com", "a.*.com", "https://example.com", "example.com/x", "münchen.de", "example.com:", "example.com:x", "example.com:70000",
		"example.com:080", "user@example.com", "*.127.0.0.1", "127.1", "fe80::1%eth0", "a b",
	} {
		l, err := policies.NewHostList([]string{entry})
		assert.Nil(t, l, entry)
		assert.ErrorContains(t, err, "policies: hosts: "+strconv.QuoteToASCII(entry), entry)
	}
	_, err := policies.NewHostList(nil, "HTTPS")
	assert.EqualError(t, err, `policies: schemes: "HTTPS" is no scheme in lower case`)
	_, err = policies.NewHostList([]string{"::1", "fe80::1"})
	assert.NoError(t, err)
}

// What passes has one of the hosts behind its scheme, for whoever reads letters.
func FuzzHostList(f *testing.F) {
	for _, url := range []string{"https://example.com", "https://a@example.com", "//x", "example.com:443/x", "http://127.1", "https:example.com", "https://[::1]:8080"} {
		f.Add(url)
	}
	l := must(policies.NewHostList([]string{"example.com"}))
	f.Fuzz(func(t *testing.T, url string) {
		if l.Problem(url) != "" {
			return
		}
		host := strings.ToLower(url)
		for _, scheme := range []string{"https://", "http://"} {
			host = strings.TrimPrefix(host, scheme)
		}
		if end := strings.IndexAny(host, "/?#"); end >= 0 {
			host = host[:end]
		}
		host, _, _ = strings.Cut(host, ":")
		assert.Equal(t, "example.com", strings.TrimSuffix(host, "."), "%q", url)
	})
}
