package round_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Programs write a secret in their coding: into the address that an HTTP client's error
// has, into a header, into a page. None of them is shown, nor more of one than a letter at each end.
func TestSecretsInOtherCodings(t *testing.T) {
	for _, secret := range []string{"hunter2-XyZZy!", "correct horse/battery?staple", "p@ss&w<rd>=\"1\"", "ключ от дома", "~*'(x)_-.+%", "a b c d"} {
		for name, coded := range map[string]string{
			"query":         (&url.Error{Op: "Get", URL: "https://x.example/?" + url.Values{"password": {secret}}.Encode(), Err: errors.New("EOF")}).Error(),
			"path":          "https://x.example/" + url.PathEscape(secret) + "/y",
			"user info":     (&url.URL{Scheme: "https", User: url.UserPassword("bob", secret), Host: "x.example"}).String(),
			"HTML":          "<b>" + html.EscapeString(secret) + "</b>",
			"hex":           hex.EncodeToString([]byte(secret)),
			"base64":        base64.StdEncoding.EncodeToString([]byte(secret)),
			"base64 of URL": base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"basic auth 0":  "Basic " + base64.StdEncoding.EncodeToString([]byte("bo:"+secret)),
			"basic auth 1":  "Basic " + base64.StdEncoding.EncodeToString([]byte("bob:"+secret)),
			"basic auth 2":  "Basic " + base64.StdEncoding.EncodeToString([]byte("bobo:"+secret+"!!")),
		} {
			t.Run(name+" "+secret, func(t *testing.T) {
				steps, err := observe(t, keeper(secret, func(context.Context) error { return fmt.Errorf("401 for %s", coded) }))
				require.Error(t, err)
				require.Len(t, steps, 1)
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
	// A short one is not looked for in codings: half of every text would be gone.
	steps, err := observe(t, keeper("12", func(context.Context) error { return errors.New("3132 MTI= 12") }))
	require.Error(t, err)
	assert.Equal(t, "3132 MTI= ***", steps[0].Reason)
}
