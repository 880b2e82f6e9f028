package durable_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// busy is a store whose runs are being written: their marks are behind or missing, and their locks are taken.
type busy struct {
	store.Index
	missing bool
	locked  []string // runs for whose lock somebody has waited
}

func (b *busy) Marked(ctx context.Context, run string) (store.Mark, error) {
	m, err := b.Index.Marked(ctx, run)
	return b.late(m), err
}

func (b *busy) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	return func(yield func(store.Mark, error) bool) {
		for m, err := range b.Index.Marks(ctx, store.Query{Prefix: q.Prefix, After: q.After}) {
			if !yield(b.late(m), err) {
				return
			}
		}
	}
}

func (b *busy) late(m store.Mark) store.Mark {
	if b.missing {
		return store.Mark{Run: m.Run}
	}
	m.Behind = true
	return m
}

func (b *busy) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	if len(records) > 0 {
		return b.Index.AppendMarked(ctx, run, after, mark, records...)
	}
	b.locked = append(b.locked, run)
	<-ctx.Done()
	return context.Cause(ctx)
}

// A list waits for the lock of no run that is being written. One that has not been written for a minute gets its mark back.
func TestListBesideWriters(t *testing.T) {
	for name, missing := range map[string]bool{"the marks are behind": false, "there are no marks": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &busy{Index: store.Memory(), missing: missing}
				for _, run := range []string{"a", "b", "c"} {
					_, err := durable.Start(t.Context(), b.Index, run, "go", nil)
					require.NoError(t, err)
				}
				list := func(q durable.Query) {
					n := 0
					for state, err := range durable.List(t.Context(), b, q) {
						require.NoError(t, err)
						assert.Equal(t, durable.Ready, state.Stage)
						n++
					}
					assert.Equal(t, 3, n)
				}
				began := time.Now()
				list(durable.Query{})
				list(durable.Query{Ready: true})
				list(durable.Query{Stages: []durable.Stage{durable.Ready}})
				assert.Empty(t, b.locked)
				assert.Zero(t, time.Since(began))
				time.Sleep(2 * time.Minute)
				list(durable.Query{})
				assert.Equal(t, []string{"a", "b", "c"}, b.locked)
			})
		})
	}
}
