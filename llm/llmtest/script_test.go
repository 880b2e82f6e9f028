package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func ask(texts ...string) *llm.Request {
	req := &llm.Request{}
	for _, text := range texts {
		req.Messages = append(req.Messages, llm.Text(llm.User, text))
	}
	return req
}

func prompt(t *testing.T, sections ...llm.Section) string {
	t.Helper()
	text, err := llm.Prompt(sections...)
	require.NoError(t, err)
	return text
}

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
		"empty string":      {"", "", standard, nil},
		"bytes":             {[]byte("hi"), "hi", standard, nil},
		"raw JSON":          {json.RawMessage(`{ }`), "{ }", standard, nil},
		"map":               {map[string]any{"Status": "FINISH"}, `{"Status":"FINISH"}`, standard, nil},
		"struct":            {struct{ A int }{1}, `{"A":1}`, standard, nil},
		"response":          {&llm.Response{Text: "x", Usage: llm.Usage{InputTokens: 1}}, "x", llm.Usage{InputTokens: 1}, nil},
		"response by value": {llm.Response{Text: "x"}, "x", llm.Usage{}, nil},
		"error":             {broken, "", llm.Usage{}, broken},
		"func":              {func(req *llm.Request) (string, error) { return req.Messages[0].Parts[0].Text + "!", nil }, "question!", standard, nil},
		"func that fails":   {func(*llm.Request) (string, error) { return "", broken }, "", llm.Usage{}, broken},
		"Reply text":        {llmtest.Reply{Text: "x", Usage: llm.Usage{OutputTokens: 9}}, "x", llm.Usage{OutputTokens: 9}, nil},
		"Reply JSON":        {&llmtest.Reply{JSON: []int{1}}, "[1]", standard, nil},
		"Reply error":       {llmtest.Reply{Err: broken}, "", llm.Usage{}, broken},
		"Reply empty":       {llmtest.Reply{}, "", standard, nil},
	} {
		t.Run(name, func(t *testing.T) {
			model := llmtest.Script(t, tc.reply)
			resp, err := model.Complete(t.Context(), ask("question"))
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

func TestNoResponseAtAll(t *testing.T) {
	model := llmtest.Script(t, (*llm.Response)(nil))
	_, err := llm.Complete(t.Context(), model, ask("x"))
	require.ErrorIs(t, err, llm.ErrNoResponse)
}

func TestResponsesAreCopies(t *testing.T) {
	shared := &llm.Response{Text: "x"}
	model := llmtest.Script(t, shared, shared)
	first, err := model.Complete(t.Context(), ask())
	require.NoError(t, err)
	first.Text = "changed"
	second, err := model.Complete(t.Context(), ask())
	require.NoError(t, err)
	assert.Equal(t, "x", second.Text)
}

func TestRepliesComeInOrder(t *testing.T) {
	model := llmtest.Script(t, "one", "two")
	assert.Equal(t, 2, model.Remaining())
	assert.Nil(t, model.Last())
	assert.Empty(t, model.Requests())
	for i, want := range []string{"one", "two"} {
		resp, err := model.Complete(t.Context(), ask(fmt.Sprint(i)))
		require.NoError(t, err)
		assert.Equal(t, want, resp.Text)
	}
	assert.Zero(t, model.Remaining())
	require.Len(t, model.Requests(), 2)
	assert.Equal(t, ask("0"), model.Requests()[0])
	assert.Equal(t, ask("1"), model.Last())
}

func TestRequestsAreDeepCopies(t *testing.T) {
	warm := 0.5
	fresh := func() *llm.Request {
		return &llm.Request{
			Messages: []llm.Message{
				llm.Text(llm.System, "rules"),
				{Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: []byte{1, 2}}}}},
			},
			Schema:      &llm.Schema{Name: "x", JSON: json.RawMessage(`{}`)},
			Temperature: &warm,
		}
	}
	spoil := func(req *llm.Request) {
		req.Messages[0].Parts[0].Text = "other"
		req.Messages[1].Parts[0].Image.Data[0] = 9
		req.Messages[1] = llm.Message{}
		req.Schema.JSON[0] = '['
		req.Schema.Name = "y"
		*req.Temperature = 1
		warm = 0.5
	}
	model := llmtest.Script(t, func(req *llm.Request) (string, error) { spoil(req); return "", nil },
		llmtest.Reply{When: func(req *llm.Request) error { spoil(req); return nil }})
	for range 2 {
		req := fresh()
		_, err := model.Complete(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, fresh(), req, "a script's func gets a copy")
		spoil(req)
	}
	spoil(model.Last())
	spoil(model.Requests()[1])
	assert.Equal(t, fresh(), model.Last())
	assert.Equal(t, []*llm.Request{fresh(), fresh()}, model.Requests())
}

func TestAskedOnceTooOften(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f, "only")
	_, err := model.Complete(t.Context(), ask("first"))
	require.NoError(t, err)
	require.Empty(t, f.failures())

	image := llm.Message{Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: make([]byte, 7)}}}}
	req := ask(prompt(t, llm.Section{Name: "request", Value: "a chart"}))
	req.Messages = append(req.Messages, image)
	resp, err := model.Complete(t.Context(), req)
	require.ErrorIs(t, err, llmtest.ErrScript)
	assert.Nil(t, resp)
	assert.Contains(t, f.failures(), "call 2 of a script of 1, whose last was reply 1")
	assert.Contains(t, f.failures(), `"a chart"`, "it says what it was asked")
	assert.Contains(t, f.failures(), "[image/png, 7 bytes]")
	assert.Len(t, model.Requests(), 2, "and remembers it")
	f.end()
}

func TestFailuresStayReadable(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f)
	_, err := model.Complete(t.Context(), ask(strings.Repeat("é", 1<<16)+"newest"))
	require.ErrorIs(t, err, llmtest.ErrScript)
	assert.Less(t, len(f.failures()), 5000)
	assert.Contains(t, f.failures(), "newest")
	_, err = model.Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llmtest.ErrScript)
	assert.Contains(t, f.failures(), "(no messages)")
}

func TestRepliesThatNobodyAskedFor(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f, "one", llmtest.Reply{Name: "the end", Text: "two"}, "three")
	_, err := model.Complete(t.Context(), ask("x"))
	require.NoError(t, err)
	require.Empty(t, f.failures())
	f.end()
	assert.Equal(t, "llmtest: the model was asked 1 times, 2 replies were left; the next was reply 2 (the end)", f.failures())
}

func TestExpectationIsNotMet(t *testing.T) {
	f := &fakeTB{}
	why := errors.New("no window list")
	model := llmtest.Script(f, llmtest.Reply{Name: "start", Text: "x", When: func(*llm.Request) error { return why }})
	_, err := model.Complete(t.Context(), ask("hello"))
	require.ErrorIs(t, err, llmtest.ErrScript)
	require.ErrorIs(t, err, why)
	assert.Contains(t, f.failures(), "reply 1 (start) was not asked what it expects: no window list")
	assert.Contains(t, f.failures(), "hello")
	f.end()
}

func TestExpectationIsMet(t *testing.T) {
	model := llmtest.Script(t, llmtest.Reply{Text: "x", When: func(req *llm.Request) error {
		if req.MaxTokens != 7 {
			return errors.New("not 7")
		}
		return nil
	}})
	_, err := model.Complete(t.Context(), &llm.Request{MaxTokens: 7})
	require.NoError(t, err)
}

func TestScriptsThatAreWrong(t *testing.T) {
	for name, tc := range map[string]struct {
		reply any
		want  string
	}{
		"nil":          {nil, "reply 2 is nil"},
		"nil func":     {(func(*llm.Request) (string, error))(nil), "reply 2 is a nil func"},
		"nil *Reply":   {(*llmtest.Reply)(nil), "reply 2 is a nil *Reply"},
		"no JSON form": {make(chan int), "reply 2 has no JSON form"},
		"other func":   {func() string { return "" }, "reply 2 has no JSON form"},
		"two answers":  {llmtest.Reply{Name: "x", Text: "a", Err: errors.New("b")}, "reply 2 (x) has more than one of Text, JSON and Err"},
	} {
		f := &fakeTB{}
		assert.NotNil(t, llmtest.Script(f, "fine", tc.reply), name)
		assert.Contains(t, f.fatal, tc.want, name)
	}
}

func TestNilRequest(t *testing.T) {
	f := &fakeTB{}
	model := llmtest.Script(f, "x")
	_, err := model.Complete(t.Context(), nil)
	require.ErrorIs(t, err, llmtest.ErrScript)
	assert.Contains(t, f.failures(), "nil request")
	assert.Equal(t, 1, model.Remaining())
}

func TestCancelledCallUsesNoReply(t *testing.T) {
	model := llmtest.Script(t, "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := model.Complete(ctx, ask("a"))
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, model.Remaining())
	_, err = model.Complete(t.Context(), ask("b"))
	require.NoError(t, err)
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		model := llmtest.Script(t, llmtest.Reply{Text: "late", Wait: gate}, llmtest.Reply{Text: "never", Wait: make(chan struct{})})
		start := time.Now()
		time.AfterFunc(time.Hour, func() { close(gate) })
		resp, err := model.Complete(t.Context(), ask("a"))
		require.NoError(t, err)
		assert.Equal(t, "late", resp.Text)
		assert.Equal(t, time.Hour, time.Since(start))

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = model.Complete(ctx, ask("b"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Zero(t, model.Remaining())
	})
}

func TestConcurrentCalls(t *testing.T) {
	const calls = 64
	replies := make([]any, calls)
	for i := range replies {
		replies[i] = fmt.Sprint(i)
	}
	model := llmtest.Script(t, replies...)
	var wg sync.WaitGroup
	texts := make([]string, calls)
	for i := range calls {
		wg.Go(func() {
			resp, err := model.Complete(t.Context(), ask("x"))
			if assert.NoError(t, err) {
				texts[i] = resp.Text
			}
			_, _, _ = model.Last(), model.Requests(), model.Remaining()
		})
	}
	wg.Wait()
	assert.ElementsMatch(t, replies, toAny(texts))
	assert.Zero(t, model.Remaining())
}

func toAny(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func TestWithoutATest(t *testing.T) {
	m := llmtest.Script(nil, `{}`, "left over")
	_, err := m.Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	func() {
		defer func() {
			err, ok := recover().(error)
			require.True(t, ok)
			require.ErrorIs(t, err, llmtest.ErrScript, "a Round finds it behind its PanicError")
		}()
		short := llmtest.Script(nil)
		_, _ = short.Complete(t.Context(), &llm.Request{})
	}()
	assert.Panics(t, func() { llmtest.Script(nil, make(chan int)) })
	assert.Panics(t, func() { llmtest.Section[int](nil, &llm.Request{}, "request") })
}
