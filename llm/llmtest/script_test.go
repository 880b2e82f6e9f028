package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestRepliesOfEveryKind(t *testing.T) {
	broken := errors.New("broken")
	standard := llm.Usage{InputTokens: 10, OutputTokens: 5}
	for name, tc := range map[string]struct {
		reply any
		text  string
		usage llm.Usage
		err   error
	}{
		"string":            {"hi", "hi", standard, nil},
		"bytes":             {[]byte("hi"), "hi", standard, nil},
		"raw JSON":          {json.RawMessage(`{ }`), "{ }", standard, nil},
		"struct":            {struct{ A int }{1}, `{"A":1}`, standard, nil},
		"response":          {&llm.Response{Text: "x", Usage: llm.Usage{InputTokens: 1}}, "x", llm.Usage{InputTokens: 1}, nil},
		"response by value": {llm.Response{Text: "x"}, "x", llm.Usage{}, nil},
		"no response":       {(*llm.Response)(nil), "", llm.Usage{}, llm.ErrNoResponse},
		"error":             {broken, "", llm.Usage{}, broken},
		"func":              {func(req *llm.Request) (string, error) { return req.Messages[0].Parts[0].Text + "!", nil }, "question!", standard, nil},
		"func that fails":   {func(*llm.Request) (string, error) { return "", broken }, "", llm.Usage{}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := llm.Complete(t.Context(), llmtest.Script(t, tc.reply), ask("question"))
			if tc.err != nil {
				require.ErrorIs(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.text, resp.Text)
			assert.Equal(t, tc.usage, resp.Usage)
		})
	}
}

func TestRepliesComeInOrder(t *testing.T) {
	model := llmtest.Script(t, "one", "two")
	assert.Nil(t, model.Last())
	assert.Empty(t, model.Requests())
	assert.Equal(t, "one", text(t, model, ask("0")))
	assert.Equal(t, "two", text(t, model, ask("1")))
	assert.Equal(t, []*llm.Request{ask("0"), ask("1")}, model.Requests())
	assert.Equal(t, ask("1"), model.Last())
}

func TestRequestsAreCopies(t *testing.T) {
	spoil := func(req *llm.Request) { req.Messages[0].Parts[0].Text = "other" }
	model := llmtest.Script(t, func(req *llm.Request) (string, error) { spoil(req); return "", nil }, "")
	for range 2 {
		req := ask("x")
		text(t, model, req)
		assert.Equal(t, ask("x"), req, "a script's func gets a copy")
		spoil(req)
	}
	spoil(model.Last())
	spoil(model.Requests()[1])
	assert.Equal(t, ask("x"), model.Last())
	assert.Equal(t, []*llm.Request{ask("x"), ask("x")}, model.Requests())
}

func TestAskedOnceTooOften(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f, "only")
	text(t, model, ask("first"))
	require.Empty(t, f.failures())

	req := ask(prompt(t, llm.Section{Name: "request", Value: "a chart"}))
	resp, err := model.Complete(t.Context(), req)
	require.EqualError(t, err, "llmtest: call 2 of a script of 1 replies")
	assert.Nil(t, resp)
	assert.Contains(t, f.failures(), "call 2 of a script of 1")
	assert.Contains(t, f.failures(), `"a chart"`, "it says what it was asked")
	assert.Len(t, model.Requests(), 2, "and remembers it")
}

func TestFailuresStayReadable(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f)
	_, err := model.Complete(t.Context(), ask(strings.Repeat("é", 1<<16)+"newest"))
	require.Error(t, err)
	assert.Less(t, len(f.failures()), 5000)
	assert.Contains(t, f.failures(), "newest")
	_, err = model.Complete(t.Context(), &llm.Request{})
	require.Error(t, err)
	assert.Contains(t, f.failures(), "(no messages)")
}

func TestScriptsThatAreWrong(t *testing.T) {
	for want, reply := range map[string]any{
		"reply 2 is nil":           nil,
		"reply 2 has no JSON form": make(chan int),
	} {
		f := &fakeTB{}
		assert.NotNil(t, llmtest.Script(f, "fine", reply))
		assert.Contains(t, f.fatal, want)
	}
}

func TestCallsThatUseNoReply(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f, "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := model.Complete(ctx, ask("a"))
	require.ErrorIs(t, err, context.Canceled)
	_, err = model.Complete(t.Context(), nil)
	require.Error(t, err)
	assert.Contains(t, f.failures(), "nil request")
	assert.Equal(t, "x", text(t, model, ask("b")))
}

func TestScriptWithoutATest(t *testing.T) {
	assert.Empty(t, text(t, llmtest.Script(nil, "", "left over"), ask("x")))
	assert.Panics(t, func() { _, _ = llmtest.Script(nil).Complete(t.Context(), &llm.Request{}) })
	assert.Panics(t, func() { llmtest.Script(nil, make(chan int)) })
	assert.Panics(t, func() { llmtest.Section[int](nil, &llm.Request{}, "request") })
}

func TestSection(t *testing.T) {
	req := ask(prompt(t, llm.Section{Name: "plan", Value: []string{"a", "b"}}), prompt(t, llm.Section{Name: "n", Value: 3}))
	assert.Equal(t, []string{"a", "b"}, llmtest.Section[[]string](t, req, "plan"))
	assert.Equal(t, 3, llmtest.Section[int](t, req, "n"))

	req.Messages = append(req.Messages, llm.Text(llm.Assistant, prompt(t, llm.Section{Name: "forged", Value: 1})))
	for name, tc := range map[string]struct {
		req           *llm.Request
		section, want string
	}{
		"a model's":   {req, "forged", `no section "forged", only plan, n`},
		"none at all": {ask("hi"), "plan", `no section "plan", only none`},
		"nil request": {nil, "plan", `section "plan" of a nil request`},
		"other type":  {req, "plan", `section "plan": json: cannot unmarshal`},
	} {
		f := &fakeTB{}
		assert.Zero(t, llmtest.Section[int](f, tc.req, tc.section), name)
		assert.Contains(t, f.fatal, tc.want, name)
	}
}
