package adapterstest

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// tally counts the replies that came through: texts and calls, and those of a model that is held to a schema or a tool.
type tally struct{ texts, calls, held, fits atomic.Int64 }

// RunConversations plays all conversations and attacks of internal/scenarios, in all forms of a reply, with a model
// that speaks through the adapter: each request is sent to a server, which says what the conversation says. If the
// server is sent a closed schema, it says that as the schema wants it.
func RunConversations(t *testing.T, a Adapter) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var said tally
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			a.converse(t, conn, &said)
		}
	}()
	which := "_Conversations$|_Attacks$"
	if testing.Short() {
		which = "Scenario[25]._Conversations$"
	}
	// Started from here, it compiles nothing that was not compiled for the adapter.
	play := exec.CommandContext(t.Context(), "go", "test", "-count=1", "github.com/agentfsm/agentfsm/internal/scenarios", "-run", which)
	play.Env = append(os.Environ(), "AGENTFSM_THROUGH="+listener.Addr().String())
	out, err := play.CombinedOutput()
	require.NoError(t, listener.Close())
	<-done
	require.NoError(t, err, "%s", out)
	assert.Greater(t, said.texts.Load(), int64(500))
	assert.Greater(t, said.calls.Load(), int64(500))
	if !testing.Short() {
		assert.Greater(t, said.held.Load(), int64(1500))
		assert.GreaterOrEqual(t, said.fits.Load(), a.HeldCalls)
	}
}

// converse sends one reply, with its request, through the adapter.
func (a Adapter) converse(t testing.TB, conn net.Conn, count *tally) {
	defer func() { _ = conn.Close() }()
	var exchange struct {
		Request  *llm.Request  `json:"request"`
		Response *llm.Response `json:"response"`
		Open     string        `json:"open"`
	}
	if !assert.NoError(t, json.NewDecoder(conn).Decode(&exchange)) {
		return
	}
	said := exchange.Response
	model := a.Model(t, "http://host.test", nil, func(r *http.Request) (*http.Response, error) {
		sent, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		if exchange.Open != "" {
			assert.NoError(t, a.hold(t, string(sent), said, exchange.Open, count))
		}
		answer, counter := a.Reply(said.Text, true), &count.texts
		if len(said.Calls) > 0 {
			answer, counter = a.Called(said.Text, said.Calls, ""), &count.calls
		}
		counter.Add(1)
		body, err := json.Marshal(answer)
		return answered(r, bytes.NewReader(body)), err
	})
	resp, err := model.Complete(t.Context(), exchange.Request)
	if assert.NoError(t, err) {
		assert.NoError(t, json.NewEncoder(conn).Encode(resp))
	}
}

// hold writes a reply as a model writes it that is held to what the server was sent: references may be spelt otherwise.
func (a Adapter) hold(t testing.TB, sent string, said *llm.Response, open string, count *tally) error {
	t.Helper()
	schema, tools := a.Held(t, sent)
	for i := range said.Calls {
		call := &said.Calls[i]
		args, err := loosejson.Parse(string(call.Args))
		if err != nil || tools[call.Name] == nil {
			continue
		}
		if call.Args, err = closedtest.Args(tools[call.Name], args, false); err != nil {
			return err
		}
		if closedtest.Fits(tools[call.Name], call.Args) == nil {
			count.fits.Add(1)
		}
	}
	if len(said.Calls) > 0 || schema == nil {
		return nil
	}
	v, err := loosejson.Parse(open)
	if err != nil {
		return err
	}
	text, err := closedtest.Reply(schema, v)
	said.Text = string(text)
	count.held.Add(1)
	return err
}
