package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
)

func TestBadConfig(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("OPENAI_BASE_URL", "")
	for want, cfg := range map[string]openai.Config{
		"there is no model name": {APIKey: key},
		"there is no API key":    {Model: "m"},
		"must not end in /chat":  {Model: "m", BaseURL: "http://host/v1/chat/completions/", APIKey: key},
	} {
		m, err := openai.New(cfg)
		require.ErrorIs(t, err, openai.ErrConfig)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), key)
		assert.Nil(t, m)
	}
	_, err := openai.New(openai.Config{Model: "m", APIKey: key, BaseURL: openai.DefaultBaseURL + "/"})
	require.NoError(t, err)
}

// The key of the environment goes to the server of the environment only.
func TestEnvironment(t *testing.T) {
	s := serve(t, says("hi", "stop"))
	t.Setenv("OPENAI_BASE_URL", s.URL+"/env/")
	t.Setenv("OPENAI_API_KEY", " key-of-the-environment\n")
	t.Setenv("OPENAI_ORG_ID", "org")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: yes")
	for i, c := range []struct {
		cfg        openai.Config
		path, auth string
	}{
		{openai.Config{}, "/env/chat/completions", "Bearer key-of-the-environment"},
		{openai.Config{APIKey: key}, "/env/chat/completions", "Bearer " + key},
		{openai.Config{BaseURL: s.URL}, "/chat/completions", ""},
		{openai.Config{BaseURL: s.URL + "/v1/", APIKey: key}, "/v1/chat/completions", "Bearer " + key},
		{
			openai.Config{BaseURL: s.URL, Options: []option.RequestOption{option.WithQuery("api-version", "1"), option.WithHeader("Api-Key", "k")}},
			"/chat/completions?api-version=1", "",
		},
	} {
		c.cfg.Model = "parrot"
		m, err := openai.New(c.cfg)
		require.NoError(t, err)
		_, err = m.Complete(t.Context(), adapterstest.Ask("hello"))
		require.NoError(t, err)
		assert.Equal(t, http.MethodPost+" "+c.path, s.Heard()[i].Path)
		assert.Equal(t, c.auth, s.Heard()[i].Header.Get("Authorization"))
		assert.Empty(t, s.Heard()[i].Header.Get("Openai-Organization"))
		assert.Empty(t, s.Heard()[i].Header.Get("X-Custom"))
	}
	assert.Equal(t, "k", s.Heard()[4].Header.Get("Api-Key"))
}

// A Config that is printed, or written as JSON into a log, does not show its key.
func TestConfigKeepsItsKey(t *testing.T) {
	cfg := openai.Config{Model: "parrot", APIKey: key}
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
	assert.NotContains(t, fmt.Sprint(openai.Config{}), "***", "there is none")
}
