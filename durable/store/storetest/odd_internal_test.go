package storetest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/durable/store"
)

// A store that knows nothing of what another one has appended.
func TestForgetfulStore(t *testing.T) {
	found := inspect(t, Backend{
		New:    func(testing.TB) store.Store { return store.Memory() },
		Reopen: func(testing.TB, store.Store) store.Store { return store.Memory() },
	}, patience)
	assert.Contains(t, fmt.Sprint(found["reopened"]), "yields 0 records, not 2")
	assert.Contains(t, fmt.Sprint(found["conflict"]), "which has 3, fails with {Run:run 1 After:-1 Last:0}")
	assert.Contains(t, fmt.Sprint(found["one wins"]), "2 of 8 Appends")
}

// A store that keeps the memory of its callers, or gives its own away.
func TestSharingStore(t *testing.T) {
	for name, c := range map[string]struct {
		in, out bool
		want    string
	}{
		"in":  {in: true, want: "the caller changed its buffer after Append had returned"},
		"out": {out: true, want: "the caller changed what it had read, and the journal with it"},
	} {
		t.Run(name, func(t *testing.T) {
			found := inspect(t, Backend{New: func(testing.TB) store.Store { return &list{in: c.in, out: c.out} }}, patience)
			assert.Contains(t, fmt.Sprint(found["own bytes"]), c.want)
		})
	}
}

// list is a store of one run.
type list struct {
	store.Drives
	in, out bool
	mu      sync.Mutex
	records [][]byte
}

func (l *list) Append(_ context.Context, _ string, _ int64, records ...[]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, data := range records {
		if !l.in {
			data = bytes.Clone(data)
		}
		l.records = append(l.records, data)
	}
	return nil
}

func (l *list) Read(_ context.Context, _ string, from int64) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		l.mu.Lock()
		records := slices.Clone(l.records)
		l.mu.Unlock()
		for i, data := range records {
			if !l.out {
				data = bytes.Clone(data)
			}
			if seq := int64(i + 1); seq >= from && !yield(store.Entry{Seq: seq, Data: data}, nil) {
				return
			}
		}
	}
}

func (l *list) Runs(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		l.mu.Lock()
		n := len(l.records)
		l.mu.Unlock()
		if n > 0 {
			yield(run, nil)
		}
	}
}

func (l *list) Delete(context.Context, string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = nil
	return nil
}

// A call that does not come back is said to be one, whether it heeds its context or not.
func TestHangingStore(t *testing.T) {
	for name, c := range map[string]struct {
		deaf bool
		want string
	}{
		"heeds its context": {false, "storetest: it took more than"},
		"deaf":              {true, "a call has not come back after"},
	} {
		t.Run(name, func(t *testing.T) {
			stop := t.Context().Done()
			found := inspect(t, backend(func(b *bent) {
				b.append = func(ctx context.Context, _ string, _ int64, _ ...[]byte) error {
					if c.deaf {
						<-stop
						return nil
					}
					<-ctx.Done()
					return context.Cause(ctx)
				}
			}), 50*time.Millisecond)
			assert.Contains(t, fmt.Sprint(found["empty"]), c.want)
			assert.Len(t, found, 1, "the others build on it")
		})
	}
}

func TestBackendWithoutStores(t *testing.T) {
	assert.Equal(t, map[string][]string{"empty": {"Backend.New is nil"}}, inspect(t, Backend{}, patience))
	none := func(testing.TB) store.Store { return (*list)(nil) }
	assert.Contains(t, fmt.Sprint(inspect(t, Backend{New: none}, patience)["empty"]), "Backend.New returned nil")
}
