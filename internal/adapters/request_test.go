package adapters_test

import (
	"errors"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

func TestMediaType(t *testing.T) {
	gif := []byte("GIF89a")
	for given, want := range map[string]string{
		"image/png": "image/png", "image/jpg": "image/jpeg", "IMAGE/WebP": "image/webp", "image/png; charset=binary": "image/png", "": "image/gif",
		"application/pdf": "", "image/": "", "image": "", "image/png;base64,AAAA": "",
	} {
		assert.Equal(t, want, adapters.MediaType(&llm.Image{MediaType: given, Data: gif}), given)
	}
	assert.Empty(t, adapters.MediaType(&llm.Image{Data: []byte("hello")}))
}

// The client of the user stays as it is.
func TestWithoutRedirects(t *testing.T) {
	follow := func(*http.Request, []*http.Request) error { return errors.New("of the user") }
	client := &http.Client{Timeout: time.Second, CheckRedirect: follow}
	got := adapters.WithoutRedirects(client)
	assert.Equal(t, time.Second, got.Timeout)
	require.ErrorIs(t, got.CheckRedirect(nil, nil), http.ErrUseLastResponse)
	require.EqualError(t, client.CheckRedirect(nil, nil), "of the user")
	require.ErrorIs(t, adapters.WithoutRedirects(nil).CheckRedirect(nil, nil), http.ErrUseLastResponse)
	assert.Nil(t, http.DefaultClient.CheckRedirect)
}

func TestTokens(t *testing.T) {
	for given, want := range map[int64]int{0: 0, 7: 7, -1: 0, math.MinInt64: 0, math.MaxInt64: math.MaxInt32} {
		assert.Equal(t, want, adapters.Tokens(given))
	}
}

// Between two texts a server may put a line break.
func TestJoined(t *testing.T) {
	one, two := &llm.Image{MediaType: "image/png"}, &llm.Image{MediaType: "image/gif"}
	parts := []llm.Part{{}, {Text: "a\n"}, {Text: " b", CacheBreakpoint: true}, {Text: "c", Image: one}, {}, {Image: two}, {Text: "d"}, {Text: "e"}}
	want := []llm.Part{{Text: "a\n bc"}, {Image: one}, {Image: two}, {Text: "de"}}
	assert.Equal(t, want, adapters.Joined(parts))
	assert.Empty(t, adapters.Joined([]llm.Part{{}}))
}
