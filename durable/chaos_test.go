package durable_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// chaos is a world in which everything happens that may interrupt a run, by a seed.
type chaos struct {
	*world
	r      *rand.Rand
	cancel context.CancelFunc
	left   int  // calls of plug-ins until the run is cancelled; 0: it is not
	before bool // that call does nothing; else it is done, and fails
	away   bool // the person is away
	log    []string
}

// call is one of a plug-in, in which the run may be cancelled.
func call[T any](c *chaos, ctx context.Context, do func(ctx context.Context) (T, error)) (v T, err error) { //nolint:revive // c is what it is of
	last := c.left == 1
	c.left = max(0, c.left-1)
	if !last {
		return do(ctx)
	}
	c.cancel()
	if !c.before {
		_, _ = do(context.WithoutCancel(ctx))
	}
	return v, ctx.Err()
}

type chaotic struct {
	desktop.Desktop
	c *chaos
}

func (d chaotic) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return call(d.c, ctx, func(ctx context.Context) (desktop.Result, error) { return d.Desktop.Execute(ctx, cmd) })
}

func (d chaotic) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	s, err := desktop.Scope(context.WithoutCancel(ctx), d.Desktop, id)
	return chaotic{s, d.c}, err
}

func (c *chaos) host() *hostagent.Agent {
	h, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
				return call(c, ctx, func(ctx context.Context) (*llm.Response, error) { return c.think(ctx, req) })
			}),
			User: people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
				return call(c, ctx, func(ctx context.Context) (people.Answer, error) {
					if c.away {
						return people.Later().Ask(ctx, q)
					}
					return c.answer(ctx, q)
				})
			}),
			Desktop: chaotic{c.desk, c}, Board: blackboard.New(0), NoImages: true,
		},
	})
	require.NoError(c.t, err)
	return h
}

// life drives the round until something stops it, in this process or in another one.
func (c *chaos) life(s *round.Session, quiet bool) (*round.Session, round.Result) {
	ctx, cancel := context.WithCancel(c.t.Context())
	defer cancel()
	c.cancel, c.left, c.before, c.away = cancel, 0, c.r.IntN(2) == 0, false
	c.store.start(0, false)
	if s == nil || c.r.IntN(2) == 0 {
		var err error
		if s, err = durable.Open(ctx, c.host(), c.store, "run", &durable.Options{Round: unbounded()}); err == nil && s.Round() == nil {
			_, err = s.Start("make the report")
		}
		require.NoError(c.t, err)
	}
	r, most, breaks := s.Round(), -1, 0
	switch how := c.r.IntN(6); {
	case quiet:
	case how == 0:
		c.store.start(1+c.r.IntN(14), c.r.IntN(2) == 0)
	case how == 1:
		c.left = 1 + c.r.IntN(40)
	case how == 2:
		most = r.Result().Steps + c.r.IntN(6)
	case how == 3:
		c.away = true
	case how == 4:
		breaks = 1 + c.r.IntN(6)
	}
	r.Adjust(func(o *round.Options) { o.MaxSteps = most })
	for range r.Steps(ctx) {
		if breaks--; breaks == 0 {
			break
		}
	}
	res := r.Result()
	c.log = append(c.log, fmt.Sprintf("crash at %d, %d calls left, bound %d, %d steps left, away %t: %s", c.store.dieAt, c.left, most, breaks, c.away, res.Outcome))
	if c.store.dead() {
		return nil, res
	}
	return s, res
}

// Whatever interrupts a run, and however often: it ends like any other, nothing is
// executed twice, and its replay is the same.
func TestChaos(t *testing.T) {
	for seed := range uint64(sample.Of(25, 2)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := &chaos{world: newWorld(t), r: rand.New(rand.NewPCG(seed, 77))}
			c.words = 7
			t.Cleanup(func() { t.Logf("%q", c.log) })
			var s *round.Session
			var res round.Result
			for life := 0; res.Outcome != round.Finished; life++ {
				require.Less(t, life, 60)
				s, res = c.life(s, life > 12)
				require.NotContains(t, []round.Outcome{round.Failed, round.Faulted}, res.Outcome, "%v", res.Err)
				if res.Outcome != round.Suspended {
					continue
				}
				state, err := durable.Look(t.Context(), c.store, "run")
				require.NoError(t, err)
				require.Len(t, state.Waits, len(res.Waits))
				for _, q := range state.Waits {
					if c.r.IntN(2) == 0 {
						_, err := durable.Answer(t.Context(), c.store, "run", q.ID, people.Answer{Text: "blue", Approved: true})
						require.NoError(t, err)
						s = nil // it has lost the run
					}
				}
			}
			c.requireOnce()
			assert.Equal(t, "all is done", res.Answer)
			again, err := c.replay(nil)
			require.NoError(t, err)
			assert.Equal(t, res.Answer, again.Answer)
			assert.Equal(t, res.Transitions, again.Transitions)
		})
	}
}
