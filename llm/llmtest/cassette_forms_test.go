package llmtest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// quoted puts a text into a JSON object, a JSON object without the escapes for
// HTML, or a quoted text.
var quoted = map[byte]func(string) string{
	'j': func(text string) string {
		raw, err := json.Marshal(map[string]string{"said": text})
		if err != nil {
			panic(err) // a map of strings has a JSON form
		}
		return string(raw)
	},
	'p': func(text string) string {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode([]string{text}); err != nil {
			panic(err) // as above
		}
		return strings.TrimSpace(b.String())
	},
	'q': strconv.Quote,
}

// A secret that needs escaping is found where it was escaped several times: a reply
// that was refused is shown again inside JSON, in quotes.
func TestCassetteHidesSecretsInJSONInJSON(t *testing.T) {
	ways := []string{""}
	for from, depth := 0, 0; depth < 4; depth++ {
		for _, way := range ways[from:] {
			from++
			for _, kind := range "jpq" {
				ways = append(ways, way+string(kind))
			}
		}
	}
	require.Len(t, ways, 1+3+9+27+81)
	for name, secret := range map[string]string{
		"quote": `horse"battery`, "backslash": `horse\battery`, "less": "horse<battery", "greater": "horse>battery", "and": "horse&battery",
		"line break": "horse\nbattery", "carriage return": "horse\r\nbattery", "control": "horse\x01battery", "all": "horse\"\\<>&\n\u2028é\tbattery", "none": "horse-battery",
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for i, way := range ways {
				if i%sample.Every(7) != 0 {
					continue
				}
				text := "my password is " + secret + "!"
				for _, kind := range []byte(way) {
					text = quoted[kind](text)
				}
				texts = append(texts, way+": "+text)
			}
			hides(t, secret, strings.Join(texts, "\n"), "horse", "battery")
		})
	}
}

// A secret is found in the base64 of a longer text, wherever it is in it.
func TestCassetteHidesSecretsInBase64(t *testing.T) {
	for name, c := range map[string]struct {
		secret string
		enc    *base64.Encoding
	}{
		"standard": {"correct horse battery", base64.StdEncoding}, "of URLs": {"horse??>>~~battery", base64.URLEncoding},
		"without padding": {"correct horse battery", base64.RawStdEncoding}, "plus and slash": {"horse??>>~~battery", base64.StdEncoding},
		"quotes": {`horse"<battery`, base64.StdEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			var texts, shown []string
			add := func(text string) {
				at := strings.Index(text, "horse")
				texts = append(texts, c.enc.EncodeToString([]byte(text)))
				for before := range 3 { // what the word looks like at its place
					part := base64.RawStdEncoding.EncodeToString([]byte(text[at+before:])[:3])
					if (at+before)%3 == 0 {
						shown = append(shown, part)
					}
				}
			}
			for before := range 7 {
				for after := range 4 {
					text := strings.Repeat("u", before) + c.secret + strings.Repeat(":", after)
					add(text)
					add(strings.Repeat("u", before) + quoted['j'](text))
				}
			}
			hides(t, c.secret, strings.Join(texts, "\n"), shown...)
		})
	}
}

// A short secret lies in base64 with few characters of its own.
func TestCassetteHidesShortSecretsInBase64(t *testing.T) {
	for before := range 6 {
		whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-", before) + "p@ss" + "----"))
		content := hides(t, "p@ss", whole)
		assert.NotContains(t, content, whole)
		assert.Contains(t, content, "***")
	}
}

// hides records a text as a request, a reply and an error, and looks for what must
// not be in the file. It replays the file as well.
func hides(t *testing.T, secret, text string, never ...string) string {
	t.Helper()
	model := llmtest.Script(t,
		&llm.Response{Text: text, Spent: []llm.ModelUsage{{Model: text, Usage: llm.Usage{InputTokens: 1}}, {Model: "m"}}},
		&llm.CallError{Kind: llm.ErrRejected, Message: text}, errors.New(text))
	talk := func(m llm.Model) {
		resp, err := m.Complete(t.Context(), ask(text))
		require.NoError(t, err)
		assert.Len(t, resp.Spent, 2)
		for range 2 {
			_, err := m.Complete(t.Context(), ask(text))
			require.Error(t, err)
		}
	}
	path, content := record(t, llmtest.CassetteOptions{Record: model, Secrets: []string{secret}}, talk)
	for _, part := range never {
		assert.Equal(t, 0, strings.Count(content, part), "%s in %s", part, firstWith(content, part))
	}
	tape, f := replay(t, path, &llmtest.CassetteOptions{Secrets: []string{secret}})
	talk(tape)
	f.end()
	assert.Empty(t, f.failures())
	return content
}

func firstWith(content, part string) string {
	for line := range strings.Lines(content) {
		if strings.Contains(line, part) {
			return fmt.Sprintf("%.300s", line)
		}
	}
	return "no line"
}

// The parts of a call that several models answered come back as they were.
func TestCassetteKeepsWhatEachModelUsed(t *testing.T) {
	spent := []llm.ModelUsage{{Model: "big", Usage: llm.Usage{InputTokens: 7}}, {Model: "small", Usage: llm.Usage{OutputTokens: 2}}}
	want := &llm.Response{Text: "hi", Model: "small", Usage: llm.Usage{InputTokens: 7, OutputTokens: 2}, Spent: spent}
	path, _ := record(t, llmtest.CassetteOptions{Record: llmtest.Script(t, want, want)}, func(m llm.Model) {
		for range 2 {
			_, err := m.Complete(t.Context(), ask("x"))
			require.NoError(t, err)
		}
	})
	tape, f := replay(t, path, nil)
	resp, err := tape.Complete(t.Context(), ask("x"))
	require.NoError(t, err)
	assert.Equal(t, want, resp)
	resp.Spent[0].Model = "changed"
	resp, err = tape.Complete(t.Context(), ask("x"))
	require.NoError(t, err)
	assert.Equal(t, want, resp)
	f.end()
	assert.Empty(t, f.failures())
}
