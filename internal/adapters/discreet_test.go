package adapters_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/llm"
)

const key = "key-of-the-test"

func TestPublic(t *testing.T) {
	req := &llm.Request{Messages: []llm.Message{
		llm.Text(llm.User, "this is the secret plan of the company, keep it"), llm.Text(llm.User, "p4ssw0rd"), llm.Text(llm.User, "x"),
	}}
	const hidden = "(it quotes the request)"
	for name, c := range map[string]struct {
		status              int
		word, message, want string
	}{
		"both":                       {400, "bad", "no", "bad: no"},
		"word alone":                 {400, "bad", "", "bad"},
		"message alone":              {400, "", "no", "no"},
		"neither":                    {502, "", "", "Bad Gateway"},
		"neither, of a router":       {0, "", "", ""},
		"key":                        {400, key, "the key " + key + " has no credit", "***: the key *** has no credit"},
		"part of a key":              {401, "invalid_api_key", "wrong key " + key[:6], "invalid_api_key: Unauthorized"},
		"part of a key, forbidden":   {403, "", "wrong key " + key[:6], "Forbidden"},
		"quotes the prompt":          {400, "bad", "what do you mean by 'the secret plan of the company'?", "bad: " + hidden},
		"quotes all of a short text": {400, "bad", "what is p4ssw0rd?", "bad: " + hidden},
		"a letter of the prompt":     {400, "bad", "x is missing", "bad: x is missing"},
		"quotes an image":            {400, "bad", "cannot read data:image/png;base64,AAAA", "bad: " + hidden},
		"quotes the data of one":     {400, "bad", "cannot read " + strings.Repeat("iVBORw0KGgo+", 6), "bad: " + hidden},
		"quotes as a word":           {400, "the secret plan of the company", "no", "no"},
		"a word that is none":        {400, strings.Repeat("word ", 1000), "no", "no"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &adapters.Failure{Status: c.status, Message: c.message}
			assert.Equal(t, c.want, f.Public(c.word, key, req))
		})
	}
}

// Where a long message is cut no part of the key is left.
func TestKeyAtTheCut(t *testing.T) {
	for before := 4*clip.Message - len(key) - 1; before <= 4*clip.Message+1; before++ {
		f := &adapters.Failure{Status: 400, Message: strings.Repeat(" ", before) + key + strings.Repeat(" ", 1000)}
		message := f.Public("", key, &llm.Request{})
		assert.NotContains(t, message, key[:4])
		assert.LessOrEqual(t, len(message), 4*clip.Message)
	}
}
