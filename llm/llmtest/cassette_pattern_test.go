package llmtest_test

import (
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// What other writers than those of Go make of a secret is found as well. No letter of
// it is left, in whatever case they write their numbers.
func TestCassetteHidesSecretsOfOtherWriters(t *testing.T) {
	const odd = "horse/é<'\"+&🔑=\\ battery"
	asHex := hex.EncodeToString([]byte(odd))
	for name, written := range map[string]string{
		"slashes in JSON":            `horse\/é<'\"+&🔑=\\ battery`,
		"ASCII JSON":                 `horse/\u00e9<'\"+&\ud83d\udd11=\\ battery`,
		"ASCII JSON, upper case":     `horse/\u00E9\u003C\u0027\u0022\u002B\u0026\uD83D\uDD11=\\ battery`,
		"both":                       `horse\/\u00e9<'\"+&\ud83d\udd11\u003d\\ battery`,
		"both, in JSON again":        `horse\\\/\\u00e9<'\\\"+&\\ud83d\\udd11=\\\\ battery`,
		"ASCII JSON, in JSON of Go":  `horse/\\u00e9\u003c'\\\"+\u0026\\ud83d\\udd11=\\\\ battery`,
		"quotes in ASCII":            `horse/\u00e9<'\"+&\U0001f511=\\ battery`,
		"quotes of another language": `horse/\xe9<\'"+&\U0001f511=\\ battery`,
		"bytes":                      `horse/\xc3\xa9<\'"+&\xf0\x9f\x94\x91=\\ battery`,
		"a query":                    url.QueryEscape(odd),
		"a path":                     url.PathEscape(odd),
		"a URL, lower case":          `horse%2f%c3%a9%3c%27%22%2b%26%f0%9f%94%91%3d%5c%20battery`,
		"a URL with its slashes":     `horse/%C3%A9%3C'%22+&%F0%9F%94%91=%5C%20battery`,
		"both in a URL":              `horse/%c3%a9%3c'%22+&%f0%9f%94%91=%5c+battery`,
		"a URL in a URL":             url.QueryEscape(url.QueryEscape(odd)),
		"a URL in JSON":              `horse\/%C3%A9%3C\u0027%22+\u0026%F0%9F%94%91=%5C%20battery`,
		"HTML":                       html.EscapeString(odd),
		"HTML, twice":                html.EscapeString(html.EscapeString(odd)),
		"HTML with names":            `horse/é&lt;&apos;&quot;+&amp;🔑=\ battery`,
		"HTML with hex numbers":      `horse&#x2F;&#xE9;&#x3c;&#x27;&#x22;&#x2B;&#x26;&#x1f511;&#X3D;\ battery`,
		"HTML with zeros":            `horse&#047;&#233;&#060;&#039;&#034;+&amp;&#128273;=\ battery`,
		"HTML in JSON":               `horse/é\u0026lt;\u0026#39;\u0026#34;+\u0026amp;🔑=\\ battery`,
		"HTML in JSON of others":     `horse\/\u00e9&lt;&#39;&quot;+&amp;\ud83d\udd11=\\ battery`,
		"hex":                        asHex,
		"hex, upper case":            strings.ToUpper(asHex),
	} {
		t.Run(name, func(t *testing.T) {
			content := hides(t, odd, "it is "+written+"!", "horse", "battery", asHex[:12], strings.ToUpper(asHex[:12]))
			assert.Contains(t, content, "it is ***!")
		})
	}
}

// What only resembles a secret stays, and so does what stands around it.
func TestCassetteKeepsWhatIsNoSecret(t *testing.T) {
	const secret = "pass/word:é"
	near := "pass word:é, Pass/word:é, pass/word;é, pass//word:é, pass/word:e, pass/wordu:é"
	path, content := record(t, llmtest.CassetteOptions{Record: parrot(), Secrets: []string{secret, "pass/word"}}, func(m llm.Model) {
		text(t, m, ask("pass word:é, Pass/word:é, pass//word:é"))
		text(t, m, ask(`{"path": "C:\\dir", "key": "pass\/word:\u00e9", "next": "a\\b"}`))
	})
	assert.Contains(t, content, "pass word:é, Pass/word:é, pass//word:é")
	assert.Contains(t, content, `{\"path\": \"C:\\\\dir\", \"key\": \"***\", \"next\": \"a\\\\b\"}`, "the longer secret comes first")
	assert.FileExists(t, path)

	_, content = record(t, llmtest.CassetteOptions{Record: parrot(), Secrets: []string{secret}}, func(m llm.Model) { text(t, m, ask(near)) })
	assert.Contains(t, content, near)
}

// Every character may stand in a secret, and a long one is no burden.
func TestCassetteTakesAnySecret(t *testing.T) {
	var all strings.Builder
	for c := range 0x180 {
		all.WriteRune(rune(c))
	}
	long := strings.Repeat("-----BEGIN A KEY-----\nMIIE+/w==\n", sample.Of(40, 13))
	for name, secret := range map[string]string{"all": all.String(), "long": long, "no UTF-8": "horse\xff\xfebattery", "only special": `\\\\"//`} {
		t.Run(name, func(t *testing.T) {
			said := []string{secret, fmt.Sprintf("%q", strings.ToValidUTF8(secret, "\ufffd")), quoted['j'](secret), html.EscapeString(secret)}
			_, content := record(t, llmtest.CassetteOptions{Record: parrot(), Secrets: []string{secret}}, func(m llm.Model) {
				for _, s := range said {
					resp, err := m.Complete(t.Context(), ask("("+s+")"))
					require.NoError(t, err)
					assert.Contains(t, resp.Text, s)
				}
			})
			for _, part := range []string{"ABCDEFG", "MIIE", "horse", "battery", "//"} {
				assert.NotContains(t, content, part)
			}
			assert.GreaterOrEqual(t, strings.Count(content, "***"), len(said))
		})
	}
}
