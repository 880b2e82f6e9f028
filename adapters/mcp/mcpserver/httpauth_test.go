package mcpserver_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
)

// Who calls is known by the middleware of the SDK. A stranger with the id of a
// session ends neither it nor its call.
func TestHTTPAuth(t *testing.T) {
	o := newOffice()
	var got *auth.TokenInfo
	s := newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		got = call.Token
		return o.session(nil, nil, waiting, done)
	}})
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: "user " + token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	url := listen(t, auth.RequireBearerToken(verify, nil)(s.Handler()))
	transport := over(url)
	transport.HTTPClient = &http.Client{Transport: bearer("ann")}
	c := dial(t, transport, nil)
	result := start(c, o, t.Context())
	assert.Equal(t, "user ann", got.UserID)
	for who, want := range map[string]int{"bob": http.StatusForbidden, "": http.StatusUnauthorized} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, nil)
		require.NoError(t, err)
		req.Header.Set("Mcp-Session-Id", c.ID())
		res, err := bearer(who).RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, want, res.StatusCode)
	}
	assert.Empty(t, o.causes)
	require.NoError(t, c.Ping(t.Context(), nil))
	require.NoError(t, s.Close(t.Context()))
	<-result
}

// bearer sends a token.
type bearer string

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if b != "" {
		req.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(req)
}
