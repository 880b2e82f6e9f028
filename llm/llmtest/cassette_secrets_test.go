package llmtest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestCassetteHidesSecretsEverywhere(t *testing.T) {
	const secret = `hunter"2<&>\é`
	everywhere := "it is " + secret
	req := ask(everywhere)
	req.Schema = &llm.Schema{Name: "s", Description: secret, JSON: []byte(inJSON(secret))}
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: &llm.Image{MediaType: secret, Data: []byte(secret)}})
	failure := &llm.CallError{Kind: llm.ErrRejected, Model: secret, Message: everywhere, Err: errors.New(everywhere)}
	spent := []llm.ModelUsage{{Model: secret, Usage: llm.Usage{InputTokens: 1}}, {Model: "m"}}
	model := llmtest.Script(t, &llm.Response{Text: everywhere, Model: secret, FinishReason: secret, Spent: spent}, failure, errors.New(everywhere))
	var first string
	talk := func(m llm.Model) {
		first = text(t, m, req)
		for range 2 {
			_, err := m.Complete(t.Context(), req)
			require.Error(t, err)
		}
	}
	path, content := record(t, llmtest.CassetteOptions{Record: model, Secrets: []string{secret}}, talk)
	assert.Equal(t, everywhere, first, "the recording run needs the secret")
	assert.NotContains(t, content, "hunter")
	assert.NotContains(t, content, "aHVudGVy")
	replayed(t, path, &llmtest.CassetteOptions{Secrets: []string{secret, ""}}, talk)
	assert.Equal(t, "it is ***", first)

	tape, f := replay(t, path, &llmtest.CassetteOptions{Secrets: []string{secret}})
	_, err := tape.Complete(t.Context(), ask("my password is "+secret))
	var miss *llmtest.MissError
	require.ErrorAs(t, err, &miss)
	assert.Contains(t, miss.Diff, "+ my password is ***")
	assert.NotContains(t, f.failures(), "hunter")
}

func inJSON(text string) string {
	raw, err := json.Marshal(map[string]string{"said": text})
	if err != nil {
		panic(err) // a map of strings has a JSON form
	}
	return string(raw)
}

// asked is what a cassette has of a text in a request.
func asked(t *testing.T, text string, secrets ...string) string {
	t.Helper()
	_, content := record(t, llmtest.CassetteOptions{Record: always(said("ok", "stop"), nil)(t), Secrets: secrets}, func(m llm.Model) {
		_, err := m.Complete(t.Context(), ask(text))
		require.NoError(t, err)
	})
	return content
}

// hides looks for what must not be in the file.
func hides(t *testing.T, secret, text string, never ...string) string {
	t.Helper()
	content := asked(t, text, secret)
	for line := range strings.Lines(content) {
		for _, part := range never {
			assert.Equal(t, 0, strings.Count(line, part), "%s in %.300s", part, line)
		}
	}
	return content
}

// A secret that needs escaping is found where it was escaped several times: a reply
// that was refused is shown again inside JSON, in quotes.
func TestCassetteHidesSecretsInJSONInJSON(t *testing.T) {
	const secret = "horse\"\\<>&\n\r\x01\u2028é\tbattery"
	wrap := []func(string) string{inJSON, strconv.Quote, func(text string) string {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode([]string{text}); err != nil {
			panic(err) // as above
		}
		return strings.TrimSpace(b.String())
	}}
	texts := []string{"my password is " + secret + "!"}
	for from, depth := 0, 0; depth < 4; depth++ {
		for _, text := range texts[from:] {
			from++
			for _, in := range wrap {
				texts = append(texts, in(text))
			}
		}
	}
	require.Len(t, texts, 1+3+9+27+81)
	hides(t, secret, strings.Join(texts, "\n"), "horse", "battery")
}

// A secret is found in the base64 of a longer text, wherever it is in it.
func TestCassetteHidesSecretsInBase64(t *testing.T) {
	for name, c := range map[string]struct {
		secret string
		enc    *base64.Encoding
	}{
		"of URLs": {"horse??>>~~battery", base64.URLEncoding}, "without padding": {"correct horse battery", base64.RawStdEncoding},
		"plus and slash": {"horse??>>~~battery", base64.StdEncoding}, "quotes": {`horse"<battery`, base64.StdEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			var texts, shown []string
			add := func(text string) {
				at := strings.Index(text, "horse")
				texts = append(texts, c.enc.EncodeToString([]byte(text)))
				for before := range 3 { // what the word looks like at its place
					if (at+before)%3 == 0 {
						shown = append(shown, base64.RawStdEncoding.EncodeToString([]byte(text[at+before:])[:3]))
					}
				}
			}
			for before := range 7 {
				for after := range 4 {
					text := strings.Repeat("u", before) + c.secret + strings.Repeat(":", after)
					add(text)
					add(strings.Repeat("u", before) + inJSON(text))
				}
			}
			hides(t, c.secret, strings.Join(texts, "\n"), shown...)
		})
	}
	for before := range 6 { // a short secret has few characters of its own
		whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-", before) + "p@ss" + "----"))
		assert.Contains(t, hides(t, "p@ss", whole, whole), "***")
	}
}

// What other writers than those of Go make of a secret is found as well. No letter of
// it is left, in whatever case they write their numbers.
func TestCassetteHidesSecretsOfOtherWriters(t *testing.T) {
	const odd = "horse/é<'\"+&🔑=\\ battery"
	asHex := hex.EncodeToString([]byte(odd))
	for name, written := range map[string]string{
		"slashes in JSON":            `horse\/é<'\"+&🔑=\\ battery`,
		"ASCII JSON, upper case":     `horse/\u00E9\u003C\u0027\u0022\u002B\u0026\uD83D\uDD11=\\ battery`,
		"both":                       `horse\/\u00e9<'\"+&\ud83d\udd11\u003d\\ battery`,
		"both, in JSON again":        `horse\\\/\\u00e9<'\\\"+&\\ud83d\\udd11=\\\\ battery`,
		"ASCII JSON, in JSON of Go":  `horse/\\u00e9\u003c'\\\"+\u0026\\ud83d\\udd11=\\\\ battery`,
		"quotes in ASCII":            `horse/\u00e9<'\"+&\U0001f511=\\ battery`,
		"quotes of another language": `horse/\xe9<\'"+&\U0001f511=\\ battery`,
		"bytes":                      `horse/\xc3\xa9<\'"+&\xf0\x9f\x94\x91=\\ battery`,
		"a query":                    url.QueryEscape(odd),
		"a path":                     url.PathEscape(odd),
		"a URL with its slashes":     `horse/%C3%A9%3C'%22+&%F0%9F%94%91=%5C%20battery`,
		"both in a URL":              `horse/%c3%a9%3c'%22+&%f0%9f%94%91=%5c+battery`,
		"a URL in a URL":             url.QueryEscape(url.QueryEscape(odd)),
		"a URL in JSON":              `horse\/%C3%A9%3C\u0027%22+\u0026%F0%9F%94%91=%5C%20battery`,
		"HTML, twice":                html.EscapeString(html.EscapeString(odd)),
		"HTML with names":            `horse/é&lt;&apos;&quot;+&amp;🔑=\ battery`,
		"HTML with hex numbers":      `horse&#x2F;&#xE9;&#x3c;&#x27;&#x22;&#x2B;&#x26;&#x1f511;&#X3D;\ battery`,
		"HTML with zeros":            `horse&#047;&#233;&#060;&#039;&#034;+&amp;&#128273;=\ battery`,
		"HTML in JSON":               `horse/é\u0026lt;\u0026#39;\u0026#34;+\u0026amp;🔑=\\ battery`,
		"hex":                        asHex,
		"hex, upper case":            strings.ToUpper(asHex),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, hides(t, odd, "it is "+written+"!"), "it is ***!")
		})
	}
}

// What only resembles a secret stays, and so does what stands around it.
func TestCassetteKeepsWhatIsNoSecret(t *testing.T) {
	const secret = "pass/word:é"
	near := "pass word:é, Pass/word:é, pass/word;é, pass//word:é, pass/word:e, pass/wordu:é"
	assert.Contains(t, asked(t, near, secret), near)
	content := asked(t, `{"path": "C:\\dir", "key": "pass\/word:\u00e9", "next": "a\\b"}`, secret, "pass/word")
	assert.Contains(t, content, `{\"path\": \"C:\\\\dir\", \"key\": \"***\", \"next\": \"a\\\\b\"}`, "the longer secret comes first")
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
			said := []string{secret, fmt.Sprintf("%q", strings.ToValidUTF8(secret, "\ufffd")), inJSON(secret), html.EscapeString(secret)}
			content := hides(t, secret, "("+strings.Join(said, ")\n(")+")", "ABCDEFG", "MIIE", "horse", "battery", "//")
			assert.GreaterOrEqual(t, strings.Count(content, "***"), len(said))
		})
	}
}

func TestCassetteRedacts(t *testing.T) {
	digits := regexp.MustCompile(`\d{6}`)
	opts := llmtest.CassetteOptions{Record: parrot(), Redact: func(s string) string { return digits.ReplaceAllString(s, "<code>") }}
	path, content := record(t, opts, func(m llm.Model) { text(t, m, ask("my code is 123456")) })
	assert.NotContains(t, content, "123456")
	opts.Record = nil
	replayed(t, path, &opts, func(m llm.Model) {
		assert.Equal(t, "1: my code is <code>", text(t, m, ask("my code is 654321")))
	})
}

func TestCassetteRefusesSecretsThatAreNone(t *testing.T) {
	for name, tc := range map[string]struct{ secret, record, want string }{
		"short":                 {"abc", "", "value 2 of Secrets has fewer than 4 bytes"},
		"not set, recording":    {"", "1", "value 2 of Secrets is empty"},
		"not set when replayed": {"", "", "there is no such recording"},
	} {
		t.Run(name, func(t *testing.T) {
			recording(t, tc.record != "")
			f := &fakeTB{}
			llmtest.Cassette(f, filepath.Join(t.TempDir(), "x.json"), &llmtest.CassetteOptions{Record: parrot(), Secrets: []string{"long enough", tc.secret}})
			assert.Contains(t, f.fatal, tc.want)
			assert.NotContains(t, f.fatal, "abc")
		})
	}
}

func TestCassetteRefusesWhatLooksLikeACredential(t *testing.T) {
	for text, what := range map[string]string{
		"Authorization: Bearer abc123def456ghi789":        "a bearer token",
		`"{\"Authorization\": \"Bearer abc123def456gh\"}`: "a bearer token",
		"authorization: token0123456789":                  "an Authorization header",
		"Authorization: Basic dXNlcjpwYXNzd29yZDE=":       "basic credentials",
		"x-api-key: 0123456789abcdef0123":                 "an API key",
		`"api_key": "0123456789abcdef0123"`:               "an API key",
		"use sk-proj-0123456789abcdefghijklm, please":     "a key that begins with sk-",
		"ghp_0123456789abcdefghijklmnopqrstuvwxyz":        "a GitHub token",
		"glpat-0123456789abcdefghij":                      "a GitLab token",
		"xoxb-0123456789-abcdef":                          "a Slack token",
		"AIzaSyA0123456789abcdefghijklmnopqrstuvw":        "a Google API key",
		"AKIAIOSFODNN7EXAMPLE":                            "an AWS access key",
		"hf_0123456789abcdefghijklmnopqrstuv":             "a Hugging Face token",
		"-----BEGIN RSA PRIVATE KEY-----":                 "a private key",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln":   "a JSON Web Token",
		"postgres://admin:swordfish@db/prod":              "a password in a URL",
	} {
		t.Run(what, func(t *testing.T) {
			recording(t, true)
			for place, tc := range map[string]struct {
				req   string
				model llm.Model
			}{
				"the request": {text, llmtest.Script(t)},
				"the reply":   {"hi", llmtest.Script(t, text)},
			} {
				path := filepath.Join(t.TempDir(), "x.json")
				f := &fakeTB{}
				tape := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: tc.model})
				_, err := tape.Complete(t.Context(), ask(tc.req))
				require.ErrorIs(t, err, llmtest.ErrCassette)
				assert.Contains(t, f.failures(), place+" holds what looks like "+what)
				assert.NotContains(t, f.failures(), text)
				f.end()
				assert.NoFileExists(t, path)
			}
		})
	}
	recorded(t, ask("Authorization: required for all requests", "a basic understanding of internationalization", "bearer authentication is used",
		"task-sk-learning about scikit", "sk-learn-introduction-for-everybody", "the API key: see the settings-of-your-account", "Authorization: Bearer ***",
		"https://example.com:8080/a@b", "time 12:30:45 me@example.com", "Bearer <token>", "postgres://admin:***@db/prod"))
}

func TestCassetteLooksAgainBeforeItWrites(t *testing.T) {
	recording(t, true)
	path := filepath.Join(t.TempDir(), "x.json")
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: parrot(), Secrets: []string{"swordfish"}, Normalize: func(s string) string { return s + "swordfish" }})
	text(t, tape, ask("x"))
	f.end()
	assert.Contains(t, f.failures(), "was not written: a secret would be in it")
	assert.NoFileExists(t, path)
}
