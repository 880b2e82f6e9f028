package llm_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// What a Record shows is what the model was asked and what it returned.
func TestRecord(t *testing.T) {
	type exchange struct {
		req  *llm.Request
		resp *llm.Response
		err  error
	}
	var seen []exchange
	list := []any{good, overloaded, paid{"half", "m", llm.Usage{InputTokens: 1}, overloaded}}
	model := llm.Record(answers(new(int), list...), func(req *llm.Request, resp *llm.Response, err error) {
		seen = append(seen, exchange{req, resp, err})
	})
	req := &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "hi")}}
	for range list {
		_, _ = model.Complete(t.Context(), req)
	}
	assert.Equal(t, []exchange{
		{req, good, nil}, {req, nil, overloaded}, {req, &llm.Response{Text: "half", Model: "m", Usage: llm.Usage{InputTokens: 1}}, overloaded},
	}, seen)
}

// What was recorded stays as it was, whatever the caller and the sink do to theirs.
func TestRecordCopies(t *testing.T) {
	warm := 0.5
	req := &llm.Request{
		Messages:    []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "a"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}}},
		Schema:      &llm.Schema{Name: "x", JSON: json.RawMessage(`{}`)},
		Temperature: &warm,
	}
	before, err := json.Marshal(req)
	require.NoError(t, err)
	var asked *llm.Request
	var said *llm.Response
	keep := func(req *llm.Request, resp *llm.Response, _ error) { asked, said = req, resp }
	resp, err := llm.Record(answers(new(int), &llm.Response{Text: "hi"}), keep).Complete(t.Context(), req)
	require.NoError(t, err)

	req.Messages[0].Parts[0].Text = "b"
	req.Messages[0].Parts[1].Image.Data[0] = 2
	req.Schema.JSON[0] = '['
	req.Schema.Name = "y"
	req.Messages[0].Role = llm.System
	*req.Temperature = 1
	resp.Text = "changed"
	after, err := json.Marshal(asked)
	require.NoError(t, err)
	assert.JSONEq(t, string(before), string(after))
	assert.Equal(t, "hi", said.Text)

	var none *llm.Request
	assert.Nil(t, none.Clone())
	assert.Equal(t, &llm.Request{}, (&llm.Request{}).Clone())
}

func TestRecordInsideAndOutsideARetry(t *testing.T) {
	var inside, outside []error
	keep := func(list *[]error) func(*llm.Request, *llm.Response, error) {
		return func(_ *llm.Request, _ *llm.Response, err error) { *list = append(*list, err) }
	}
	model := llm.Record(llm.Retry(llm.Record(answers(new(int), overloaded, good), keep(&inside)), &llm.RetryOptions{Base: -1}), keep(&outside))
	_, err := model.Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, []error{overloaded, nil}, inside)
	assert.Equal(t, []error{nil}, outside)
}

func TestRecordFromManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	echo := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: req.Messages[0].Parts[0].Text}, nil
	})
	model := llm.Record(llm.Fallback(llm.Retry(llm.Timeout(echo, 0), nil)), func(req *llm.Request, resp *llm.Response, _ error) {
		mu.Lock()
		defer mu.Unlock()
		assert.Equal(t, req.Messages[0].Parts[0].Text, resp.Text)
		seen[resp.Text]++
	})
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			_, err := model.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, string(rune('a'+i%4)))}})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	assert.Equal(t, map[string]int{"a": 8, "b": 8, "c": 8, "d": 8}, seen)
}

func TestRecordHidesNoPanic(t *testing.T) {
	model := llm.Record(answers(new(int), good), func(*llm.Request, *llm.Response, error) { panic("sink") })
	assert.PanicsWithValue(t, "sink", func() { _, _ = model.Complete(t.Context(), &llm.Request{}) })
	model = llm.Record(llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { panic("model") }), func(*llm.Request, *llm.Response, error) {
		t.Error("a call that panics has no end to show")
	})
	assert.PanicsWithValue(t, "model", func() { _, _ = model.Complete(t.Context(), &llm.Request{}) })
}

func TestRecordOfNothing(t *testing.T) {
	resp, err := llm.Record(answers(new(int), good), nil).Complete(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, good, resp)
	var seen []error
	_, err = llm.Record(nil, func(_ *llm.Request, _ *llm.Response, err error) { seen = append(seen, err) }).Complete(t.Context(), nil)
	require.ErrorIs(t, err, llm.ErrNoModel)
	assert.Equal(t, []error{llm.ErrNoModel}, seen)
}

// A call that succeeds at once costs no allocation but for the timer of a limit.
func TestMiddlewareAllocations(t *testing.T) {
	var model llm.Model = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return good, nil })
	req := &llm.Request{}
	for name, m := range map[string]llm.Model{
		"bare": model, "retry": llm.Retry(model, nil), "fallback": llm.Fallback(model, model),
		"both": llm.Fallback(llm.Retry(model, nil), llm.Retry(model, nil)), "no limit": llm.Timeout(model, -1),
	} {
		ctx := t.Context()
		assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = llm.Complete(ctx, m, req) }), name)
	}
}

func BenchmarkMiddleware(b *testing.B) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return good, nil })
	req := &llm.Request{Messages: []llm.Message{llm.Text(llm.System, "rules"), llm.Text(llm.User, "prompt")}}
	for name, m := range map[string]llm.Model{
		"bare": model, "retry": llm.Retry(model, nil), "timeout": llm.Timeout(model, 0),
		"fallback": llm.Fallback(model, model), "record": llm.Record(model, func(*llm.Request, *llm.Response, error) {}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				_, _ = llm.Complete(ctx, m, req)
			}
		})
	}
}
