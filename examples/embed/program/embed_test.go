package program

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var update = flag.Bool("update", false, "write testdata/story.txt")

// The whole program: what it tells, and that it ends well.
func TestStory(t *testing.T) {
	var out, problems bytes.Buffer
	require.Equal(t, 0, Run(t.Context(), nil, person.Console{Out: &out, Err: &problems}, Rules), problems.String())
	assert.Empty(t, problems.String())
	if *update {
		require.NoError(t, os.WriteFile("testdata/story.txt", out.Bytes(), 0o600))
	}
	want, err := os.ReadFile("testdata/story.txt")
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), out.String())

	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Contains(t, lines[len(lines)-1], "HostAgent:FINISH")
	for _, shown := range []string{
		"approved: refund map[amount:15 number:1001]", "put aside at AppAgent/shop/books:CONFIRM", "the office is closed",
		"there are 700 from now on", "MaxSteps of 2 reached", "HostAgent:CHECK",
	} {
		assert.Contains(t, out.String(), shown)
	}
}

// What was done was done once, whatever came in between.
func TestShopAfterwards(t *testing.T) {
	o := newOffice(&bytes.Buffer{}, Rules, nil)
	require.NoError(t, o.work(t.Context(), o.jobs()))
	for number, refunded := range map[int]int{1001: 15, 1002: 5, 1003: 0} {
		got, err := o.shop.order(number)
		require.NoError(t, err)
		assert.Equal(t, refunded, got.Refunded, number)
	}
}

func TestFlags(t *testing.T) {
	var out, problems bytes.Buffer
	assert.Equal(t, 2, Run(t.Context(), []string{"-nonsense"}, person.Console{Out: &out, Err: &problems}, Rules))
	assert.Equal(t, 0, Run(t.Context(), []string{"-h"}, person.Console{Out: &out, Err: &problems}, Rules))
	assert.Contains(t, problems.String(), "-log")
	assert.Empty(t, out.String())

	problems.Reset()
	require.Equal(t, 0, Run(t.Context(), []string{"-log"}, person.Console{Out: &out, Err: &problems}, Rules))
	assert.Contains(t, problems.String(), `msg=transition request="look up order 1001" agentfsm.step=1 gen_ai.agent.name=HostAgent`)
}

// Whatever is not FINISH is a status of 1 with the reason, and ends the queue.
func TestCancelledProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, problems bytes.Buffer
	assert.Equal(t, 1, Run(ctx, nil, person.Console{Out: &out, Err: &problems}, Rules))
	assert.Contains(t, problems.String(), "embed: job 1: round: cancelled")
	assert.NotContains(t, out.String(), "job 2")
}

func TestJobsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		request string
		user    people.User
		reason  string
	}{
		"unknown order":   {request: "look up order 9", reason: "there is no order 9"},
		"another request": {request: "buy a house", reason: "I do not understand: buy a house"},
		"nobody there":    {request: "refund 5 euros of order 1001", reason: "nobody to ask"},
		"a no": {
			request: "refund 5 euros of order 1001",
			user: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				return people.Answer{}, nil
			}),
			reason: "approve",
		},
		"too much": {request: "refund 500 euros of order 1001", user: yes, reason: "500 euros cannot be refunded"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			o := newOffice(&out, Rules, nil)
			var seen []string
			err := o.work(t.Context(), []job{{title: name, do: func(ctx context.Context) (round.Result, error) {
				r, err := o.round(c.request, setup{user: c.user, bounds: few, show: func(s round.Step) { seen = append(seen, s.Reason) }})
				require.NoError(t, err)
				return r.Run(ctx)
			}}, {title: "another", do: o.pulled}})
			require.Error(t, err)
			assert.Contains(t, strings.Join(seen, "\n"), c.reason)
			assert.NotContains(t, out.String(), "ended at")
			assert.NotContains(t, out.String(), "job 2")
			order, err := o.shop.order(1001)
			require.NoError(t, err)
			assert.Zero(t, order.Refunded)
		})
	}
}

// A job that leaves its round in the middle is not done.
func TestJobThatForgets(t *testing.T) {
	var out bytes.Buffer
	o := newOffice(&out, Rules, nil)
	err := o.work(t.Context(), []job{{title: "half a look-up", do: func(ctx context.Context) (round.Result, error) {
		r, err := o.round("look up order 1001", setup{})
		require.NoError(t, err)
		for _, err := range r.Steps(ctx) {
			require.NoError(t, err)
			break
		}
		return r.Result(), nil
	}}})
	assert.ErrorIs(t, err, errNotReached)
	assert.NotContains(t, out.String(), "ended at")
}

var yes = people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
	return people.Answer{Approved: true}, nil
})

// few is enough for every job, and ends one that goes in circles.
func few(opts *round.Options) { opts.MaxSteps = 12 }

// Without being raised the bounds would have ended the round: the job shows
// something.
func TestBoundsAreTooSmall(t *testing.T) {
	for bound, raise := range map[string]func(*round.Options){
		"MaxSteps":  func(opts *round.Options) { opts.MaxTokens = -1 },
		"MaxTokens": func(opts *round.Options) { opts.MaxSteps = -1 },
	} {
		o := newOffice(&bytes.Buffer{}, Rules, nil)
		r, err := o.round("look up order 1001", setup{bounds: func(opts *round.Options) { tight(opts); raise(opts) }})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		var reached *round.BudgetError
		require.ErrorAs(t, err, &reached)
		assert.Equal(t, bound, reached.Bound)
	}
}

// The check finds what changed behind the agents' back, and the host does not
// answer then.
func TestCheckFindsADifference(t *testing.T) {
	o := newOffice(&bytes.Buffer{}, Rules, nil)
	states, err := o.checkedStates()
	require.NoError(t, err)
	r, err := o.round("look up order 1002", setup{states: states, show: func(s round.Step) {
		if s.Agent != "HostAgent" && s.To == fsm.Finish {
			_, err := o.shop.refund(t.Context(), refunded{Number: 1002, Amount: 1})
			require.NoError(t, err)
		}
	}})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Empty(t, res.Answer)
	text, _, err := checked.Get(r.Board())
	require.NoError(t, err)
	assert.Contains(t, text, "the books differ")
	assert.Equal(t, "there is nothing to check", auditor{o.shop}.compare(nil))
}

// A question that nobody takes, or answers, waits for as long as its context.
func TestCounterHonoursContext(t *testing.T) {
	for _, taken := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, people.ErrTimeout)
			defer cancel()
			c := make(counter)
			if taken {
				go func() { <-c }()
			}
			_, err := c.Ask(ctx, people.Question{Text: "well?"})
			assert.ErrorIs(t, err, people.ErrTimeout)
		})
	}
}

// Jobs share the shop, the model and the table, and nothing else.
func TestOfficesAtTheSameTime(t *testing.T) {
	o := newOffice(&bytes.Buffer{}, Rules, nil)
	states, err := o.checkedStates()
	require.NoError(t, err)
	ends := make(chan error)
	for range 4 {
		go func() {
			r, err := o.round("look up order 1003", setup{states: states, show: func(round.Step) {}})
			if err == nil {
				_, err = r.Run(t.Context())
			}
			ends <- err
		}()
	}
	for range 4 {
		assert.NoError(t, <-ends)
	}
}
