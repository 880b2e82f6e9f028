package durable_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// Pictures that agents put on the blackboard are there for the process that resumes, byte
// for byte, whether they came before the run, within a round or between two; each is
// kept once, and what was deleted is gone.
func TestPicturesOnTheBlackboardAreKept(t *testing.T) {
	picture := func(n byte) []byte { return bytes.Repeat([]byte{n, 0xff, 0}, 1000) }
	y := newTally(t)
	var refs [5]string
	put := func(c *clerk, n byte) {
		b, err := c.board.PutBlob("image/png", picture(n))
		require.NoError(t, err)
		refs[n] = b.Ref
	}
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		switch c.N++; c.N {
		case 1:
			put(c, 1)
			return fsm.Continue, nil
		case 2:
			put(c, 2)
			put(c, 1) // once more
			return fsm.Finish, nil
		case 3:
			c.board.DeleteBlob(refs[2])
			return fsm.Continue, nil
		}
		return fsm.Finish, y.ask(ctx)
	}
	c := newClerk(do)
	put(c, 0)
	s := y.beginWith(c, nil)
	_, err := s.Run(t.Context(), "go")
	require.NoError(t, err)
	put(c, 3)
	y.store.start(2, true) // round, step
	_, err = s.Run(t.Context(), "go on")
	require.ErrorIs(t, err, round.ErrLost)

	again := newClerk(do)
	_, err = y.resumeWith(again, nil).Round().Run(t.Context())
	require.NoError(t, err)
	for _, n := range []byte{0, 1, 3} {
		info, data, there := again.board.Blob(refs[n])
		require.True(t, there, n)
		assert.Equal(t, picture(n), data)
		assert.Equal(t, "image/png", info.MediaType)
	}
	_, _, there := again.board.Blob(refs[2])
	assert.False(t, there)
	blobs := slices.DeleteFunc(y.kinds(), func(kind string) bool { return kind != "blob" })
	assert.Len(t, blobs, 3, "the first one is in the whole blackboard")
}

// An agent that saves one object is recorded by the members that changed, in each step in which
// one did and in no other, and is the same in the process that resumes.
func TestAnAgentIsKeptByWhatChanged(t *testing.T) {
	do := func(_ context.Context, c *clerk) (fsm.Status, error) {
		switch n := len(c.Notes); {
		case n == 5:
			return fsm.Finish, nil
		case c.N == n:
			c.N++
			return fsm.Continue, nil
		}
		c.Notes = append(c.Notes, strings.Repeat("x", c.N))
		return fsm.Continue, nil
	}
	want := newClerk(do)
	calm := newTally(t)
	res, err := calm.beginWith(want, nil).Run(t.Context(), "go")
	require.NoError(t, err)
	_, text := (&world{t: t, store: calm.store}).records()
	assert.Equal(t, 1, strings.Count(text, `"agent":{"state":{"N":0,"Notes":null}}`), "all of it, once")
	assert.Equal(t, 5, strings.Count(text, `"agent":{"set":{"N":`))
	assert.Equal(t, 5, strings.Count(text, `"agent":{"set":{"Notes":`))
	assert.Equal(t, 11, strings.Count(text, `"news":{"agent":`), "in the last step nothing changed")

	appends := calm.store.count
	for at := 1; at <= appends; at++ {
		y := newTally(t)
		y.dies(at, true, do)
		again := newClerk(do)
		got, err := y.resumeWith(again, nil).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, res, got)
		assert.Equal(t, want.Notes, again.Notes)
		assert.Equal(t, want.N, again.N)
		_, err = y.replay(do)
		require.NoError(t, err)
	}
}
