package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
)

// Two applications that are nothing but Go funcs.
func TestScenario01_OnDesktopsOfGoFuncs(t *testing.T) {
	type rows struct {
		Rows [][]any `json:"rows" desc:"of the table"`
	}
	var drawn [][]any
	word, err := desktop.New(desktop.Func("read_table", "Read the table.",
		func(context.Context, struct{}) ([][]any, error) { return [][]any{{"North", 12.0}}, nil },
		&desktop.FuncOptions{Annotations: desktop.Annotations{ReadOnlyHint: true}}))
	require.NoError(t, err)
	excel, err := desktop.New(desktop.Func("draw_chart", "Draw a chart.", func(_ context.Context, in rows) (string, error) {
		if len(in.Rows) == 0 {
			return "", errors.New("there is nothing to draw")
		}
		drawn = in.Rows
		return "drawn", nil
	}, nil))
	require.NoError(t, err)

	s := onStage(t,
		assign("0", "extract"),
		call(fsm.Continue, "read_table", nil),
		finish([][]any{{"North", 12}}),
		assign("1", "chart"),
		several(fsm.Finish,
			action("draw_chart", map[string]any{"rows": map[string]any{"$ref": "subtask_result_1.data"}}),
			action("draw_chart", map[string]any{"rows": []any{}})),
		finish("drawn"),
		finish("done"))
	s.Config.Desktop, err = desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "word", Title: "report"}, Desktop: word},
		desktop.App{Window: desktop.Window{Root: "excel"}, Desktop: excel})
	require.NoError(t, err)
	res, err := s.run("draw a chart of the table")
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
	assert.Equal(t, [][]any{{"North", 12.0}}, drawn)
	assert.Equal(t, "draw_chart failed: there is nothing to draw", prompt[string](s, 5, "last_error"))
	history := prompt[[]acting.Memo](s, 2, "history")
	assert.JSONEq(t, `[["North",12]]`, string(history[0].Actions[0].Output))
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN", "AppAgent/word/1:CONTINUE", "AppAgent/word/1:CONTINUE", "AppAgent/word/1:FINISH",
		"HostAgent:CONTINUE", "HostAgent:ASSIGN", "AppAgent/excel/2:CONTINUE", "AppAgent/excel/2:CONTINUE", "AppAgent/excel/2:FINISH",
		"HostAgent:CONTINUE", "HostAgent:FINISH",
	}, s.positions())
}
