package durable_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	helper "github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/people"
)

// readCounter is a store that counts the records that are read.
type readCounter struct {
	store.Index
	read int
}

func (c *readCounter) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range c.Index.Read(ctx, run, from) {
			c.read++
			if !yield(e, err) {
				return
			}
		}
	}
}

// Who comes back gets the records behind the last one that it has, as everybody else does. Before those, few are read.
func TestFollowReadsOn(t *testing.T) {
	files, err := store.Files(t.TempDir())
	require.NoError(t, err)
	for name, inner := range map[string]store.Index{"memory": store.Memory(), "files": files} {
		t.Run(name, func(t *testing.T) {
			st := &readCounter{Index: inner}
			const steps, wide = 40, 5
			open := func() *helper.Agent {
				return &helper.Agent{Called: "clerk", Step: func(ctx context.Context, a *helper.Agent) (bool, error) {
					if _, err := effects.Do(ctx, "pay", func(context.Context) (string, error) { return strings.Repeat("x", 1000), nil }); err != nil {
						return false, err
					}
					for i := range 20 {
						if a.N%steps != wide {
							break
						}
						if _, err := effects.Do(ctx, fmt.Sprint("mail", i), func(context.Context) (int, error) { return i, nil }); err != nil {
							return false, err
						}
					}
					if a.N%steps == steps/2 {
						_, err := people.Ask(ctx, people.Later(), people.Question{ID: fmt.Sprint("q", a.N), Agent: "clerk", Text: "?"}, -1)
						if err != nil {
							return false, err
						}
					}
					return a.N%steps == steps-1, nil
				}}
			}
			drive := func(number int, request string) {
				s, err := durable.Open(t.Context(), open(), st, "r", nil)
				require.NoError(t, err)
				_, err = s.ContinueRound(t.Context(), number, request)
				state, _ := durable.Look(t.Context(), st, "r")
				if len(state.Waits) == 0 {
					require.NoError(t, err)
				}
				require.NoError(t, s.Close(t.Context()))
			}
			check := func(ended bool) {
				var all []durable.Record
				for r, err := range durable.Records(t.Context(), st, "r") {
					require.NoError(t, err)
					all = append(all, r)
				}
				errIdle := errors.New("there is no more")
				// From the end, some in the short form: a record of the wide step is always among them.
				for after := len(all); after >= 0; after -= sample.Every(5) * sample.Raced(3) {
					st.read = 0
					next := after
					for r, err := range durable.Follow(t.Context(), st, "r", int64(after), func(context.Context, func() bool) error { return errIdle }) {
						if err != nil {
							require.ErrorIs(t, err, errIdle)
							require.False(t, ended, "nothing more comes")
							break
						}
						require.Less(t, next, len(all))
						assert.Equal(t, all[next].String(), r.String())
						assert.Equal(t, [2]int{all[next].Round, all[next].Step}, [2]int{r.Round, r.Step}, "record %d", r.Seq)
						next++
					}
					assert.Equal(t, len(all), next)
					before := 10
					if after < len(all) && all[after].Step == wide+1 {
						before = 80 // it has 43 records
					}
					assert.LessOrEqual(t, st.read-(len(all)-after), before, "behind record %d", after)
				}
			}
			for i, request := range []string{"one", "two"} {
				drive(i+1, request)
				check(false)
				_, err := durable.Answer(t.Context(), st, "r", fmt.Sprint("q", i*steps+steps/2), people.Answer{Text: "yes"})
				require.NoError(t, err)
				drive(i+1, request)
				check(true)
			}
		})
	}
}
