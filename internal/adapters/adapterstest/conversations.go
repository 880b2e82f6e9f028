package adapterstest

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// RunConversations plays all conversations of internal/scenarios, and all attacks, in both forms of a reply, with a
// model that speaks through the adapter: each request is sent to a server, which says what the conversation says.
func RunConversations(t *testing.T, a Adapter) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var texts, calls atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			a.converse(t, conn, &texts, &calls)
		}
	}()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	play := exec.CommandContext(t.Context(), "go", "test", "-count=1", "./internal/scenarios", "-run", "_Conversations$|_Attacks$")
	play.Dir, play.Env = root, append(os.Environ(), "AGENTFSM_THROUGH="+listener.Addr().String(), "GOFLAGS=")
	out, err := play.CombinedOutput()
	require.NoError(t, listener.Close())
	<-done
	require.NoError(t, err, "%s", out)
	assert.Greater(t, texts.Load(), int64(500), "replies of JSON came through")
	assert.Greater(t, calls.Load(), int64(500), "and replies of calls")
}

// converse sends one reply, with its request, through the adapter.
func (a Adapter) converse(t testing.TB, conn net.Conn, texts, calls *atomic.Int64) {
	defer func() { _ = conn.Close() }()
	var exchange struct {
		Request  *llm.Request  `json:"request"`
		Response *llm.Response `json:"response"`
	}
	if !assert.NoError(t, json.NewDecoder(conn).Decode(&exchange)) {
		return
	}
	said := exchange.Response
	answer := a.Reply(said.Text, true)
	if len(said.Calls) > 0 {
		answer = a.Called(said.Text, said.Calls, "")
		calls.Add(1)
	} else {
		texts.Add(1)
	}
	body, err := json.Marshal(answer)
	if !assert.NoError(t, err) {
		return
	}
	model := a.Model(t, "http://host.test", nil, func(r *http.Request) (*http.Response, error) {
		return answered(r, strings.NewReader(string(body))), nil
	})
	resp, err := model.Complete(t.Context(), exchange.Request)
	if assert.NoError(t, err) {
		assert.NoError(t, json.NewEncoder(conn).Encode(resp))
	}
}
