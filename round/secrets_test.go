package round_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Programs write a secret in their coding: into the address that an HTTP client's error
// has, into a header, into a page. None of them is shown, nor more of one than a letter at each end.
func TestSecretsInOtherCodings(t *testing.T) {
	for _, secret := range []string{"hunter2-XyZZy!", "correct horse/battery?staple", "p@ss&w<rd>=\"1\"", "ключ от дома"} {
		for name, coded := range map[string]string{
			"query":         (&url.Error{Op: "Get", URL: "https://x.example/?" + url.Values{"password": {secret}}.Encode(), Err: errors.New("EOF")}).Error(),
			"path":          "https://x.example/" + url.PathEscape(secret) + "/y",
			"user info":     (&url.URL{Scheme: "https", User: url.UserPassword("bob", secret), Host: "x.example"}).String(),
			"HTML":          "<b>" + html.EscapeString(secret) + "</b>",
			"hex":           hex.EncodeToString([]byte(secret)),
			"base64":        base64.StdEncoding.EncodeToString([]byte(secret)),
			"base64 of URL": base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"basic auth 1":  "Basic " + base64.StdEncoding.EncodeToString([]byte("bob:"+secret)),
			"basic auth 2":  "Basic " + base64.StdEncoding.EncodeToString([]byte("bobo:"+secret+"!!")),
		} {
			t.Run(name+" "+secret, func(t *testing.T) {
				steps, err := observe(t, keeper(secret, func(context.Context) error { return fmt.Errorf("401 for %s", coded) }))
				require.Error(t, err)
				for _, text := range []string{err.Error(), steps[0].Reason, steps[0].Err.Error()} {
					assert.Contains(t, text, "***")
					assert.NotContains(t, text, coded)
					assert.NotContains(t, text, url.QueryEscape(secret))
					assert.NotContains(t, text, url.PathEscape(secret))
					assert.NotContains(t, text, html.EscapeString(secret))
					if name == "hex" || strings.HasPrefix(name, "ba") { // the secret is at the end
						bare := strings.TrimRight(coded, "=")
						assert.NotContains(t, text, bare[len(bare)-8:])
					}
				}
			})
		}
	}
}

// Other programs escape more than Go does, in other ways, and more than once. What they escape is
// hidden, with all its escapes, and what stands around it stays.
func TestSecretsAsOtherProgramsEscapeThem(t *testing.T) {
	each := func(format string) func(string) string {
		return func(secret string) string {
			var b strings.Builder
			for i := range len(secret) {
				fmt.Fprintf(&b, format, secret[i])
			}
			return b.String()
		}
	}
	replaced := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	python := replaced("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
	asJSON := func(text string) string {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		return string(raw)
	}
	quoted := func(secret string) string { return asJSON(secret)[1 : len(asJSON(secret))-1] }
	codings := map[string]func(string) string{
		"HTML of Python":      python,
		"HTML without quotes": replaced("&", "&amp;", "<", "&lt;", ">", "&gt;"),
		"HTML in numbers":     replaced("&", "&#38;", "<", "&#60;", `"`, "&#34;", "'", "&#39;", "é", "&#233;", " ", "&#32;"),
		"HTML with names":     replaced("&", "&amp;", "<", "&lt;", "é", "&eacute;", "ü", "&uuml;", `"`, "&quot;"),
		"HTML twice":          func(secret string) string { return python(python(secret)) },
		"XML":                 replaced("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;"),
		"PHP":                 replaced("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;"),
		"HTML in JSON":        func(secret string) string { return asJSON(python(secret)) },
		"JSON in HTML":        func(secret string) string { return python(asJSON(secret)) },
		"shown JSON in HTML":  func(secret string) string { return `DOM\\` + python(quoted(secret)) },
		"hex with blanks":     func(secret string) string { return fmt.Sprintf("% x", secret) },
		"hex with colons":     func(secret string) string { return strings.ReplaceAll(fmt.Sprintf("% X", secret), " ", ":") },
		"hex of C":            func(secret string) string { return strings.TrimSuffix(each("0x%02x, ")(secret), ", ") },
		"hex in lines":        func(secret string) string { return quoted(fmt.Sprintf("%x\n%x", secret[:5], secret[5:])) },
		"escaped bytes":       each(`\x%02x`),
		"octal bytes":         each(`\%03o`),
		"escaped bytes twice": each(`\\x%02X`),
		"bytes of Latin-1":    replaced("é", `\xe9`, "ü", `\xfc`),
		"octal Latin-1":       replaced("é", `\351`, "ü", `\374`),
		"URL in Latin-1":      replaced("%", "%25", "é", "%E9", "ü", "%FC", " ", "+", "+", "%2B", `\`, "%5C"),
		"URL of all letters":  each("%%%02X"),
		"URL twice":           func(secret string) string { return url.QueryEscape(url.QueryEscape(secret)) },
		"URL three times":     func(secret string) string { return url.PathEscape(url.PathEscape(url.PathEscape(secret))) },
		"URL behind a \\":     func(secret string) string { return `DOM\` + url.PathEscape(secret) },
		"JSON in base64":      func(secret string) string { return base64.StdEncoding.EncodeToString([]byte(asJSON(secret))) },
		"base64 in a URL":     func(secret string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(secret))) },
	}
	for _, secret := range []string{"it's \"1\" & <b>", "né'zü \"x\"", "new pass/word+1", `n\u0041%41&lt;"é`, "plainest", `pass-word\`, `\pass-word`, `\new-pass\`, `pass"word\\`} {
		for name, coded := range codings {
			t.Run(name+" "+secret, func(t *testing.T) {
				text := "begin (" + coded(secret) + ") end"
				steps, err := observe(t, keeper(secret, func(context.Context) error { return errors.New(text) }))
				require.Error(t, err)
				assert.Regexp(t, `^begin \((0x|DOM\\?\\?|\\?"|(&amp;|&)quot;|I\w?)?\*\*\*(\\?"|&quot;|\w?\w?(=|%3D)*)?\) end$`, steps[0].Reason)
			})
		}
	}
}

// What stands beside a secret may make an escape of its backslash.
func TestSecretsWithABackslashAtTheEdge(t *testing.T) {
	for _, secret := range []string{`pass"word\`, `\pass&word`, `pass&word\\`, `\x41word"`} {
		for _, before := range []string{"", `\`, "n", "a "} {
			for _, after := range []string{"", "n", "x41", "u0041", `"`, `\`} {
				for _, coded := range []string{secret, html.EscapeString(secret), url.QueryEscape(html.EscapeString(secret)), fmt.Sprintf("%q", secret)} {
					text := "it is " + before + coded + after
					steps, err := observe(t, keeper(secret, func(context.Context) error { return errors.New(text) }))
					require.Error(t, err)
					assert.Contains(t, steps[0].Reason, "***", text)
					assert.NotContains(t, steps[0].Reason, "word", text)
				}
			}
		}
	}
}

// What only looks like an escape, and what is another secret's, stays as it is.
func TestTextsWithoutSecretsStay(t *testing.T) {
	for _, text := range []string{
		`100% of a&b; \ \q \u12 \ud83d %zz &nope; &#; %`, `C:\new\table%20x &amp; "\n" \ud83d\ude00`,
		"de:ad:be:ef 0x12, 0x34 a bad deed added face", "68 75 6e 74 65 72", "hunter%33x", "&#104;unter3",
	} {
		steps, err := observe(t, keeper("hunter2", func(context.Context) error { return errors.New(text) }))
		require.Error(t, err)
		assert.Equal(t, text, steps[0].Reason)
	}
}

// A short secret hides itself, not half of the text around it, nor where it is long only as
// it is escaped. It is not looked for in codings: half of every text would be gone.
func TestShortSecretsStandAlone(t *testing.T) {
	for secret, c := range map[string]struct{ text, want string }{
		"42": {"42 of 1420 in room 42b, see x_42 and 42", "*** of 1420 in room 42b, see x_42 and ***"},
		"12": {"3132 MTI= 12", "3132 MTI= ***"},
		"é1": {`é1 and \u00e91 of caf\u00e91`, `*** and *** of caf\u00e91`},
		"\t": {`a\u0009b is (\u0009)`, `a\u0009b is (***)`},
		"<1": {`x\u003c1 or \u003c1`, `x\u003c1 or ***`},
	} {
		steps, err := observe(t, keeper(secret, func(context.Context) error { return errors.New(c.text) }))
		require.Error(t, err)
		assert.Equal(t, c.want, steps[0].Reason)
	}
}

// A command is recorded as it was given, and stays so. A decision that has no JSON form is left
// out, and a secret in what was repaired is hidden.
func TestWhatIsRecordedIsACopy(t *testing.T) {
	params := map[string]any{"list": []any{"x"}}
	d := screen(func(cmd desktop.Command) (desktop.Result, error) {
		cmd.Parameters["list"].([]any)[0] = "changed"
		return desktop.Result{}, errBang
	})
	steps, err := observe(t, keeper("hunter2", func(ctx context.Context) error {
		trace.From(ctx).Decision(func() {})
		trace.From(ctx).Repaired([]llm.Repair{{Kind: repair.Unknown, Where: "Args.hunter2", Count: 1}})
		_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "x", Parameters: params})
		params["list"] = "changed"
		return err
	}))
	require.ErrorIs(t, err, errBang)
	assert.Contains(t, steps[0].Commands[0].Err, "bang")
	assert.Equal(t, map[string]any{"list": []any{"changed"}}, steps[0].Commands[0].Command.Parameters)
	assert.Nil(t, steps[0].Decision)
	assert.Equal(t, []llm.Repair{{Kind: repair.Unknown, Where: "Args.***", Count: 1}}, steps[0].Repairs)

	_, err = start(t, func(ctx context.Context) error { // nobody observes
		trace.From(ctx).Repaired([]llm.Repair{{Kind: repair.Comma}})
		return nil
	}, nil).Run(t.Context())
	require.NoError(t, err)
}

// What Options.Redact changes is shown nowhere. One that panics shows nothing, and breaks nothing.
func TestRedactThatPanics(t *testing.T) {
	_, err := start(t, func(context.Context) error { return errBang }, &round.Options{Redact: func(string) string { panic(errBang) }}).Run(t.Context())
	require.ErrorIs(t, err, errBang)
	assert.NotContains(t, err.Error(), "bang")
}
