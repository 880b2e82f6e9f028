package adapters_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// The key of the environment goes to the server of the environment only. No error shows a key.
func TestEndpoint(t *testing.T) {
	const own, key = "https://own.example", "key-4711"
	for name, c := range map[string]struct {
		env, at, want adapters.Endpoint
		problem       string
	}{
		"environment":       {adapters.Endpoint{Base: "http://env/v1/", Key: " env\n"}, adapters.Endpoint{}, adapters.Endpoint{Base: "http://env/v1", Key: "env"}, ""},
		"key of the Config": {adapters.Endpoint{Base: "http://env", Key: "env"}, adapters.Endpoint{Key: key}, adapters.Endpoint{Base: "http://env", Key: key}, ""},
		"base of Config":    {adapters.Endpoint{Base: "http://env", Key: "env"}, adapters.Endpoint{Base: "http://mine/"}, adapters.Endpoint{Base: "http://mine"}, ""},
		"own server":        {adapters.Endpoint{}, adapters.Endpoint{Base: own + "/", Key: key}, adapters.Endpoint{Base: own, Key: key}, ""},
		"no key":            {problem: "there is no API key: set Config.APIKey or X_API_KEY"},
		"a control letter":  {at: adapters.Endpoint{Key: key + "\nx"}, problem: "has a control character"},
		"no scheme":         {at: adapters.Endpoint{Base: "127.0.0.1:8080/v1"}, problem: "http or https with a host"},
		"no host":           {at: adapters.Endpoint{Base: "http:///v1"}, problem: "with a host"},
		"user":              {at: adapters.Endpoint{Base: "http://me:" + key + "@host/v1"}, problem: "without user"},
		"query":             {at: adapters.Endpoint{Base: "http://host/v1?key=" + key}, problem: "query and"},
		"fragment":          {at: adapters.Endpoint{Base: "http://host/v1#" + key}, problem: "fragment"},
		"ending":            {at: adapters.Endpoint{Base: "http://host/chat/", Key: key}, problem: "must not end in /chat, which"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("X_BASE_URL", c.env.Base)
			t.Setenv("X_API_KEY", c.env.Key)
			err := c.at.Fill("m", "X", own, "/chat")
			if c.problem == "" {
				require.NoError(t, err)
				assert.Equal(t, c.want, c.at)
				return
			}
			require.ErrorContains(t, err, c.problem)
			assert.NotContains(t, err.Error(), key)
		})
	}
	assert.ErrorContains(t, (&adapters.Endpoint{Key: key}).Fill("", "X", own), "there is no model name")
}

func TestWrongRequest(t *testing.T) {
	message := func(role llm.Role, image *llm.Image) *llm.Request {
		return &llm.Request{Messages: []llm.Message{{Role: role, Parts: []llm.Part{{Text: "x"}, {Image: image}}}}}
	}
	pixel := &llm.Image{MediaType: "image/png", Data: []byte("x")}
	assert.Empty(t, adapters.WrongRequest(message(llm.User, pixel)))
	assert.Empty(t, adapters.WrongRequest(message(llm.System, nil)))
	for want, req := range map[string]*llm.Request{
		"there is no request":                     nil,
		"the schema is not JSON":                  {Schema: &llm.Schema{JSON: json.RawMessage("{")}},
		"a tool has no name":                      {Tools: []llm.Tool{{Parameters: json.RawMessage("{}")}}},
		`message 1 has the unknown role "nobody"`: message("nobody", nil),
		"message 1 has an image without data":     message(llm.User, &llm.Image{}),
		"message 1 has an image that is none":     message(llm.User, &llm.Image{MediaType: "text/html", Data: []byte("x")}),
		`allows of a user and not of "assistant"`: message(llm.Assistant, pixel),
	} {
		assert.Contains(t, adapters.WrongRequest(req), want)
	}
	require.ErrorIs(t, adapters.Rejected("m", "no"), llm.ErrRejected)
}

type clientError struct {
	StatusCode int
	Response   *http.Response
}

func (clientError) Error() string { return "client" }

type embedding struct{ *clientError }

func (embedding) Error() string { return "embedding" }

func TestForeign(t *testing.T) {
	own := &llm.CallError{Kind: llm.ErrOverloaded, Model: "own"}
	odd := errors.New("odd")
	known := func(err error) *llm.CallError {
		if errors.Is(err, odd) {
			return &llm.CallError{Kind: llm.ErrRefused}
		}
		return nil
	}
	wait := &http.Response{Header: http.Header{"Retry-After": {"3"}}}
	for name, c := range map[string]struct {
		err  error
		want llm.CallError
	}{
		"its own":     {own, *own},
		"another":     {odd, llm.CallError{Kind: llm.ErrRefused, Model: "m"}},
		"unknown":     {io.ErrShortWrite, llm.CallError{Model: "m"}},
		"client":      {&clientError{429, wait}, llm.CallError{Kind: llm.ErrRateLimited, Status: 429, RetryAfter: 3 * time.Second, Model: "m"}},
		"a key":       {clientError{StatusCode: 401}, llm.CallError{Kind: llm.ErrRejected, Status: 401, Message: "Unauthorized", Model: "m"}},
		"no status":   {clientError{StatusCode: 7}, llm.CallError{Model: "m"}},
		"nil pointer": {embedding{}, llm.CallError{Model: "m"}},
		"deadline":    {context.DeadlineExceeded, llm.CallError{Kind: llm.ErrSlow, Model: "m"}},
		"connection":  {net.ErrClosed, llm.CallError{Kind: llm.ErrUnavailable, Model: "m"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := adapters.Foreign("m", c.err, known, "StatusCode")
			require.ErrorIs(t, err, c.err)
			call, ok := errors.AsType[*llm.CallError](err)
			require.True(t, ok)
			if c.want.Err = call.Err; name != "its own" {
				assert.Equal(t, c.err, call.Err)
			}
			assert.Equal(t, c.want, *call)
		})
	}
}
