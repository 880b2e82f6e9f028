package acting_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

func TestMemory(t *testing.T) {
	var m acting.Memory
	assert.Empty(t, m.Recent(5))
	for i := range promptsize.Memory + 3 {
		m.Add(acting.Memo{Note: fmt.Sprint(i)})
	}
	assert.Len(t, m.Memos(), promptsize.Memory)
	assert.Equal(t, "3", m.Memos()[0].Note, "the oldest go")
	assert.Equal(t, []acting.Memo{{Note: "201"}, {Note: "202"}}, m.Recent(2))
	assert.Len(t, m.Recent(1000), promptsize.Memory)
	assert.Empty(t, m.Recent(0))
	assert.Empty(t, m.Recent(-1))

	raw, err := json.Marshal(m)
	require.NoError(t, err)
	var back acting.Memory
	require.NoError(t, json.Unmarshal(raw, &back))
	assert.Equal(t, m, back)
}

// The history of a prompt begins as the one before it did, but for each fifth.
func TestRecentGoesInBlocks(t *testing.T) {
	var m acting.Memory
	moved := 0
	for i := range 3 * promptsize.Memory {
		before := m.Recent(10)
		m.Add(acting.Memo{Note: fmt.Sprint(i)})
		log, err := m.Save()
		require.NoError(t, err)
		var again acting.Memory
		require.NoError(t, again.Load(log))
		now := m.Recent(10)
		require.Equal(t, now, again.Recent(10), "the next process has the same prompt")
		require.GreaterOrEqual(t, len(now), min(i+1, 6))
		require.LessOrEqual(t, len(now), 10)
		require.Equal(t, fmt.Sprint(i), now[len(now)-1].Note)
		if len(before) > 0 && before[0].Note != now[0].Note {
			require.Len(t, before, 10)
			moved++
		}
	}
	assert.Equal(t, (3*promptsize.Memory-10+4)/5, moved)
}

func acted(params map[string]any, r desktop.Result) acting.Acted {
	return acting.Acted{Act: write(params), Result: r}
}

func TestMemoryRecord(t *testing.T) {
	var m acting.Memory
	require.NoError(t, m.Record(nil, acting.Memo{}, nil))
	assert.Empty(t, m.Memos(), "nothing to remember")
	require.NoError(t, m.Record(nil, acting.Memo{Note: "only a word"}, nil))
	require.NoError(t, m.Record(nil, acting.Memo{Decision: []byte(`{}`)}, nil))
	require.NoError(t, m.Record(nil, acting.Memo{Task: "t"}, []acting.Acted{acted(nil, desktop.Result{Status: desktop.Success})}))
	require.Len(t, m.Memos(), 3)
	assert.Equal(t, "write", m.Memos()[2].Actions[0].Tool)

	err := m.Record(nil, acting.Memo{}, []acting.Acted{
		acted(nil, desktop.Result{Status: desktop.Success}),
		acted(map[string]any{"n": math.NaN()}, desktop.Result{Status: desktop.Success}),
	})
	require.ErrorContains(t, err, "acting: remember write: ")
	assert.Len(t, m.Memos()[3].Actions, 1, "what could be remembered is")
}

func TestRememberOutput(t *testing.T) {
	golden.Cases(t, "outputs.txt", func(content string) string {
		result := desktop.Result{Status: desktop.Failure, Error: "no"}
		require.NoError(t, json.Unmarshal([]byte(content), &result.Content))
		list, err := acting.Remember(nil, []acting.Acted{acted(map[string]any{"q": "<a>"}, result)})
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Equal(t, acting.MemoAction{
			Tool: "write", Parameters: []byte(`{"q":"<a>"}`), Target: "book", Status: desktop.Failure, Error: "no", Output: list[0].Output,
		}, list[0])
		return string(list[0].Output)
	})
	broken := desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: []byte(`{`)}, {Text: "x"}}}
	list, err := acting.Remember(nil, []acting.Acted{acted(nil, broken)})
	require.NoError(t, err)
	assert.Contains(t, string(list[0].Output), "error calling MarshalJSON")
}

// excerpt is what a prompt shows of a long value.
type excerpt struct {
	Ref   string `json:"$ref"`
	Head  string `json:"head"`
	Bytes int    `json:"bytes"`

	NotKept string `json:"not_kept"`
}

func excerptOf(t *testing.T, raw json.RawMessage) excerpt {
	t.Helper()
	assert.Less(t, len(raw), acting.MaxOutput)
	var e excerpt
	require.NoError(t, json.Unmarshal(raw, &e))
	return e
}

func TestRememberLongOutput(t *testing.T) {
	long := strings.Repeat("é", acting.MaxOutput)
	result := desktop.TextResult(long)
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("action_result_2", []byte(`"taken"`)))

	var list []acting.MemoAction
	for range 2 {
		more, err := acting.Remember(board, []acting.Acted{acted(map[string]any{"text": long}, result)})
		require.NoError(t, err)
		list = append(list, more...)
	}
	for i, name := range []string{"action_result_1", "action_result_3"} {
		e := excerptOf(t, list[i].Output)
		assert.Equal(t, name, e.Ref)
		assert.Equal(t, 2*len("é")*acting.MaxOutput/2+2, e.Bytes)
		assert.NotContains(t, e.Head, "\ufffd", "no half letters")
		assert.True(t, strings.HasPrefix(e.Head, `"éé`))
		whole, err := board.Lookup(name)
		require.NoError(t, err)
		assert.Equal(t, `"`+long+`"`, string(whole))
	}
	assert.Empty(t, excerptOf(t, list[0].Parameters).Ref, "parameters are not kept whole")

	list, err := acting.Remember(nil, []acting.Acted{acted(nil, result)})
	require.NoError(t, err)
	assert.Empty(t, excerptOf(t, list[0].Output).Ref, "without a board only the head is left")
}

// A board that takes no more, or not this, fails no step: the action was
// executed. The memo says that there is no whole to refer to.
func TestRememberWhatTheBoardRefuses(t *testing.T) {
	deep := json.RawMessage(strings.Repeat("[", 1100) + strings.Repeat("]", 1100))
	for name, c := range map[string]struct {
		board  *blackboard.Board
		output desktop.Content
		why    string
	}{
		"full":     {blackboard.New(10), desktop.Content{Text: strings.Repeat("x", acting.MaxOutput)}, "full"},
		"too deep": {blackboard.New(0), desktop.Content{JSON: deep}, "serialised"},
	} {
		t.Run(name, func(t *testing.T) {
			var m acting.Memory
			result := desktop.Result{Status: desktop.Success, Content: []desktop.Content{c.output}}
			require.NoError(t, m.Record(c.board, acting.Memo{}, []acting.Acted{acted(nil, result), acted(nil, result)}))
			require.Len(t, m.Memos()[0].Actions, 2)
			assert.Empty(t, c.board.Names())
			e := excerptOf(t, m.Memos()[0].Actions[0].Output)
			assert.Empty(t, e.Ref)
			assert.NotEmpty(t, e.Head)
			assert.Contains(t, e.NotKept, c.why)
		})
	}
	board := blackboard.New(0)
	require.NoError(t, board.Append("action_result_1", 1))
	list, err := acting.Remember(board, []acting.Acted{acted(nil, desktop.TextResult(strings.Repeat("x", acting.MaxOutput)))})
	require.NoError(t, err)
	assert.Equal(t, "action_result_2", excerptOf(t, list[0].Output).Ref)
}

func TestMemoryCutsLongTexts(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	var m acting.Memory
	broken := desktop.Result{Status: desktop.Failure, Error: long}
	require.NoError(t, m.Record(nil, acting.Memo{
		Note:     long,
		Decision: []byte(`{ "z": 1.50, "Thought": "` + strings.Repeat(`\"`, 1<<12) + `", "a": ["` + long + `", "short \\"]}`),
	}, []acting.Acted{acted(nil, broken)}))
	x := strings.Repeat("x", acting.MaxOutput) + "… [cut: 65536 bytes in all]"
	assert.Equal(t, x, m.Memos()[0].Note)
	assert.Equal(t, x, m.Memos()[0].Actions[0].Error)
	assert.Equal(t,
		`{ "z": 1.50, "Thought": "`+strings.Repeat(`\"`, acting.MaxOutput)+`… [cut: 4096 bytes in all]", "a": ["`+x+`", "short \\"]}`,
		string(m.Memos()[0].Decision), "all else stays as it is")

	m.Add(acting.Memo{Decision: []byte(`["` + strings.Repeat(`ab","`, 1<<16) + `"]`)})
	assert.NotEmpty(t, excerptOf(t, m.Memos()[1].Decision).Head, "too much of short texts")
	m.Add(acting.Memo{Decision: []byte(`{"` + long)})
	assert.Len(t, m.Memos()[2].Decision, 2+len(long), "what is no JSON is not for us to read")
}

func TestBrief(t *testing.T) {
	board := blackboard.New(0)
	s, err := board.Open(blackboard.Subtask{Text: "read"})
	require.NoError(t, err)
	long := json.RawMessage(`["` + strings.Repeat("x", acting.MaxOutput) + `"]`)
	require.NoError(t, board.Close(s.ID, "FINISH", long, strings.Repeat("y", acting.MaxOutput+1)))

	list := append(board.Subtasks(), blackboard.Subtask{ID: "short", Result: []byte(`1`)}, blackboard.Subtask{ID: "elsewhere", Result: long})
	brief := acting.Brief(board, list)
	require.Len(t, brief, 3)
	e := excerptOf(t, brief[0].Result)
	whole, err := board.Lookup(e.Ref)
	require.NoError(t, err, "the reference leads to the whole")
	assert.JSONEq(t, string(long), string(whole))
	assert.Contains(t, brief[0].Reason, "yyy… [cut: 2049 bytes in all, $ref: subtask_result_1.reason]")
	reason, err := board.Lookup("subtask_result_1.reason")
	require.NoError(t, err)
	assert.Len(t, string(reason), 2049+len(`""`))
	assert.Equal(t, `1`, string(brief[1].Result))
	assert.Empty(t, excerptOf(t, brief[2].Result).Ref, "the board does not have it")
	assert.Equal(t, long, list[0].Result, "what was given stays")
}

// A memory that was saved and loaded is the same, and goes on as that one would; each memo is saved as it is,
// also after older ones were dropped.
func TestMemoryIsSaved(t *testing.T) {
	var m acting.Memory
	for i := range promptsize.Memory + 20 {
		m.Add(acting.Memo{Note: fmt.Sprint(i), Decision: json.RawMessage(`{"html":"\u003c"}`)})
		if i%3 != 0 {
			continue
		}
		log, err := m.Save()
		require.NoError(t, err)
		require.Len(t, log.Items, len(m.Memos()))
		var loaded acting.Memory
		require.NoError(t, loaded.Load(log))
		require.Equal(t, m.Memos(), loaded.Memos())
		again, err := loaded.Save()
		require.NoError(t, err)
		require.Equal(t, log, again)
		m = loaded
	}
}

// A memory saves what it has, also where something else was read into it since, or nothing
// could be.
func TestMemorySavesWhatItHas(t *testing.T) {
	two := []string{"a", "b"}
	for text, want := range map[string][]string{`{"items": [{"note": "x"}, {"note": "y"}]}`: {"x", "y"}, `{}`: nil, `{"items": [7]}`: two} {
		var m acting.Memory
		for _, note := range two {
			m.Add(acting.Memo{Note: note})
		}
		_, err := m.Save()
		require.NoError(t, err)
		require.ErrorContains(t, m.Load(fsm.Log{Items: []json.RawMessage{[]byte(`{"note": "x"}`), []byte(`7`)}}), "load memo 2")
		assert.Equal(t, "a", m.Memos()[0].Note, "it is as it was")
		err = json.Unmarshal([]byte(text), &m)
		assert.Equal(t, strings.Contains(text, "7"), err != nil)
		log, err := m.Save()
		require.NoError(t, err)
		var saved acting.Memory
		require.NoError(t, saved.Load(log))
		for _, m := range []acting.Memory{m, saved} {
			var held []string
			for _, memo := range m.Memos() {
				held = append(held, memo.Note)
			}
			assert.Equal(t, want, held, text)
		}
	}
}

// Two agents that go on from one memory do not write into each other's.
func TestNextMemoriesAreApart(t *testing.T) {
	for n := 1; n < 12; n++ {
		w := &acting.Work{}
		for i := range n {
			w.Memory.Add(acting.Memo{Note: fmt.Sprint(i)})
		}
		_, err := w.Memory.Save()
		require.NoError(t, err)
		one, other := w.Next(), w.Next()
		one.Memory.Add(acting.Memo{Note: "one"})
		log, err := one.Memory.Save()
		require.NoError(t, err)
		other.Memory.Add(acting.Memo{Note: "other"})
		_, err = other.Memory.Save()
		require.NoError(t, err)
		assert.JSONEq(t, `{"note": "one"}`, string(log.Items[n]), n)
		assert.Equal(t, "one", one.Memory.Memos()[n].Note, n)
	}
}
