package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/llm"
)

// A process may die anywhere between the SCREENSHOT and the end of the CONTINUE behind it. The
// next one sees what was seen, as far as something followed from it: no reply that was
// recorded is paid for again, no act is done again, and a replay takes the same way.
func TestScenario61_AfterACrash(t *testing.T) { diesWhileItLooks(t, func(*stage) {}) }

// What the agent asks its program for between SCREENSHOT and CONTINUE is no look.
func TestScenario61_KnowledgeThatFailedAndACrash(t *testing.T) {
	diesWhileItLooks(t, func(s *stage) {
		known := 0
		s.Config.Knowledge = func(context.Context, fsm.Task) ([]llm.Section, error) {
			if known++; known == 1 {
				return nil, errors.New("it is down")
			}
			return []llm.Section{{Name: "manual", Value: "how"}}, nil
		}
	})
}

// diesWhileItLooks runs SCREENSHOT, CONTINUE with an act and FINISH in two processes. The first one
// dies at each place in turn.
func diesWhileItLooks(t *testing.T, prepare func(s *stage)) {
	for dies := range 40 {
		alive := false
		t.Run(fmt.Sprint(dies), func(t *testing.T) {
			s := onStage(t)
			s.Desktop.AddTools(desktoptest.Tool{Name: "note"})
			prepare(s)
			asked := 0
			s.Config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				asked++
				s.Word.ChangeWindow(func(w *desktop.Window) { w.Title = fmt.Sprint(asked) }) // whoever looks again sees another one
				seen := 0
				if history, ok := llm.FindSection(req, "history"); ok {
					var memos []any
					require.NoError(t, json.Unmarshal(history, &memos))
					seen = len(memos)
				}
				reply := []any{map[string]any{"Status": "SCREENSHOT"}, call("CONTINUE", "note", map[string]any{"text": "seen"}), leaving("done", "act_1")}[seen]
				text, err := plainjson.Encode(reply)
				return &llm.Response{Text: string(text), Usage: used}, err
			})
			runs := store.Memory()
			open := func(in store.Store) error {
				session, err := durable.Open(t.Context(), s.alone(), in, "run", nil)
				if err != nil {
					return err
				}
				_, err = session.Continue(t.Context(), "look")
				return errors.Join(err, session.Close(t.Context()))
			}
			err := open(&frail{Store: runs, left: dies})
			if alive = err == nil; !alive {
				require.ErrorIs(t, err, errDied)
				require.NoError(t, open(runs))
			}
			acts := s.acted()
			require.Len(t, acts, 1, "%v", acts)
			recorded := 0
			for record, err := range durable.Records(t.Context(), runs, "run") {
				require.NoError(t, err)
				if record.Kind == "call" {
					recorded++
				}
			}
			assert.Equal(t, 3, recorded, "each reply")
			_, err = durable.Replay(t.Context(), s.alone(), runs, "run", nil)
			require.NoError(t, err)
		})
		if alive {
			return
		}
	}
	t.Fatal("it dies each time")
}

// A window that was taken for what a part of its title says is a repair on record.
func TestScenario60_IsOnRecord(t *testing.T) {
	for text, want := range map[string][]llm.Repair{
		"report.docx":        {{Kind: "window", Where: "ControlText", Count: 1}},
		"report.docx - Word": nil,
		"EXCEL":              {{Kind: "window", Where: "ControlText", Count: 1}},
		"book1 -  Excel":     {{Kind: "window", Where: "ControlText", Count: 1}},
		"excel":              nil,
	} {
		s := onStage(t, map[string]any{"Status": "ASSIGN", "CurrentSubTask": "x", "ControlText": text}, finish("r"), finish("done"))
		_, err := s.run("go")
		require.NoError(t, err)
		assert.Equal(t, want, s.Steps[0].Repairs, text)
	}
}
