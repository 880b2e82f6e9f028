package policies_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/policies"
)

var hostEntries = []string{"example.com", "*.example.org", "127.0.0.1", "[::1]:8080", "api.test:8443", "any.test:*", "xn--mnchen-3ya.de", "Upper.Test."}

func TestHostList(t *testing.T) {
	l, err := policies.NewHostList(hostEntries)
	require.NoError(t, err)
	for url, want := range map[string]string{
		"https://example.com":                   "",
		"https://example.com/a?b#c":             "",
		"HTTPS://EXAMPLE.COM./":                 "",
		"http://example.com:80/":                "",
		"https://example.com:443":               "",
		"https://example.com:":                  "",
		"example.com/path":                      "",
		"example.com":                           "",
		"https://a.example.org":                 "",
		"https://a.b.example.org":               "",
		"http://127.0.0.1/":                     "",
		"http://[::1]:8080/":                    "",
		"http://[0:0::1]:8080/":                 "",
		"http://[::ffff:127.0.0.1]/":            "",
		"https://api.test:8443/":                "",
		"https://any.test:1/":                   "",
		"https://xn--mnchen-3ya.de":             "",
		"https://upper.test":                    "",
		"https://example.com/?u=https://x.test": "",

		"https://evil.test":               "host that is not",
		"https://example.com.evil.test":   "host that is not",
		"https://evil-example.com":        "host that is not",
		"https://sub.example.com":         "host that is not",
		"https://example.org":             "host that is not",
		"https://aexample.org":            "host that is not",
		"example.com.evil.test/x":         "host that is not",
		"http://[::2]:8080/":              "host that is not",
		"https://example.com:8443":        "port that is not",
		"https://example.com:80":          "port that is not",
		"https://api.test":                "port that is not",
		"http://[::1]/":                   "port that is not",
		"https://example.com@evil.test":   "user",
		"https://example.com:x@evil.test": "user",
		"https://@example.com":            "user",
		"https://example.com%40evil.test": "cannot be read",
		`https://evil.test\@example.com`:  "backslash",
		`https:\\evil.test`:               "backslash",
		"https://example.com\t.evil.test": "blanks",
		" https://example.com":            "blanks",
		"https://example.com\n":           "blanks",
		"https://exam\u200bple.com":       "blanks or",
		"https://еxample.com":             "ASCII",
		"https://ｅxample.com":             "ASCII",
		"https://example。com":             "ASCII",
		"https://münchen.de":              "ASCII",
		"http://127.1":                    "unusual form",
		"http://2130706433":               "unusual form",
		"http://0x7f000001":               "unusual form",
		"http://0177.0.0.1":               "unusual form",
		"http://127.0.0.0x1":              "unusual form",
		"http://127.0.0.1.":               "",
		"http://[::1%25eth0]:8080/":       "zone",
		"//example.com/x":                 "no scheme",
		"/path":                           "no scheme",
		"https:example.com":               "no host",
		"https:///example.com":            "no host",
		"https://":                        "no host",
		"ftp://example.com":               "scheme",
		"file:///etc/passwd":              "scheme",
		"javascript:alert(1)":             "scheme",
		"data:text/html,x":                "scheme",
		"about:blank":                     "scheme",
		"https://exa mple.com":            "blanks",
		"https://-x.test":                 "no host that can be read",
		"https://a..b":                    "no host that can be read",
		"":                                "empty",
	} {
		problem := l.Problem(url)
		if want == "" {
			assert.Empty(t, problem, "%q", url)
		} else {
			assert.Contains(t, problem, want, "%q", url)
		}
	}
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
