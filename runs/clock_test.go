package runs_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

var times = regexp.MustCompile(`"(at|until|since|asked|[dD]eadline)":"(\d{4}-[^"]+Z)"`)

// afterClockSet returns the journal of a run as a process finds it whose clock was set by so much: what is in it seems to
// have happened that much earlier.
func afterClockSet(t *testing.T, from store.Store, run string, by time.Duration) store.Store {
	t.Helper()
	to := store.Memory()
	for e, err := range from.Read(t.Context(), run, 1) {
		require.NoError(t, err)
		data := times.ReplaceAllFunc(e.Data, func(text []byte) []byte {
			part := times.FindSubmatch(text)
			at, err := time.Parse(time.RFC3339Nano, string(part[2]))
			require.NoError(t, err)
			return []byte(`"` + string(part[1]) + `":"` + at.Add(-by).Format(time.RFC3339Nano) + `"`)
		})
		require.NoError(t, to.Append(t.Context(), run, e.Seq-1, data))
	}
	return to
}

// A wait and a deadline are no longer than they were to be, however far the clock was set back, and whoever wrote to the run since.
func TestClockSetBack(t *testing.T) {
	const wait = 10 * time.Second
	ask := func(ctx context.Context, text string, timeout time.Duration) error {
		_, err := people.Ask(ctx, people.Later(), people.Question{ID: text, Agent: "teller", Text: text}, timeout)
		if errors.Is(err, people.ErrTimeout) {
			return nil
		}
		return err
	}
	for name, c := range map[string]struct {
		step    handle
		answers bool // somebody answers a question before anybody drives the run again
	}{
		"a wait": {step: func(ctx context.Context, _ *teller, _ int) (bool, error) {
			return true, effects.WaitUntil(ctx, "wait", time.Now().Add(wait))
		}},
		"a deadline": {step: func(ctx context.Context, _ *teller, _ int) (bool, error) { return true, ask(ctx, "q", wait) }},
		"a deadline behind a wait": {step: func(ctx context.Context, _ *teller, n int) (bool, error) {
			if n == 1 {
				return false, effects.WaitUntil(ctx, "wait", time.Now().Add(wait/2))
			}
			return true, ask(ctx, "q", wait/2)
		}},
		"a deadline, beside a question that is answered": {step: func(ctx context.Context, _ *teller, _ int) (bool, error) {
			return true, errors.Join(ask(ctx, "other", -1), ask(ctx, "q", wait))
		}, answers: true},
	} {
		for _, by := range []time.Duration{0, time.Hour, -30 * time.Second, -time.Hour, -24 * 365 * time.Hour} {
			t.Run(name+", by "+by.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, c.step)
					svc := w.process(runs.Config{})
					go func() { _ = svc.Work(t.Context()) }()
					w.start(svc, "a")
					time.Sleep(wait / 5)
					require.Equal(t, durable.Waiting, w.look("a").Stage)
					require.NoError(t, svc.Close(t.Context()))

					w.store = afterClockSet(t, w.store, "a", by)
					if c.answers {
						_, err := w.process(runs.Config{}).Answer(t.Context(), "a", "other", people.Answer{Text: "12"})
						require.NoError(t, err)
					}
					began := time.Now()
					w.works(w.process(runs.Config{}))
					most := wait + 3*time.Second
					if by == -30*time.Second { // clocks may be that far apart
						most -= by
					}
					for time.Since(began) < most && w.look("a").Stage != durable.Ended {
						time.Sleep(time.Second)
					}
					assert.Equal(t, durable.Ended, w.look("a").Stage)
					if by < -time.Minute {
						assert.GreaterOrEqual(t, time.Since(began), wait/2, "nor is it much shorter")
					}
					records := 0
					for _, err := range durable.Records(t.Context(), w.store, "a") {
						require.NoError(t, err)
						records++
					}
					assert.Less(t, records, 40, "nothing is tried again and again")
				})
			})
		}
	}
}
