package builtin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/people"
)

func TestNextKeepsTheMemoryOnly(t *testing.T) {
	d := builtin.Data{Steps: 3, Work: acting.Work{
		Answers: []acting.Entry{{}}, Answer: "a", Result: json.RawMessage("1"), Did: true, Approval: &acting.Approval{},
	}}
	_, _, err := d.Perform(t.Context(), &acting.Actor{}, nil, acting.Wish{To: fsm.Confirm}) // waits for whether to go on
	require.NoError(t, err)
	d.LastError = "e"
	d.Memory.Add(acting.Memo{Note: "n"})
	next := d.Next()
	assert.Equal(t, d.Memory.Recent(10), next.Memory.Recent(10))
	next.Memory = acting.Memory{}
	assert.Equal(t, builtin.Data{Steps: 3}, next)
}

func TestLook(t *testing.T) {
	box, err := desktop.Open(t.Context(), desktoptest.New(t), nil)
	require.NoError(t, err)
	v := builtin.View{Box: box}
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	require.NoError(t, v.Look(ctx, "light", desktop.GetUITree, func() error { return nil }))
	assert.Empty(t, v.Unseen)
	require.NoError(t, v.Look(ctx, "light", "lamp", func() error { return cause }))
	require.NoError(t, v.Look(ctx, "light", desktop.GetUITree, func() error { return errors.New("dark") }))
	assert.Equal(t, []string{"no light: dark"}, v.Unseen)
	cancel(cause)
	assert.ErrorIs(t, v.Look(ctx, "light", desktop.GetUITree, func() error { return ctx.Err() }), cause)
}

// Of many sub-tasks the latest are shown, and how many came before them. Long results
// are shown by their heads. The class: what grows with a round.
func TestClosedIsBounded(t *testing.T) {
	board := blackboard.New(0)
	long := json.RawMessage(`"` + strings.Repeat("x", 3*promptsize.Output) + `"`)
	for i, c := range []struct{ more, shown, left int }{
		{0, 0, 0}, {1, 1, 0}, {promptsize.PreviousSubtasks - 1, promptsize.PreviousSubtasks, 0}, {1, promptsize.PreviousSubtasks, 1}, {200, promptsize.PreviousSubtasks, 201},
	} {
		for range c.more {
			s, err := board.Open(blackboard.Subtask{App: "a", Text: "t"})
			require.NoError(t, err)
			require.NoError(t, board.Close(s.ID, "FINISH", long, strings.Repeat("y", 3*promptsize.Output)))
		}
		var sections builtin.Sections
		latest, err := sections.AddClosed(board, 0)
		require.NoError(t, err)
		require.Len(t, latest, c.shown, i)
		var closed []struct {
			blackboard.Subtask
			LeftOut string `json:"left_out"`
		}
		if c.shown > 0 {
			require.NoError(t, json.Unmarshal(sections[0].Value.(plainjson.Text), &closed))
		}
		if c.left > 0 {
			assert.Contains(t, closed[0].LeftOut, fmt.Sprintf("%d earlier sub-tasks;", c.left))
			closed = closed[1:]
		}
		require.Len(t, closed, c.shown, i)
		if c.shown == 0 {
			continue
		}
		all := board.Subtasks()
		assert.Equal(t, all[len(all)-1].ID, closed[len(closed)-1].ID, "the latest is there")
		assert.Equal(t, all[c.left].ID, closed[0].ID)
		raw, err := json.Marshal(closed[0])
		require.NoError(t, err)
		assert.Less(t, len(raw), 4*promptsize.Output)
	}
}

// A sub-task is shown as acting.Brief has it, also where the blackboard's own text is taken for that.
func TestClosedIsBrief(t *testing.T) {
	board := blackboard.New(0)
	odd := "a > b & \"b\" \u2028 \xff"
	for _, s := range []blackboard.Subtask{
		{Text: odd, App: odd, Status: odd, Reason: odd, Result: json.RawMessage(`{"a": ">\u00e9>", "n": 1.50}`)},
		{Text: "no result", Status: "FAIL"},
		{Text: strings.Repeat(odd, promptsize.Output), Status: "FINISH", Result: json.RawMessage(`1`)},
		{Text: "long", Status: "FINISH", Result: json.RawMessage(`"` + strings.Repeat("x", 2*promptsize.Output) + `"`)},
		{Text: "builds on others", Status: "FINISH", DependsOn: []string{"subtask_1"}, Result: json.RawMessage(`null`)},
	} {
		opened, err := board.Open(s)
		require.NoError(t, err)
		require.NoError(t, board.Close(opened.ID, s.Status, s.Result, s.Reason))
	}
	want, err := plainjson.Encode(acting.Brief(board, board.Subtasks()))
	require.NoError(t, err)
	var sections builtin.Sections
	_, err = sections.AddClosed(board, 0)
	require.NoError(t, err)
	got, err := plainjson.Encode(sections[0].Value)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// Where commands act is an application, a window by its id, and the dialog in front.
// Each fact is in one section.
func TestTheBoardShowsWhatNoOtherSectionHas(t *testing.T) {
	board := blackboard.New(0)
	for range promptsize.PreviousSubtasks + 2 {
		s, err := board.Open(blackboard.Subtask{App: "a", Text: "t"})
		require.NoError(t, err)
		require.NoError(t, board.Close(s.ID, "FINISH", json.RawMessage(`1`), ""))
	}
	for _, name := range []string{boarddata.Plan, boarddata.CurrentSubtask, boarddata.HostLastStep, boarddata.TaskProgress} {
		require.NoError(t, board.PutRaw(name, json.RawMessage(`{}`)))
	}
	require.NoError(t, board.Append(boarddata.Trajectories, 1))
	require.NoError(t, board.Append(boarddata.Requests, "first"))
	var data builtin.Data
	shows := func() []string {
		var sections builtin.Sections
		shown, err := sections.AddClosed(board, 0)
		require.NoError(t, err)
		require.NoError(t, sections.AddRest(&data, board, shown, nil))
		for _, s := range sections {
			if s.Name == "blackboard" {
				var excerpt map[string]json.RawMessage
				text := s.Value.(plainjson.Text)
				require.NoError(t, json.Unmarshal(text, &excerpt))
				again, err := plainjson.Encode(json.RawMessage(text))
				require.NoError(t, err)
				assert.Equal(t, string(again), string(text), "as it would be written")
				return slices.Sorted(maps.Keys(excerpt))
			}
		}
		return nil
	}
	assert.Equal(t, []string{"subtask_result_1", "subtask_result_2"}, shows(), "previous_subtasks has the others")
	require.NoError(t, board.PutRaw("a note", json.RawMessage(`{}`)))
	require.NoError(t, board.Append(boarddata.Requests, "second"))
	assert.Equal(t, []string{"a note", "requests", "subtask_result_1", "subtask_result_2"}, shows(), "the section request has the last one only")
	answered := []acting.Entry{{Question: "Which?", Answer: "this"}}
	require.NoError(t, board.Append(boarddata.Answers, answered[0]))
	data.Answers = answered
	assert.NotContains(t, shows(), "questions", "the section answers has them")
	require.NoError(t, board.Append(boarddata.Answers, answered[0]))
	assert.Contains(t, shows(), "questions", "another agent has an answer, too")
	data.Answers = nil
	assert.Contains(t, shows(), "questions")
}

func TestPlace(t *testing.T) {
	for want, w := range map[string]desktop.Window{
		"word/report":     {Root: "word", Process: "report", Title: "t", Focus: "5"},
		"word/report (1)": {ID: "1", Root: "word", Process: "report"},
		"word/report (2)": {ID: "2", Root: "word", Process: "report"},
		"word/report (2) behind the dialog with id 9": {ID: "2", Root: "word", Process: "report", Dialog: "9"},
		"": {},

		// What could be read as more than one is quoted.
		`word/report (2) behind the dialog with id "5 (1)"`: {ID: "2", Root: "word", Process: "report", Dialog: "5 (1)"},
		`"word/my report" ("1?")`:                           {ID: "1?", Root: "word", Process: "my report"},
		`"word/report (2) behind the dialog with id 5" (1)`: {ID: "1", Root: "word", Process: "report (2) behind the dialog with id 5"},
	} {
		assert.Equal(t, want, builtin.Place(w))
	}
}

// The focus matters for keys that say nowhere.
func TestFocus(t *testing.T) {
	w := desktop.Window{Focus: "5"}
	box, err := desktop.NewToolbox([]desktop.Tool{
		{Name: "takes_ref.press_key", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{},"ref":{}}}`)},
		{Name: "press_key", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{},"element":{}}}`)},
	}, nil)

	require.NoError(t, err)
	focus := func(tool string, args map[string]any) string {
		return builtin.Focus(box, desktop.Command{ToolName: tool, Parameters: args}, w)
	}
	assert.Equal(t, "5", focus(desktop.KeyboardInput, map[string]any{"keys": "x"}))
	assert.Empty(t, focus(desktop.KeyboardInput, map[string]any{"keys": "x", "id": "6"}))
	assert.Equal(t, "5", focus(desktop.KeyboardInput, map[string]any{"keys": "x", "id": "6", "control_focus": false}), "it stays where it is")
	assert.Empty(t, focus(desktop.Wait, nil))
	assert.Empty(t, builtin.Focus(box, desktop.Command{ToolName: desktop.KeyboardInput}, desktop.Window{}))
	for _, tool := range []string{
		"desk.keyboard_input", "browser_press_key", "sendKeys", "computer.type", "type_text", "hotkey", "keyboard_type", "paste_text", "srv__type", "srv/type",
		"key_combo", "press", "typewrite", "input_text", "enter_text", "send_text", "xdotool_key",
	} {
		assert.Equal(t, "5", focus(tool, map[string]any{"text": "x", "ref": "e7"}), "%s: it does not take one", tool)
	}
	for _, tool := range []string{"click", "wipe", "context", "monkey", "send_mail", "typeset"} {
		assert.Empty(t, focus(tool, nil), tool)
	}
	assert.Empty(t, focus("takes_ref.press_key", map[string]any{"text": "x", "ref": "e7"}))
	assert.Equal(t, "5", focus("takes_ref.press_key", map[string]any{"text": "x", "ref": ""}))
	assert.Equal(t, "5", focus("press_key", map[string]any{"text": "x", "element": "the search box"}), "that describes, and aims at nothing")
}

// What cannot work is not offered, unless nothing would be left.
func TestOffered(t *testing.T) {
	all := []fsm.Status{fsm.Continue, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm}
	var none *people.UserFunc
	assert.Equal(t, all, builtin.Offered(all, people.Later()))
	assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Finish, fsm.Fail}, builtin.Offered(all, nil))
	assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Finish, fsm.Fail}, builtin.Offered(all, none), "nil inside an interface")
	assert.Equal(t, []fsm.Status{fsm.Finish, fsm.Fail}, builtin.Offered(all, nil, fsm.Continue))
	asks := []fsm.Status{fsm.Finish, fsm.Pending}
	assert.Equal(t, asks, builtin.Offered(asks, nil), "a model that may not give up asks, and fails by that")
	assert.Equal(t, asks, builtin.Offered(asks, nil, asks...))
	assert.True(t, builtin.StatusesOf(all).Offers(fsm.Confirm))
	assert.False(t, builtin.StatusesOf(all).Offers(fsm.Screenshot))
}

// A prompt lists statuses where nothing else of it says all of them.
func TestUnnamed(t *testing.T) {
	known := map[fsm.Status]builtin.Says{fsm.Continue: {}, fsm.Finish: {}}
	some, more := []fsm.Status{fsm.Finish}, []fsm.Status{fsm.Finish, "REVIEW"}
	assert.Empty(t, builtin.Unnamed(some, known, true, false))
	assert.Equal(t, some, builtin.Unnamed(some, known, false, false), "another prompt may say anything")
	assert.Equal(t, more, builtin.Unnamed(more, known, true, false))
	assert.Empty(t, builtin.Unnamed(more, known, false, true), "each is a tool")
}

// An id may begin like another one, up to a colon.
func TestHearWhatBeginsAlike(t *testing.T) {
	open := []builtin.Open{{ID: "chart", Key: "1"}, {ID: "Chart: Title", Key: "2"}, {ID: "chart-done", Key: "3"}}
	var p builtin.Proving
	heard, err := p.Hear(open, []string{"chart: title: dropped: none", "chart: done: drawn", "chart_done: skipped: no"})
	require.NoError(t, err)
	assert.Equal(t, 3, heard)
	assert.Equal(t, map[string]builtin.Answer{"1": {Why: "drawn"}, "2": {Dropped: true, Why: "none"}, "3": {Dropped: true, Why: "no"}}, p.Said)
}

// An id may have a colon, and its letters in any case.
func TestHear(t *testing.T) {
	open := []builtin.Open{{ID: "act_1", Key: "1", What: "a click"}, {ID: "sheet: totals", Key: "2", What: "sums"}}
	for _, c := range []struct {
		said  []string
		heard int
		wrong string
	}{
		{[]string{"act_1: done: it is there", "Sheet: Totals: dropped: nobody needs it"}, 2, ""},
		{[]string{"sheet: done: all"}, 0, "act_1 (a click); sheet: totals (sums)"},
		{[]string{"act_1: done", "ACT_1: dropped"}, 0, `Open answers "act_1" twice`},
		{[]string{"act_1: perhaps", "sheet: totals: skipped"}, 1, `Open must say "act_1: done: how"`},
		{[]string{"act_1"}, 0, "act_1"},
		{[]string{"sheet: done: there", "Sheet: Totals: dropped: nobody needs it", "act_1: done"}, 2, ""},
		{[]string{"act_1" + strings.Repeat(":", 1<<20)}, 0, `Open must say "act_1: done: how"`},
	} {
		var p builtin.Proving
		heard, err := p.Hear(open, c.said)
		assert.Equal(t, c.heard, heard, "%v", c.said)
		if c.wrong == "" {
			require.NoError(t, err)
			assert.Equal(t, builtin.Answer{Dropped: true, Why: "nobody needs it"}, p.Said["2"])
			continue
		}
		assert.ErrorContains(t, err, c.wrong)
	}
}

func TestBare(t *testing.T) {
	bare := acting.Wish{To: fsm.Finish}
	require.Error(t, new(builtin.Data).Bare(bare, false))
	for _, result := range []string{`""`, `" "`, `null`} {
		bare.Result = json.RawMessage(result)
		require.Error(t, new(builtin.Data).Bare(bare, false), result)
	}
	for _, result := range []string{`"x"`, `0`, `[]`, `{}`, `false`} {
		bare.Result = json.RawMessage(result)
		require.NoError(t, new(builtin.Data).Bare(bare, false), result)
	}
	bare.Result = nil
	require.NoError(t, new(builtin.Data).Bare(bare, true))
	require.NoError(t, (&builtin.Data{Work: acting.Work{Did: true}}).Bare(bare, false))
	require.NoError(t, new(builtin.Data).Bare(acting.Wish{To: fsm.Finish, Reason: "c"}, false))
	require.NoError(t, new(builtin.Data).Bare(acting.Wish{To: fsm.Continue}, false))
}

// A full board fails no step, and a broken one does; so does a prompt that cannot be written.
func TestWhatFailsAStep(t *testing.T) {
	full := blackboard.New(1).Append(boarddata.Trajectories, json.RawMessage(`"a note"`))
	require.ErrorIs(t, full, blackboard.ErrFull)
	require.NoError(t, builtin.NotFull(full))
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("trajectories", []byte(`1`)))
	require.ErrorIs(t, builtin.NotFull(board.Append(boarddata.Trajectories, json.RawMessage(`1`))), blackboard.ErrInvalid)

	p := prompt(t)
	p.System = system(t, "{{index .Name 3}}") // which a shorter name does not have
	_, err := new(builtin.Kept).Messages(p)
	require.Error(t, err)
	p = prompt(t)
	p.Now.Add("first", 1, true)
	p.Now.Add("first", 2, true)
	_, err = new(builtin.Kept).Messages(p)
	require.ErrorContains(t, err, "the name is used twice")
}

// A doubt is for the first decision that passes the check, and only once.
func TestDoubting(t *testing.T) {
	for name, c := range map[string]struct {
		decisions []int
		want      []string
	}{
		"no doubt":              {[]int{1}, []string{""}},
		"after a doubt":         {[]int{7, 8}, []string{"really 7?", ""}},
		"the same again":        {[]int{7, 7}, []string{"really 7?", ""}},
		"a check, then a doubt": {[]int{13, 7, 7}, []string{"not 13", "really 7?", ""}},
		"checked after a doubt": {[]int{7, 13, 7}, []string{"really 7?", "not 13", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			says := func(number int, text string) func(int) error {
				return func(d int) error {
					if d == number {
						return errors.New(text)
					}
					return nil
				}
			}
			check := builtin.Doubting(says(13, "not 13"), says(7, "really 7?"))
			for i, d := range c.decisions {
				if c.want[i] == "" {
					require.NoError(t, check(d))
				} else {
					require.EqualError(t, check(d), c.want[i])
				}
			}
		})
	}
}

// A model reads of a tool what it can use: to call it, and to know what a call does.
func TestOfferedTools(t *testing.T) {
	tools := builtin.OfferedTools([]desktop.Tool{
		{Name: desktop.GetUITree},
		{Name: "wipe", Description: "d", Origin: "disk", Annotations: desktop.Annotations{
			Title: "Wipe", ReadOnlyHint: true, DestructiveHint: true, IdempotentHint: true, OpenWorldHint: true,
		}},
	})
	assert.Equal(t, []desktop.Tool{
		{Name: "wipe", Description: "d", Origin: "disk", Annotations: desktop.Annotations{ReadOnlyHint: true, DestructiveHint: true}},
	}, tools)
}
