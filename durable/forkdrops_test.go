package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

const noPaper = `{"Status":"FAIL","Comment":"there is no paper"}`

// A reply that a step dropped is none of its replies: the one that counts is changed, and
// there is no second one.
func TestForkPassesOverWhatWasDropped(t *testing.T) {
	o := finished(t)
	st := store.Memory()
	add := func(records ...[]byte) {
		n := int64(0)
		for _, err := range st.Read(t.Context(), "run", 1) {
			require.NoError(t, err)
			n++
		}
		require.NoError(t, st.Append(t.Context(), "run", n, records...))
	}
	inserted := false
	for entry, err := range o.store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		add(entry.Data)
		if !inserted { // behind the beginning of the round
			add([]byte(`{"v":1,"kind":"call","call":{"response":{"text":"dropped"}}}`), []byte(`{"v":1,"kind":"drop","drop":{"seqs":[2],"text":"by hand"}}`))
			inserted = true
		}
	}
	require.NoError(t, durable.Fork(t.Context(), st, "run", st, "what if", durable.Change{Seq: recordsOf(t, st, "call", 1)[1].Seq, Reply: noPaper}))
	var calls, drops []int64
	for r, err := range durable.Records(t.Context(), st, "what if") {
		require.NoError(t, err)
		switch r.Kind {
		case "call":
			calls = append(calls, r.Seq)
		case "drop":
			drops = append(drops, r.Seq)
		}
	}
	require.Len(t, calls, 2)
	require.Len(t, drops, 1)
	assert.Less(t, drops[0], calls[1], "the second one was changed")
	err := durable.Fork(t.Context(), st, "run", st, "no", durable.Change{Seq: recordsOf(t, st, "call", 1)[0].Seq, Reply: noPaper})
	require.ErrorIs(t, err, durable.ErrNoPlace)

	calm := o.calls
	o.store = st
	res, err := o.goOn("what if")
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, "there is no paper", res.Reason)
	assert.Equal(t, calm, o.calls)
	assert.Equal(t, 2, res.Calls, "what was dropped was paid for")
}

// In a fork a call that failed can have a reply, and has no error then.
func TestForkWithAReplyInsteadOfAnError(t *testing.T) {
	o := newOffice(t)
	agent, err := appagent.New(appagent.Config{
		Model:   llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, llm.ErrRejected }),
		Desktop: o.desk, NoImages: true, Window: desktop.Window{ID: "1", Root: "word", Process: "letter"}, User: people.Later(),
	})
	require.NoError(t, err)
	s, err := durable.Open(t.Context(), agent, o.store, "run", nil)
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "send the letter")
	require.ErrorIs(t, err, llm.ErrRejected)
	require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, "what if", durable.Change{Seq: recordsOf(t, o.store, "call", 1)[0].Seq, Reply: noPaper}))
	res, err := o.goOn("what if")
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, "there is no paper", res.Reason)
	assert.Zero(t, o.calls)
}
