package deciding_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// byCalls is an inquiry whose model replies with calls: the first one has the status, and its arguments are the
// rest of the decision.
func byCalls(model llm.Model) deciding.Inquiry[decision] {
	return deciding.Inquiry[decision]{
		Model: model, Sections: []llm.Section{{Name: "task", Value: "count"}}, Allowed: allowed,
		Tools: []llm.Tool{{Name: "CONTINUE", Parameters: json.RawMessage(`{}`)}, {Name: "FINISH", Parameters: json.RawMessage(`{}`)}},
		Called: func(_ string, calls []llm.Call) (string, error) {
			if calls[0].Name == "odd" {
				return "", errors.New("that is odd")
			}
			args := strings.TrimPrefix(string(calls[0].Args), "{")
			return `{"Status": "` + calls[0].Name + `",` + args, nil
		},
		Check: func(d decision) error {
			if d.Count == 13 {
				return errors.New("not 13")
			}
			return nil
		},
	}
}

func call(name, args string) llm.Call {
	return llm.Call{ID: "id-" + name, Name: name, Args: json.RawMessage(args)}
}

// results are what the last request says of calls, by their ids.
func results(t *testing.T, req *llm.Request) (turn llm.Message, said map[string]string) {
	t.Helper()
	said = map[string]string{}
	for _, m := range req.Messages {
		if m.Role == llm.Assistant {
			turn, said = m, map[string]string{}
		}
		if m.Role == llm.ToolResult {
			said[m.CallID] = m.Text()
		}
	}
	return turn, said
}

// problem is the section last_error in a text.
func problem(t *testing.T, text string) string {
	t.Helper()
	return llmtest.Section[string](t, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}, "last_error")
}

func TestAskByCalls(t *testing.T) {
	model := llmtest.Script(t, []llm.Call{call("finish", `{"Count": 3}`)})
	in := byCalls(model)
	var record sink
	d, err := deciding.Ask(trace.With(t.Context(), &record), in)
	require.NoError(t, err)
	assert.Equal(t, decision{fsm.Finish, 3}, d)
	assert.Equal(t, []any{d}, record.decisions)
	assert.Nil(t, model.Last().Schema)
	assert.Equal(t, in.Tools, model.Last().Tools)
	assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Finish}, llmtest.Section[[]fsm.Status](t, model.Last(), "allowed_statuses"))
}

// Servers that do not read the form in which their model calls return its calls as a text. That is read if it is
// nothing else; a call beside words may be a quotation.
func TestAskReadsCallsOfText(t *testing.T) {
	const finish = `{"name": "FINISH", "arguments": {"Count": 3}}`
	again := []llm.Call{call("CONTINUE", `{"Count": 1}`)}
	for text, calls := range map[string]int{
		finish: 1, "<tool_call>\n" + finish + "\n</tool_call>": 1, "[TOOL_CALLS] [" + finish + "]": 1, "```json\n" + finish + "\n```": 1,
		"<think>So {\"name\": \"CONTINUE\"}.</think>\n<|tool_call|>" + finish: 1, `<|python_tag|>{"name": "FINISH", "parameters": {"Count": 3}}<|eom_id|>`: 1,
		`<|START_ACTION|>[{"tool_name": "FINISH", "parameters": {"Count": 3}}]<|END_ACTION|>`:                                   1,
		"<tool_call>" + finish + "</tool_call>\n<tool_call>{\"name\": \"CONTINUE\", \"arguments\": {\"Count\": 2}}</tool_call>": 2,

		"I end it.\n" + finish: 0, finish + "\nSo it ends.": 0, "<page>" + finish + "</page>": 0, `<invoke name="FINISH">` + finish + `</invoke>`: 0,
		finish + "\n" + finish: 0, `{"name": "FLY", "arguments": {}}`: 0, finish[:len(finish)-1]: 0, `{"name": "FINISH"}`: 0, `{"Status": "FINISH", "Count": 3}`: 0,
		`{"name": "FINISH", "arguments": {"Count": 3}, "Status": "CONTINUE"}`: 0, "[" + finish + ", 3]": 0, `["FINISH"]`: 0, "<think>" + finish: 0, "": 0,
	} {
		replies := []any{text, again}
		in := byCalls(llmtest.Script(t, replies[:2-min(calls, 1)]...))
		called, inner := []int{}, in.Called
		in.Called = func(said string, calls []llm.Call) (string, error) {
			assert.Empty(t, said)
			called = append(called, len(calls))
			return inner(said, calls)
		}
		d, err := deciding.Ask(t.Context(), in)
		require.NoError(t, err)
		if calls == 0 {
			assert.Equal(t, decision{fsm.Continue, 1}, d, text)
			continue
		}
		assert.Equal(t, decision{fsm.Finish, 3}, d, text)
		assert.Equal(t, []int{calls}, called, text)
	}
}

// A refused reply goes back as its calls, with what its model thought, and each call has a result. The last says why.
func TestAskFeedsBackCalls(t *testing.T) {
	thoughts := json.RawMessage(`{"signature":"<s>"}`)
	model := llmtest.Script(t,
		&llm.Response{Text: "I think 13.", Calls: []llm.Call{call("FINISH", `{"Count": 13}`), call("other", `{ "a" : "<" }`)}, Reasoning: thoughts},
		[]llm.Call{call("odd", `{}`)},
		[]llm.Call{call("FINISH", `{}`)},
	)
	_, err := deciding.Ask(t.Context(), byCalls(model))
	require.NoError(t, err)

	turn, said := results(t, model.Requests()[1])
	assert.Equal(t, llm.Message{
		Role: llm.Assistant, Parts: []llm.Part{{Text: "I think 13."}}, Reasoning: thoughts,
		Calls: []llm.Call{call("FINISH", `{"Count":13}`), call("other", `{"a":"<"}`)},
	}, turn)
	require.Len(t, said, 2)
	assert.Contains(t, said["id-FINISH"], "Not done")
	assert.Equal(t, "not 13", problem(t, said["id-other"]))
	assert.Contains(t, said["id-other"], "allowed_statuses")
	assert.NotContains(t, said["id-other"], "refused_reply", "it is there as it was")

	turn, said = results(t, model.Requests()[2])
	assert.Equal(t, "odd", turn.Calls[0].Name)
	assert.Equal(t, "that is odd", problem(t, said["id-odd"]))
	assert.Equal(t, model.Requests()[1].Messages, model.Requests()[2].Messages[:4], "what was there stays")
	assert.Equal(t, model.Requests()[0].Tools, model.Requests()[2].Tools)
}

// Each result is of one call, also where a server gives its calls no ids, or one twice.
func TestAskNamesCalls(t *testing.T) {
	model := llmtest.Script(t, []llm.Call{{Name: "odd"}, {Name: "a"}, {ID: "x", Name: "b"}, {ID: "x", Name: "c"}}, []llm.Call{call("FINISH", `{}`)})
	_, err := deciding.Ask(t.Context(), byCalls(model))
	require.NoError(t, err)
	turn, said := results(t, model.Last())
	assert.Len(t, said, 4)
	for _, c := range turn.Calls {
		assert.Contains(t, said, c.ID)
		assert.Equal(t, "{}", string(c.Args), "servers want an object")
	}
}

// A call is shown again with the values that the model gave it: it would repeat others. Its id, which some
// servers let a model choose, has no mark either, and its result has the same.
func TestAskShowsMarksInCalls(t *testing.T) {
	args := `{"<p>":"<p>Hi</p> [INST] a < b"}`
	model := llmtest.Script(t, []llm.Call{
		{ID: "<|im_end|>", Name: "odd", Args: json.RawMessage(args)}, {ID: "< |im_end|>", Name: "b"}, {ID: "x", Name: "c", Args: json.RawMessage(`["<p>"]`)},
	}, []llm.Call{call("FINISH", `{}`)})
	_, err := deciding.Ask(t.Context(), byCalls(model))
	require.NoError(t, err)
	turn, said := results(t, model.Last())
	require.Len(t, turn.Calls, 3)
	assert.JSONEq(t, args, string(turn.Calls[0].Args))
	assert.NotRegexp(t, `<[p/]|\[I`, string(turn.Calls[0].Args))
	assert.Len(t, said, 3)
	for _, c := range turn.Calls {
		assert.Contains(t, said, c.ID)
		assert.NotContains(t, c.ID, "<|")
	}
	assert.Contains(t, llmtest.Section[string](t, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, said["x"])}}, "refused_reply"), `c ["<p>"]`)
}

// What of a call cannot be shown as it was is in its result.
func TestAskShowsOddArguments(t *testing.T) {
	for name, args := range map[string]string{
		"half an object": `"{\"Count\": "`, "a list": `["half"]`, "very long": `{"x":"` + strings.Repeat("half ", 5000) + `"}`,
	} {
		model := llmtest.Script(t, []llm.Call{{ID: "1", Name: "odd", Args: json.RawMessage(args)}}, []llm.Call{call("FINISH", `{}`)})
		_, err := deciding.Ask(t.Context(), byCalls(model))
		require.NoError(t, err)
		turn, said := results(t, model.Last())
		assert.Equal(t, "{}", string(turn.Calls[0].Args), name)
		assert.Contains(t, said["1"], "refused_reply")
		assert.Contains(t, said["1"], "odd ")
		assert.Less(t, len(said["1"]), 20_000)
	}
}

// Text alone decides nothing, even if it is a decision. A reply that was cut may have half of a call. Both go back
// as a text.
func TestAskWantsCalls(t *testing.T) {
	model := llmtest.Script(t,
		`{"Status": "FINISH"}`,
		&llm.Response{Text: "so", Calls: []llm.Call{call("FINISH", `{"Count": 1`)}, Reasoning: json.RawMessage(`1`), FinishReason: "length"},
		"",
		&llm.Response{Calls: []llm.Call{call("FINISH", `{}`)}, FinishReason: "MALFORMED_FUNCTION_CALL"},
		[]llm.Call{call("CONTINUE", `{}`)},
	)
	var seen []decision
	in := byCalls(model)
	in.Seen, in.MaxReasks = nil, 4
	d, err := deciding.Ask(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, fsm.Continue, d.Status)
	assert.Empty(t, seen)
	for i, want := range []string{"", "the reply calls no tool", "the reply was too long and was cut", "the reply is empty", "malformed: call your tools by their names"} {
		req := model.Requests()[i]
		turn, _ := results(t, req)
		assert.Zero(t, turn, "no call is shown that a result would have to answer")
		if want != "" {
			assert.Contains(t, llmtest.Section[string](t, req, "last_error"), want)
			assert.Contains(t, req.Messages[len(req.Messages)-1].Text(), "Reply again with calls")
		}
	}
	assert.Contains(t, llmtest.Section[string](t, model.Requests()[2], "refused_reply"), "so\nFINISH")
}

// A call that comes back from the record of a run is shown as it was shown when it was made: its request must be
// the same.
func TestAskIsTheSameFromARecord(t *testing.T) {
	for _, args := range []string{
		` { "a<b" : 1.50, "c": "\u00e9\/" } `, `{"page":"` + strings.Repeat("<b>", 3000) + `"}`, `{"page":` + strings.Repeat(" ", 20<<10) + `"x"}`,
	} {
		first := &llm.Response{Text: "t", Calls: []llm.Call{{ID: "1", Name: "odd", Args: json.RawMessage(args)}}, Reasoning: json.RawMessage(`{"s":"<"}`)}
		raw, err := json.Marshal(first)
		require.NoError(t, err)
		var again llm.Response
		require.NoError(t, json.Unmarshal(raw, &again))
		var turns []llm.Message
		for _, resp := range []*llm.Response{first, &again} {
			model := llmtest.Script(t, resp, []llm.Call{call("FINISH", `{}`)})
			_, err := deciding.Ask(t.Context(), byCalls(model))
			require.NoError(t, err)
			turn, _ := results(t, model.Last())
			turn.Reasoning = nil // for its adapter alone, which reads it
			turns = append(turns, turn)
		}
		assert.Equal(t, turns[0], turns[1])
	}
}

// A gateway may give a call twice. One id is one call.
func TestAskTakesOneIDOnce(t *testing.T) {
	one := llm.Call{ID: "c1", Name: "FINISH", Args: json.RawMessage(`{"Count":5}`)}
	for name, c := range map[string]struct {
		other llm.Call
		calls int    // that are called; 0: none
		told  string // to the model
	}{
		"the same":              {one, 1, ""},
		"the same, with spaces": {llm.Call{ID: "c1", Name: "FINISH", Args: json.RawMessage(` { "Count" : 5 } `)}, 1, ""},
		"other arguments":       {llm.Call{ID: "c1", Name: "FINISH", Args: json.RawMessage(`{"Count":6}`)}, 0, `two different calls have the id "c1"`},
		"another name":          {llm.Call{ID: "c1", Name: "CONTINUE", Args: json.RawMessage(`{"Count":5}`)}, 0, `two different calls have the id "c1"`},
		"another id":            {llm.Call{ID: "c2", Name: "FINISH", Args: one.Args}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			model := llmtest.Script(t, []llm.Call{one, c.other}, []llm.Call{call("CONTINUE", `{}`)})
			in := byCalls(model)
			called, made := in.Called, 0
			in.Called = func(text string, calls []llm.Call) (string, error) {
				made = max(made, len(calls))
				return called(text, calls)
			}
			d, err := deciding.Ask(t.Context(), in)
			require.NoError(t, err)
			if c.told == "" {
				assert.Equal(t, decision{fsm.Finish, 5}, d)
				assert.Equal(t, c.calls, made)
				model.Complete(t.Context(), &llm.Request{}) // the reply that is left
				return
			}
			assert.Equal(t, 1, made, "of the second reply alone")
			turn, said := results(t, model.Last())
			assert.Contains(t, problem(t, said[turn.Calls[1].ID]), c.told)
		})
	}
}

// No model writes as much, and each step that follows would be done with it.
func TestAskBoundsReplies(t *testing.T) {
	big := strings.Repeat("<", 1<<20)
	finish := func(text string) llm.Call { return call("FINISH", `{"x":"`+text+`","Count":1}`) }
	for name, c := range map[string]struct {
		reply any
		told  string // "" where it is taken
	}{
		"arguments":            {[]llm.Call{finish(big)}, "FINISH has 1048594 bytes of arguments"},
		"arguments of several": {[]llm.Call{finish(big[:600_000]), {ID: "2", Name: "CONTINUE", Args: finish(big[:600_000]).Args}}, "CONTINUE has 600018 bytes of arguments"},
		"broken arguments":     {[]llm.Call{call("FINISH", `"`+big+`"`)}, "FINISH has 1048578 bytes of arguments"},
		"from a record":        {[]llm.Call{finish(strings.ReplaceAll(big[:1_000_000], "<", `\u003c`))}, ""},
		"a text":               {&llm.Response{Text: big + ".", Calls: []llm.Call{call("FINISH", `{"Count":1}`)}}, "the reply has 1048577 bytes"},
		"as much as may be":    {&llm.Response{Text: big, Calls: []llm.Call{call("FINISH", `{"Count":1}`)}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			model := llmtest.Script(t, c.reply, []llm.Call{call("FINISH", `{"Count":1}`)})
			d, err := deciding.Ask(t.Context(), byCalls(model))
			require.NoError(t, err)
			assert.Equal(t, 1, d.Count)
			if c.told == "" {
				assert.Len(t, model.Requests(), 1)
				model.Complete(t.Context(), &llm.Request{}) // the reply that is left
				return
			}
			last := model.Last().Messages[len(model.Last().Messages)-1].Text()
			assert.Contains(t, problem(t, last), c.told)
			assert.Less(t, len(last), 40_000)
		})
	}
}
