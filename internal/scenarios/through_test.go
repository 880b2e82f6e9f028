package scenarios_test

import (
	"encoding/json"
	"net"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// throughVariable has the address of an adapter, where its tests play the conversations: see RunConversations of
// internal/adapters/adapterstest.
const throughVariable = "AGENTFSM_THROUGH"

// exchange is a request and a reply, and the reply as it comes through an adapter.
type exchange struct {
	Request  *llm.Request  `json:"request"`
	Response *llm.Response `json:"response"`
	Open     string        `json:"open,omitempty"` // the reply, of a model that is held to what the server is sent
}

// through sends a reply, with its request, through an adapter: to a server that says it, and back.
func through(t testing.TB, req *llm.Request, resp *llm.Response, open string) *llm.Response {
	t.Helper()
	address := os.Getenv(throughVariable)
	if address == "" || !utf8.ValidString(resp.Text) { // what no server can say
		return resp
	}
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, json.NewEncoder(conn).Encode(exchange{req, resp, open}))
	var back llm.Response
	require.NoError(t, json.NewDecoder(conn).Decode(&back), "the adapter says why")
	back.Usage, back.Model, back.FinishReason = resp.Usage, resp.Model, resp.FinishReason // in the words of the server
	return &back
}
