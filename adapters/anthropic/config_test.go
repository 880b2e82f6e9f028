package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
)

func TestBadConfig(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "")
	t.Setenv("ANTHROPIC_BASE_URL", "")
	for want, cfg := range map[string]anthropic.Config{
		"there is no model name": {APIKey: key},
		"there is no API key":    {Model: "m"},
		"must not end in /v1":    {Model: "m", BaseURL: "http://host/v1/"},
		"MaxTokens is negative":  {Model: "m", APIKey: key, MaxTokens: -1},
		"or /v1/messages":        {Model: "m", BaseURL: "http://host/v1/messages", APIKey: key},
	} {
		m, err := anthropic.New(cfg)
		require.ErrorIs(t, err, anthropic.ErrConfig)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), key)
		assert.Nil(t, m)
	}
	_, err := anthropic.New(anthropic.Config{Model: "m", APIKey: key, BaseURL: anthropic.DefaultBaseURL + "/"})
	require.NoError(t, err)
}

// The key of the environment goes to the server of the environment only.
func TestEnvironment(t *testing.T) {
	s := serve(t, says("hi", "end_turn"))
	t.Setenv("ANTHROPIC_BASE_URL", s.URL+"/env/")
	t.Setenv("ANTHROPIC_API_KEY", " key-of-the-environment\n")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-environment")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: yes")
	for i, c := range []struct {
		cfg       anthropic.Config
		path, key string
	}{
		{anthropic.Config{}, "/env/v1/messages", "key-of-the-environment"},
		{anthropic.Config{APIKey: key}, "/env/v1/messages", key},
		{anthropic.Config{BaseURL: s.URL}, "/v1/messages", ""},
		{anthropic.Config{BaseURL: s.URL + "/gate/", APIKey: key}, "/gate/v1/messages", key},
		{
			anthropic.Config{BaseURL: s.URL, Options: []option.RequestOption{option.WithQuery("beta", "true"), option.WithAuthToken("t")}},
			"/v1/messages?beta=true", "",
		},
	} {
		c.cfg.Model = "parrot"
		m, err := anthropic.New(c.cfg)
		require.NoError(t, err)
		_, err = m.Complete(t.Context(), adapterstest.Ask("hello"))
		require.NoError(t, err)
		assert.Equal(t, http.MethodPost+" "+c.path, s.Heard()[i].Path)
		assert.Equal(t, c.key, s.Heard()[i].Header.Get("X-Api-Key"))
		assert.Equal(t, i == 4, s.Heard()[i].Header.Get("Authorization") != "", "of the environment only the key is read")
		assert.Empty(t, s.Heard()[i].Header.Get("X-Custom"))
	}
	assert.Equal(t, "Bearer t", s.Heard()[4].Header.Get("Authorization"))
}

// A Config that is printed, or written as JSON into a log, does not show its key.
func TestConfigKeepsItsKey(t *testing.T) {
	cfg := anthropic.Config{Model: "parrot", APIKey: key}
	text, err := json.Marshal(cfg)
	require.NoError(t, err)
	texts := []string{string(text), fmt.Sprint(&cfg), fmt.Sprintf("%+v", struct{ C any }{cfg})}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		texts = append(texts, fmt.Sprintf(verb, cfg))
	}
	for _, text := range texts {
		assert.NotContains(t, text, key)
		assert.NotContains(t, text, fmt.Sprintf("%x", key))
	}
	assert.Contains(t, texts[2], "Model:parrot BaseURL: APIKey:***")
	assert.NotContains(t, fmt.Sprint(anthropic.Config{}), "***", "there is none")
}
