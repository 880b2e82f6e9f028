package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

func answer(text string) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: text}, nil
	})
}

func TestComplete(t *testing.T) {
	resp, err := llm.Complete(t.Context(), answer("hi"), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)

	broken := errors.New("broken")
	_, err = llm.Complete(t.Context(), llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, broken }), nil)
	require.ErrorIs(t, err, broken)

	_, err = llm.Complete(t.Context(), llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, nil }), nil)
	require.ErrorIs(t, err, llm.ErrNoResponse)
}

func TestInterceptorsSeeTheCallInTheirOrder(t *testing.T) {
	var seen []string
	around := func(name string) func(llm.Model) llm.Model {
		return func(next llm.Model) llm.Model {
			return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
				seen = append(seen, name+" before")
				resp, err := next.Complete(ctx, req)
				seen = append(seen, name+" after")
				return resp, err
			})
		}
	}
	outer := llm.WithInterceptor(t.Context(), around("first"))
	both := llm.WithInterceptor(outer, around("second"))
	resp, err := llm.Complete(both, answer("hi"), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
	assert.Equal(t, []string{"first before", "second before", "second after", "first after"}, seen)

	seen = nil
	_, err = llm.Complete(outer, answer("hi"), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, []string{"first before", "first after"}, seen, "the outer context is as it was")
}

func TestUsage(t *testing.T) {
	sum := llm.Usage{InputTokens: 1, OutputTokens: 2}.Add(llm.Usage{InputTokens: 10, OutputTokens: 20})
	assert.Equal(t, llm.Usage{InputTokens: 11, OutputTokens: 22}, sum)
	assert.Equal(t, 33, sum.Total())
}

// A provider says that it used more than an int can hold, in one of the places where
// usage is added: the sum stays the largest int.
func TestUsageDoesNotOverflow(t *testing.T) {
	most := llm.Usage{InputTokens: math.MaxInt, OutputTokens: math.MaxInt}
	assert.Equal(t, math.MaxInt, most.Total())
	assert.Equal(t, most, most.Add(most))
	assert.Equal(t, most, most.Add(llm.Usage{InputTokens: 1}))
	assert.Equal(t, math.MinInt, llm.Usage{InputTokens: math.MinInt, OutputTokens: -1}.Total(), "the other way round")
	assert.Equal(t, math.MaxInt-1, llm.Usage{InputTokens: math.MaxInt, OutputTokens: -1}.Total())

	// What several attempts used is one sum.
	resp := &llm.Response{Usage: most, Model: "m", Spent: []llm.ModelUsage{{Usage: most}, {Usage: most}, {Usage: most}}}
	bill := slices.Collect(resp.Bill())
	assert.Equal(t, resp.Spent, bill, "nothing is left for the response itself")

	calls := 0
	twice := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		if calls++; calls == 1 {
			return &llm.Response{Usage: most, Model: "m"}, overloaded
		}
		return &llm.Response{Text: "hi", Usage: most, Model: "m"}, nil
	})
	sum, err := llm.Fallback(twice, twice).Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, most, sum.Usage)
}

func TestRequestIsStableJSON(t *testing.T) {
	warm := 0.5
	req := llm.Request{
		Messages:  []llm.Message{llm.Text(llm.System, "rules"), {Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}}},
		Schema:    &llm.Schema{Name: "x", JSON: json.RawMessage(`{"type":"object"}`)},
		MaxTokens: 7, Temperature: &warm,
	}
	raw, err := json.Marshal(req)
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[{"role":"system","parts":[{"text":"rules"}]},{"role":"user","parts":[{"image":{"media_type":"image/png","data":"AQ=="}}]}],`+
		`"schema":{"name":"x","schema":{"type":"object"}},"max_tokens":7,"temperature":0.5}`, string(raw))
	var again llm.Request
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, req, again)
}

func TestCompleteWithoutAModel(t *testing.T) {
	_, err := llm.Complete(t.Context(), nil, &llm.Request{})
	require.ErrorIs(t, err, llm.ErrNoModel)
}

func TestSizeOfAReply(t *testing.T) {
	for reply, want := range map[string]string{"": "(0 bytes)", "x": "(1 byte)", "xy": "(2 bytes)"} {
		_, _, err := llm.Decode[struct{}](reply)
		require.ErrorContains(t, err, "llm: the reply "+want+" cannot be read: ")
	}
}
