package mcpserver_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
)

// Two clients at once: each is asked about its own task, and gets its own result.
func TestTwoClients(t *testing.T) {
	o := newOffice()
	config := mcpserver.Config{MaxConcurrent: -1, Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		return o.session(call.User, nil,
			fmt.Sprintf(`{"Status": "PENDING", "Questions": ["May I, %s?"]}`, call.Request),
			fmt.Sprintf(`{"Status": "FINISH", "Result": "did %s"}`, call.Request))
	}}
	s := newServer(t, config)
	both := make(chan struct{})
	var once sync.WaitGroup
	once.Add(2)
	go func() { once.Wait(); close(both) }()
	var wait sync.WaitGroup
	for _, who := range []string{"ann", "bob"} {
		say := func(_ context.Context, q *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			assert.Equal(t, "EXCEL: May I, "+who+"?", q.Message)
			once.Done()
			<-both // both are being asked
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, nil
		}
		c, _ := memory(t, s, say)
		wait.Go(func() {
			res, err := c.run(context.Background(), who)
			if assert.NoError(t, err) {
				assert.Equal(t, "did "+who, res.StructuredContent.(map[string]any)["answer"])
			}
		})
	}
	wait.Wait()
}

// One runs, one waits, what is more is refused. Who is cancelled gives up its place.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		config := o.plays(waiting, done)
		config.MaxWaiting = 1
		s := newServer(t, config)
		c, served := memory(t, s, nil)
		first, cancelFirst := context.WithCancel(t.Context())
		one := start(c, o, first)
		second, cancelSecond := context.WithCancel(t.Context())
		go func() { _, _ = c.run(second, "second") }()
		synctest.Wait()
		assert.Equal(t, []string{"waiting for another task to end"}, c.messages())
		res := c.did(t, "third")
		assert.True(t, res.IsError)
		assert.Contains(t, text(t, res), mcpserver.ErrBusy.Error())

		cancelSecond()
		synctest.Wait()
		third, cancelThird := context.WithCancel(t.Context())
		go func() { _, _ = c.run(third, "fourth") }()
		synctest.Wait()
		cancelFirst()
		<-one
		<-o.began // the fourth has its turn
		cancelThird()
		require.NoError(t, c.Close())
		require.NoError(t, <-served)
	})
}

// A session for all calls asks each client in its turn, and remembers.
func TestShared(t *testing.T) {
	o, seen := newOffice(), 0
	session, err := o.session(mcpserver.User{}, &round.Options{Observe: func(round.Step) { seen++ }}, asking, done, looking, done, delete1)
	require.NoError(t, err)
	s := newServer(t, mcpserver.Config{Session: session})
	ann, _ := memory(t, s, fills("accept", map[string]any{"answer": "red"}))
	bob, _ := memory(t, s, nil)
	require.False(t, ann.did(t, "one").IsError)
	steps := seen
	require.False(t, bob.did(t, "two").IsError)
	assert.Len(t, ann.asked, 1)
	assert.Positive(t, steps)
	assert.Equal(t, steps+2, seen)
	res := bob.did(t, "three")
	assert.True(t, res.IsError)
	assert.Contains(t, text(t, res), "there is nobody to ask")
	assert.Empty(t, o.gone())
	require.Eventually(t, func() bool { return len(bob.messages()) >= 3 }, 2*time.Minute, time.Millisecond)
	require.NoError(t, s.Close(t.Context()))
	_, err = session.Start("it is open")
	assert.NoError(t, err)
}
