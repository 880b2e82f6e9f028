package durable_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// The journals in testdata/format1 are of runs of a world, whose processes died after so many Appends, or asked a person. Each
// of their records had an Append of its own, and no store had marks. They are never written anew: what was recorded once
// must be read.
func TestJournalsOfFormat1(t *testing.T) {
	calm := newWorld(t)
	want, _ := calm.survive()
	paths, err := filepath.Glob("testdata/format1/*.journal")
	require.NoError(t, err)
	require.Len(t, paths, 8)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".journal")
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			files, err := store.Files(t.TempDir(), nil)
			require.NoError(t, err)
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(files.File("run"), raw, 0o600))
			w.store.Store = files
			w.was(strings.TrimSuffix(path, ".journal") + ".json")

			state, err := durable.Look(t.Context(), w.store, "run")
			require.NoError(t, err)
			switch {
			case name == "ended":
				assert.Equal(t, durable.Ended, state.Stage)
			case name == "suspended":
				assert.Equal(t, durable.Waiting, state.Stage)
				for _, q := range state.Waits {
					given, err := durable.Answer(t.Context(), w.store, "run", q.ID, people.Answer{Text: "blue"})
					require.NoError(t, err)
					assert.True(t, given)
				}
			default:
				assert.Equal(t, durable.Ready, state.Stage)
			}
			res, err := w.life(false)
			require.NoError(t, err)
			assert.Equal(t, calm.outcome(want), w.outcome(res))
			w.requireOnce()
			again, err := w.replay(nil)
			require.NoError(t, err)
			assert.Equal(t, round.Finished, again.Outcome)
		})
	}
}

// was has the world be as a file has it.
func (w *world) was(path string) {
	raw, err := os.ReadFile(path)
	require.NoError(w.t, err)
	var was struct {
		Rows, Lines []string
		Done        map[string]int
		Published   string
	}
	require.NoError(w.t, json.Unmarshal(raw, &was))
	w.rows, w.lines = was.Rows, was.Lines
	if was.Done != nil {
		w.done = was.Done
	}
	w.excel.ChangeControl("rows", func(c *desktop.Control) { c.Value = count(w.rows) })
	w.word.ChangeControl("lines", func(c *desktop.Control) { c.Value = count(w.lines) })
	w.word.ChangeControl("published", func(c *desktop.Control) { c.Value = was.Published })
}

func count(list []string) string { return strconv.Itoa(len(list)) }
