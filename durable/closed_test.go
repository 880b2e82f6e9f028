package durable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// A round that ended in FAIL or ERROR stays so, although Close has its host clean up, which leads to FINISH.
func TestAFailedRunStaysFailedAfterClose(t *testing.T) {
	for name, c := range map[string]struct {
		reply   any
		outcome round.Outcome
		err     error
	}{
		"FAIL":  {`{"Status":"FAIL","Comment":"there is no paper"}`, round.Failed, round.ErrFailed},
		"ERROR": {errBang, round.Faulted, round.ErrFault},
	} {
		t.Run(name, func(t *testing.T) {
			w, st := newWorld(t), store.Memory()
			serve := func(replies ...any) (*round.Session, durable.State) {
				h, err := hostagent.New(hostagent.Config{
					Config: appagent.Config{Model: llmtest.Script(t, replies...), Desktop: w.desk, NoImages: true},
				})
				require.NoError(t, err)
				s, err := durable.Open(t.Context(), h, st, "run", nil)
				require.NoError(t, err)
				res, err := s.Continue(t.Context(), "pay Ann")
				require.ErrorIs(t, err, c.err)
				assert.Equal(t, c.outcome, res.Outcome)
				state, err := durable.Look(t.Context(), st, "run")
				require.NoError(t, err)
				assert.Equal(t, c.outcome, state.Outcome)
				return s, state
			}
			s, before := serve(c.reply)
			require.NoError(t, s.Close(t.Context()))
			_, after := serve()
			assert.Equal(t, before.Reason, after.Reason)
			assert.Equal(t, before.Status, after.Status)
		})
	}
}

// After it, the next round begins.
func TestTheNextRoundAfterAFailedOneThatWasClosed(t *testing.T) {
	mk := func() *pup {
		return root(func(_ context.Context, p *pup) (fsm.Status, error) {
			p.N++
			if p.N < 3 {
				return fsm.Continue, nil
			}
			if p.N == 3 {
				return fsm.Fail, nil
			}
			return fsm.Finish, nil
		})
	}
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Run(t.Context(), "one")
	require.ErrorIs(t, err, round.ErrFailed)
	require.NoError(t, s.Close(t.Context()))
	s = open(t, mk(), st)
	_, err = s.ContinueRound(t.Context(), 2, "two")
	require.NoError(t, err, "round 1 has ended")
}

// A fork of it handles its last step again, as one of a session that was not closed.
func TestForkOfARunThatWasClosed(t *testing.T) {
	for _, closes := range []bool{false, true} {
		last := fsm.Fail
		mk := func() *pup {
			return root(func(_ context.Context, p *pup) (fsm.Status, error) {
				p.N++
				if p.N < 3 {
					return fsm.Continue, nil
				}
				return last, nil
			})
		}
		st := store.Memory()
		s := open(t, mk(), st)
		_, err := s.Run(t.Context(), "one")
		require.ErrorIs(t, err, round.ErrFailed)
		if closes {
			require.NoError(t, s.Close(t.Context()))
		}
		require.NoError(t, durable.Fork(t.Context(), st, "run", st, "fork", durable.Change{}))
		last = fsm.Finish
		f, err := durable.Open(t.Context(), mk(), st, "fork", nil)
		require.NoError(t, err)
		assert.False(t, f.Round().Result().Outcome.Ended(), "its last step is handled again; closed: %v", closes)
		res, err := f.Continue(t.Context(), "one")
		require.NoError(t, err)
		assert.Equal(t, "3", res.Answer)
	}
}

// What the clean-up of Close changed is there when the next round is replayed.
func TestReplayAfterWhatCloseChanged(t *testing.T) {
	rows := []fsm.Row[*pup]{
		{Status: fsm.Continue, Handle: func(p *pup, ctx context.Context) error {
			p.N++
			to := fsm.Continue
			switch {
			case p.N == 2:
				to = fsm.Fail
			case p.N == 13:
				to = fsm.Finish
			case p.N > 13 || p.N == 5:
				return errors.New("never")
			}
			p.Decide(to, fsm.ByModel, "")
			return nil
		}},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true, NextState: fsm.To[*pup](fsm.Finish), Handle: func(p *pup, _ context.Context) error { p.N = 10; return nil }},
		{Status: fsm.Error, RoundEnd: true},
	}
	table := fsm.Table("Cleaner", rows, fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}, fsm.Edge{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem})
	mk := func() *pup {
		p := root(nil)
		p.set = table
		return p
	}
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Run(t.Context(), "one")
	require.Error(t, err)
	require.NoError(t, s.Close(t.Context()))
	c := mk()
	s = open(t, c, st)
	require.Equal(t, 10, c.N)
	_, err = s.ContinueRound(t.Context(), 2, "two")
	require.NoError(t, err)
	_, err = durable.Replay(t.Context(), mk(), st, "run", nil)
	require.NoError(t, err)
}

// So is what a program puts on the blackboard between two rounds.
func TestReplayOfABlobBetweenRounds(t *testing.T) {
	mk := func() *pup {
		return root(func(_ context.Context, p *pup) (fsm.Status, error) {
			p.N++
			if p.N%2 == 0 {
				return fsm.Finish, nil
			}
			return fsm.Continue, nil
		})
	}
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Run(t.Context(), "one")
	require.NoError(t, err)
	_, err = s.Board().PutBlob("image/png", []byte("a picture"))
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "two")
	require.NoError(t, err)
	open(t, mk(), st)
	_, err = durable.Replay(t.Context(), mk(), st, "run", nil)
	require.NoError(t, err)
}
