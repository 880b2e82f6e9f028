package durable_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/round"
)

// A run is resumed from a snapshot that is not far back, and all snapshots together are no larger than what is
// not read because of them. So it is of texts with the signs that JSON may escape.
func TestSnapshotsAreWorthTheirBytes(t *testing.T) {
	defer durable.SnapshotAfter(64 << 10)()
	for name, word := range map[string]string{"words": "a word, ", "HTML": "<p>&</p>"} {
		t.Run(name, func(t *testing.T) {
			n, kept, page := 0, strings.Repeat(word, 6000), strings.Repeat(word, 800)
			a := newClerk(func(_ context.Context, c *clerk) (fsm.Status, error) {
				if c.N++; c.N == 40 {
					return fsm.Finish, nil
				}
				return fsm.Continue, nil
			})
			a.save = func() (fsm.Saved, error) {
				n++
				raw, err := plainjson.Encode(map[string]string{"page": fmt.Sprint(page, n), "kept": kept})
				return fsm.Saved{State: raw}, err
			}
			st := &mortal{Store: store.Memory()}
			s, err := durable.Open(t.Context(), a, st, "run", &durable.Options{Round: &round.Options{MaxSteps: -1, MaxTransitions: -1}})
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "do it")
			require.NoError(t, err)
			many, bytes, others := 0, 0, 0
			for r, err := range durable.Records(t.Context(), st, "run") {
				require.NoError(t, err)
				if r.Kind != "snapshot" {
					others += len(r.Data)
					continue
				}
				many, bytes = many+1, bytes+len(r.Data)
			}
			assert.GreaterOrEqual(t, many, 3)
			assert.LessOrEqual(t, bytes, others)
		})
	}
}
