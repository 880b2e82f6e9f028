package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

func TestComplete(t *testing.T) {
	resp, err := llm.Complete(t.Context(), answers(new(int), good), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, good, resp)

	broken := errors.New("broken")
	_, err = llm.Complete(t.Context(), answers(new(int), broken), nil)
	require.ErrorIs(t, err, broken)
	_, err = llm.Complete(t.Context(), answers(new(int), (*llm.Response)(nil)), nil)
	require.ErrorIs(t, err, llm.ErrNoResponse)
}

type nilModel struct{}

func (*nilModel) Complete(context.Context, *llm.Request) (*llm.Response, error) { return good, nil }

func TestNoModel(t *testing.T) {
	var typed *nilModel
	for _, none := range []llm.Model{nil, typed, llm.ModelFunc(nil)} {
		var shown error
		for _, model := range []llm.Model{
			none, llm.Timeout(none, 0), llm.Retry(none, nil), llm.Fallback(none), llm.Fallback(),
			llm.Record(none, func(_ *llm.Request, _ *llm.Response, err error) { shown = err }),
		} {
			_, err := llm.Complete(t.Context(), model, &llm.Request{})
			require.ErrorIs(t, err, llm.ErrNoModel)
		}
		assert.Equal(t, llm.ErrNoModel, shown)
	}
}

func TestInterceptorsSeeTheCallInTheirOrder(t *testing.T) {
	var seen []string
	around := func(name string) func(llm.Model) llm.Model {
		return func(next llm.Model) llm.Model {
			return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
				seen = append(seen, name+" before")
				defer func() { seen = append(seen, name+" after") }()
				return next.Complete(ctx, req)
			})
		}
	}
	outer := llm.WithInterceptor(t.Context(), around("first"))
	both := llm.WithInterceptor(outer, around("second"))
	resp, err := llm.Complete(both, answers(new(int), good), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, good, resp)
	assert.Equal(t, []string{"first before", "second before", "second after", "first after"}, seen)

	seen = nil
	_, err = llm.Complete(outer, answers(new(int), good), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, []string{"first before", "first after"}, seen, "the outer context is as it was")
}

func TestRequestsAndResponsesAreStableJSON(t *testing.T) {
	warm := 0.5
	req := llm.Request{
		Messages:  []llm.Message{llm.Text(llm.System, "rules"), {Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}}},
		Schema:    &llm.Schema{Name: "x", Description: "a tree", JSON: json.RawMessage(`{"type":"object"}`)},
		MaxTokens: 7, Temperature: &warm,
	}
	raw, err := json.Marshal(req)
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[{"role":"system","parts":[{"text":"rules"}]},{"role":"user","parts":[{"image":{"media_type":"image/png","data":"AQ=="}}]}],`+
		`"schema":{"name":"x","description":"a tree","schema":{"type":"object"}},"max_tokens":7,"temperature":0.5}`, string(raw))
	var again llm.Request
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, req, again)

	raw, err = json.Marshal(llm.Response{Text: "hi", Spent: []llm.ModelUsage{{Model: "a", Usage: tokens(1)}}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"text":"hi","usage":{"input_tokens":0,"output_tokens":0},"spent":[{"model":"a","usage":{"input_tokens":1,"output_tokens":0}}]}`, string(raw))
}

// What a Record shows is what the model was asked and what it returned, and stays as it
// was, whatever the caller does to its own.
func TestRecord(t *testing.T) {
	type exchange struct {
		req  *llm.Request
		resp *llm.Response
		err  error
	}
	var seen []exchange
	half := paid{"half", "m", tokens(1), overloaded}
	said := &llm.Response{Text: "hi", Spent: []llm.ModelUsage{{Model: "a", Usage: tokens(1)}}}
	model := llm.Record(answers(new(int), overloaded, half, said), func(req *llm.Request, resp *llm.Response, err error) {
		seen = append(seen, exchange{req, resp, err})
	})
	warm := 0.5
	req := &llm.Request{
		Messages:    []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "a"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}}},
		Schema:      &llm.Schema{Name: "x", JSON: json.RawMessage(`{}`)},
		Temperature: &warm,
	}
	before := req.Clone()
	for range 3 {
		_, _ = model.Complete(t.Context(), req)
	}
	req.Messages[0].Parts[0].Text = "b"
	req.Messages[0].Parts[1].Image.Data[0] = 2
	req.Messages[0].Role = llm.System
	req.Schema.JSON[0] = '['
	req.Schema.Name = "y"
	*req.Temperature = 1
	said.Text, said.Spent[0].Model = "changed", "b"
	assert.Equal(t, []exchange{
		{before, nil, overloaded}, {before, &llm.Response{Text: "half", Model: "m", Usage: tokens(1)}, overloaded},
		{before, &llm.Response{Text: "hi", Spent: []llm.ModelUsage{{Model: "a", Usage: tokens(1)}}}, nil},
	}, seen)

	var none *llm.Request
	assert.Nil(t, none.Clone())
	assert.Equal(t, &llm.Request{}, (&llm.Request{}).Clone())
	resp, err := llm.Record(answers(new(int), good), nil).Complete(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, good, resp, "no sink is fine")
}

func TestRecordHidesNoPanic(t *testing.T) {
	model := llm.Record(answers(new(int), good), func(*llm.Request, *llm.Response, error) { panic("sink") })
	assert.PanicsWithValue(t, "sink", func() { _, _ = model.Complete(t.Context(), &llm.Request{}) })
	model = llm.Record(llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { panic("model") }), func(*llm.Request, *llm.Response, error) {
		t.Error("a call that panics has no end to show")
	})
	assert.PanicsWithValue(t, "model", func() { _, _ = model.Complete(t.Context(), &llm.Request{}) })
}

func TestMiddlewareCopiesItsArguments(t *testing.T) {
	calls, opts := 0, &llm.RetryOptions{MaxAttempts: 1}
	models := []llm.Model{answers(&calls, overloaded)}
	model := llm.Retry(llm.Fallback(models...), opts)
	opts.MaxAttempts, models[0] = 3, nil
	_, err := model.Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrOverloaded)
	assert.Equal(t, 1, calls)
	assert.Equal(t, llm.RetryOptions{MaxAttempts: 3}, *opts, "and leaves them alone")
}

// A call that succeeds at once costs no allocation but for the timer of a limit.
func TestMiddlewareAllocatesNothing(t *testing.T) {
	model := answers(new(int), good)
	model = llm.Fallback(llm.Retry(llm.Timeout(model, -time.Second), nil), llm.Retry(model, nil))
	ctx, req := t.Context(), &llm.Request{}
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = llm.Complete(ctx, model, req) }))
}
