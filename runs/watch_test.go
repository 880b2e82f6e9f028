package runs_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// watch notes what is seen of a run, until that ends or after some events.
func (w *world) watch(svc *runs.Service, run string, after int64, most int) (texts []string, last int64) {
	for e, err := range svc.Watch(w.Context(), run, after) {
		require.NoError(w, err)
		assert.Greater(w, e.Seq, after)
		texts, last = append(texts, e.Text), e.Seq
		if len(texts) == most {
			break
		}
	}
	return texts, last
}

func TestWatch(t *testing.T) {
	for name, elsewhere := range map[string]bool{"of this process": false, "of another process": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, asks)
				svc := w.works(w.process(runs.Config{}))
				page := svc
				if elsewhere {
					page = w.process(runs.Config{})
				}
				w.start(svc, "a")
				seen := make(chan []string, 2)
				for range 2 {
					go func() {
						texts, last := w.watch(page, "a", 0, 3) // is cut off
						more, _ := w.watch(page, "a", last, 0)
						seen <- append(texts, more...)
					}()
				}
				time.Sleep(time.Minute)
				_, err := svc.Answer(t.Context(), "a", "a-q", people.Answer{Text: "12"})
				require.NoError(t, err)
				for range 2 {
					assert.Equal(t, []string{
						`start "go"`, `round "go"`, `ask "How much?"`,
						`stop SUSPENDED at teller:CONTINUE: "waiting for an answer to: How much?"`,
						`answer`, `resume`, `step teller:CONTINUE -> teller:FINISH`, `end FINISH at teller:FINISH, answer "12"`,
					}, <-seen)
				}
			})
		})
	}
}

// Who watches a run that is deleted learns of it at once.
func TestWatchOfADeletedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asks)
		svc := w.process(runs.Config{})
		w.start(svc, "a")
		watched := make(chan error, 1)
		go func() {
			var last error
			for _, err := range w.process(runs.Config{}).Watch(t.Context(), "a", 0) {
				last = err
			}
			watched <- last
		}()
		synctest.Wait()
		_, err := svc.Cancel(t.Context(), "a", "")
		require.NoError(t, err)
		require.NoError(t, svc.Delete(t.Context(), "a"))
		require.ErrorIs(t, <-watched, durable.ErrNoRun)
	})
}

func TestWatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asks)
		svc := w.process(runs.Config{})
		for _, err := range svc.Watch(t.Context(), "none", 0) {
			require.ErrorIs(t, err, durable.ErrNoRun)
		}
		w.start(svc, "a")
		gone := errors.New("the page was closed")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Hour, func() { cancel(gone) })
		var last error
		for _, err := range svc.Watch(ctx, "a", 1) {
			last = err
		}
		require.ErrorIs(t, last, gone)
		page := w.process(runs.Config{})
		time.AfterFunc(time.Hour, func() { assert.NoError(t, page.Close(context.Background())) })
		for _, err := range page.Watch(t.Context(), "a", 1) {
			require.ErrorIs(t, err, runs.ErrClosed)
		}
		go func() {
			time.Sleep(time.Hour)
			_, _ = svc.Cancel(t.Context(), "a", "too dear")
		}()
		texts, _ := w.watch(svc, "a", 0, 0)
		assert.Equal(t, []string{`start "go"`, `cancel "too dear"`}, texts)
	})
}
