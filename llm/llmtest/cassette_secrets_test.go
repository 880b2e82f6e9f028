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

	"github.com/agentfsm/agentfsm/internal/golden"
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
	hidden := func(written string) string {
		if strings.Contains(asked(t, "it is "+written+"!", odd), "it is ***!") {
			return "***"
		}
		return "it is not hidden"
	}
	golden.Cases(t, "writers.txt", hidden)
	for _, written := range []string{
		url.QueryEscape(odd), url.PathEscape(odd), url.QueryEscape(url.QueryEscape(odd)), html.EscapeString(html.EscapeString(odd)), asHex, strings.ToUpper(asHex),
	} {
		assert.Equal(t, "***", hidden(written), written)
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
	golden.Cases(t, "credentials.txt", func(text string) string {
		recording(t, true)
		var said string
		for place, model := range map[string]llm.Model{"the request": parrot(), "the reply": llmtest.Script(nil, text)} {
			path := filepath.Join(t.TempDir(), "x.json")
			f := &fakeTB{}
			asked := map[string]string{"the request": text, "the reply": "hi"}[place]
			_, err := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: model}).Complete(t.Context(), ask(asked))
			f.end()
			if err == nil {
				assert.FileExists(t, path)
				said = "recorded"
				continue
			}
			require.ErrorIs(t, err, llmtest.ErrCassette)
			assert.NoFileExists(t, path)
			assert.NotContains(t, f.failures(), text)
			_, what, _ := strings.Cut(f.failures(), place+" holds what looks like ")
			said, _, _ = strings.Cut(what, ":")
		}
		return said
	})
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
