package appagent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// What the model may write, with somebody to ask. testdata has it; -update writes it anew.
func TestSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.User = people.Later()
	b.finish()
	var schema bytes.Buffer
	require.NoError(t, json.Indent(&schema, b.Model.Last().Schema.JSON, "", "  "))
	golden.Equal(t, "schema.json", schema.String()+"\n")
}

// acted is how many commands were no observation.
func (b *bench) acted() int {
	n := 0
	for _, e := range b.Desktop.Log() {
		if !e.Command.Looks {
			n++
		}
	}
	return n
}

// The screenshot of a step is kept where the model asks for it, in any of the
// forms that models write.
func TestSaveScreenshot(t *testing.T) {
	var replies []any
	for _, wish := range []any{m{"save": true, "reason": "the chart"}, "True", "why not", true, "False", []int{1}, false} {
		replies = append(replies, m{"Status": "CONTINUE", "Thought": "look", "SaveScreenshot": wish})
	}
	b := newBench(t, append(replies, say(fsm.Finish))...)
	agent := b.agent()
	_, err := b.drive(agent, "do it")
	require.NoError(t, err)
	all, _, err := blackboard.NewKey[[]struct{ Agent, Screenshot, Reason string }](boarddata.Trajectories).Get(agent.Board())
	require.NoError(t, err)
	var reasons []string
	for _, note := range all {
		if note.Screenshot != "" {
			reasons = append(reasons, note.Reason)
			assert.Equal(t, "AppAgent/word/report", note.Agent)
			mediaType, data, ok := agent.Board().Blob(note.Screenshot)
			require.True(t, ok)
			assert.Equal(t, "image/png", mediaType)
			assert.NotEmpty(t, data)
		}
	}
	assert.Equal(t, []string{"the chart", "", "why not", ""}, reasons)
}

// A control beside the list is that of its one call. It is never lost.
func TestControlBesideActions(t *testing.T) {
	for reply, want := range map[string]string{
		`{"Status":"CONTINUE","ControlLabel":"3","Actions":[{"Function":"click_input","Args":{}}]}`:                                                   "3",
		`{"Status":"CONTINUE","ControlLabel":"3","Actions":[{"Function":"click_input","Args":{"id":"1"}}]}`:                                           `ControlLabel is "3", but the argument "id" is "1"`,
		`{"Status":"CONTINUE","ControlLabel":"3","Actions":[{"Function":"wait","Args":{}},{"Function":"click_input","Args":{"id":"1"}}]}`:             `ControlLabel "3" stands beside Actions`,
		`{"Status":"CONTINUE","ControlLabel":"3","Actions":[{"Function":"wait","Args":{"seconds":0}},{"ControlLabel":"3","Function":"click_input"}]}`: "3",
	} {
		b := newBench(t, reply, say(fsm.Finish))
		b.finish()
		clicks := b.Desktop.Calls(desktop.ClickInput)
		if want == "3" {
			require.Len(t, clicks, 1, reply)
			assert.Equal(t, "3", clicks[0].Command.Parameters["id"])
			continue
		}
		assert.Empty(t, clicks, reply)
		messages := b.Model.Requests()[1].Messages
		assert.Contains(t, strings.ReplaceAll(messages[len(messages)-1].Parts[0].Text, `\"`, `"`), want)
	}
}

// A list in a reply that is too long is refused before anything is done with it, and whoever wrote
// it is told how long it may be.
func TestListsOfAReplyAreBounded(t *testing.T) {
	texts, calls := []string{}, []m{}
	for i := range promptsize.PlanItems + 1 {
		texts = append(texts, fmt.Sprintf("note %d", i))
		calls = append(calls, m{"Function": "wait", "Args": m{"seconds": 0}, "Extra": m{"x": 1}})
	}
	var fields []m
	var tree []desktop.Control
	for i := range promptsize.Named + 1 {
		fields = append(fields, m{"ref": strconv.Itoa(i)})
		tree = append(tree, desktop.Control{ID: strconv.Itoa(i), Type: "Edit"})
	}
	for name, tc := range map[string]struct {
		reply m
		told  string
	}{
		"controls":  {m{"Function": "fill", "Args": m{"fields": fields}}, fmt.Sprintf("names %d controls: name at most %d in one call", len(fields), promptsize.Named)},
		"plan":      {m{"Plan": texts}, fmt.Sprintf("the Plan has %d items and can have %d", len(texts), promptsize.PlanItems)},
		"actions":   {m{"Actions": calls}, fmt.Sprintf("the reply makes %d calls: make at most %d", len(calls), promptsize.Actions)},
		"questions": {m{"Status": "PENDING", "Questions": texts}, fmt.Sprintf("there are %d Questions; ask at most %d", len(texts), promptsize.Questions)},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.reply["Status"] == nil {
				tc.reply["Status"] = "CONTINUE"
			}
			b := newBench(t, tc.reply, say(fsm.Finish))
			b.Desktop.AddTools(desktoptest.Tool{Name: "fill"})
			b.Word.SetControls(tree...)
			b.Config.User = answering("", true)
			b.finish()
			require.Len(t, b.Model.Requests(), 2, "it is fed back within the step")
			last := b.Model.Requests()[1].Messages
			assert.Contains(t, last[len(last)-1].Text(), tc.told)
		})
	}
}

// A step whose context ends while the model answers does nothing with the reply, however long it is.
func TestACancelledStepReadsNoPlan(t *testing.T) {
	texts := make([]string, promptsize.PlanItems)
	for i := range texts {
		texts[i] = fmt.Sprintf("note %d", i)
	}
	for name, reply := range map[string]m{
		"taken":   {"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1", "Plan": texts},
		"refused": {"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1", "Plan": slices.Concat(texts, []string{"one more"})},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			ctx, cancel := context.WithCancel(t.Context())
			text, err := json.Marshal(reply)
			require.NoError(t, err)
			asked := 0
			b.Config.Model = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				asked++
				cancel()
				return &llm.Response{Text: string(text)}, nil
			})
			r, err := round.New(b.agent(), "do it", nil)
			require.NoError(t, err)
			_, err = r.Run(ctx)
			require.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, 1, asked)
			assert.Empty(t, b.Desktop.Calls(desktop.ClickInput))
		})
	}
}
