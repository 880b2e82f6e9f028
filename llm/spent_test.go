package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

// A provider says that it used more than an int can hold, in one of the places where
// usage is added: the sum stays the largest int.
func TestUsageDoesNotOverflow(t *testing.T) {
	sum := llm.Usage{InputTokens: 1, OutputTokens: 2, CacheReadTokens: 3, CacheCreationTokens: 4, ReasoningTokens: 1}.
		Add(llm.Usage{InputTokens: 10, OutputTokens: 20, CacheReadTokens: 30, CacheCreationTokens: 40, ReasoningTokens: 10})
	assert.Equal(t, llm.Usage{InputTokens: 11, OutputTokens: 22, CacheReadTokens: 33, CacheCreationTokens: 44, ReasoningTokens: 11}, sum)
	assert.Equal(t, 33, sum.Total(), "cached tokens are a part of the input")

	most := llm.Usage{InputTokens: math.MaxInt, OutputTokens: math.MaxInt}
	assert.Equal(t, math.MaxInt, most.Total())
	assert.Equal(t, most, most.Add(most))
	assert.Equal(t, most, most.Add(tokens(1)))
	assert.Equal(t, math.MinInt, llm.Usage{InputTokens: math.MinInt, OutputTokens: -1}.Total(), "the other way round")

	// What several attempts used is one sum.
	resp := &llm.Response{Usage: most, Model: "m", Spent: []llm.ModelUsage{{Usage: most}, {Usage: most}, {Usage: most}}}
	assert.Equal(t, resp.Spent, slices.Collect(resp.Bill()), "nothing is left for the response itself")
	resp, err := llm.Retry(answers(new(int), paid{usage: most, err: overloaded}, paid{text: "hi", usage: most}), atOnce).Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, most, resp.Usage)
}

func by(model string, used llm.Usage) llm.ModelUsage {
	return llm.ModelUsage{Model: model, Usage: used}
}

// Each attempt keeps the name of its model, however deep it is in the stack.
func TestSpentByModel(t *testing.T) {
	failed := func(model string, in int) paid { return paid{model: model, usage: tokens(in), err: overloaded} }
	type part = llm.ModelUsage
	for name, c := range map[string]struct {
		big, small []any
		model      string
		want       []part
	}{
		"both fail":                {[]any{failed("big", 7), rejected}, nil, "big", nil},
		"less than nothing":        {[]any{failed("m", -100), good}, nil, "m", nil},
		"the last was refused":     {[]any{failed("m", 10), &llm.Response{Text: "no", Model: "m", FinishReason: "refusal", Usage: tokens(1)}}, nil, "m", nil},
		"nobody answers, for free": {[]any{overloaded}, []any{overloaded}, "", nil},
		"it fails for free":        {[]any{overloaded}, []any{good}, "m", nil},
		"four times, another":      {[]any{failed("big", 100)}, []any{good}, "m", []part{by("big", tokens(400)), by("m", good.Usage)}},
		"both are tried": {
			[]any{failed("big", 7), overloaded}, []any{failed("small", 1), rejected},
			"small", []part{by("big", tokens(7)), by("small", tokens(1))},
		},
		"one forgets its name once": {[]any{failed("big", 7), failed("", 8), rejected}, nil, "big", nil},
		"another name on the way": {
			[]any{failed("big", 7), failed("small", 1), failed("", 2), paid{model: "big", usage: tokens(8), err: rejected}}, nil,
			"big", []part{by("big", tokens(7)), by("small", tokens(3)), by("big", tokens(8))},
		},
		"one has no name": {
			[]any{failed("big", 7), overloaded}, []any{failed("", 1), rejected},
			"big", []part{by("big", tokens(7)), by("", tokens(1))},
		},
		"who answers has no name": {
			[]any{failed("big", 7), overloaded}, []any{&llm.Response{Text: "hi", Usage: tokens(1)}},
			"", []part{by("big", tokens(7)), by("", tokens(1))},
		},
		"who answers counts nothing": {
			[]any{failed("big", 7), overloaded}, []any{&llm.Response{Text: "hi", Model: "small"}},
			"small", []part{by("big", tokens(7)), by("small", tokens(0))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			model := llm.Fallback(llm.Retry(answers(new(int), c.big...), atOnce), llm.Retry(answers(new(int), c.small...), atOnce))
			resp, _ := model.Complete(t.Context(), &llm.Request{})
			if name == "nobody answers, for free" {
				assert.Nil(t, resp)
				return
			}
			assert.Equal(t, c.want, resp.Spent)
			assert.Equal(t, c.model, resp.Model)
			sum := llm.Usage{}
			for part := range resp.Bill() {
				sum = sum.Add(part.Usage)
			}
			assert.Equal(t, resp.Usage, sum)
		})
	}
}

// A Retry around a Fallback begins with the first model again, and sums the parts.
func TestRetryAroundFallback(t *testing.T) {
	first, second := paid{model: "big", usage: tokens(7), err: overloaded}, paid{model: "small", usage: tokens(1), err: overloaded}
	resp, err := llm.Retry(llm.Fallback(answers(new(int), first), answers(new(int), second, good)), atOnce).Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, []llm.ModelUsage{by("big", tokens(7)), by("small", tokens(1)), by("big", tokens(7)), by("m", good.Usage)}, resp.Spent)
	assert.Equal(t, tokens(15).Add(good.Usage), resp.Usage)
}

// A Retry without an end keeps no list without an end.
func TestSpentDoesNotGrow(t *testing.T) {
	list := make([]any, 1000, 1001)
	for i := range list {
		list[i] = paid{model: "m", usage: tokens(1), err: overloaded}
	}
	model := llm.Retry(answers(new(int), append(list, good)...), &llm.RetryOptions{MaxAttempts: -1, Base: -1})
	resp, err := model.Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, tokens(1000).Add(good.Usage), resp.Usage)
	assert.Nil(t, resp.Spent, "Usage and Model say it all")
}

// A response, and its bill: the model, what was asked and what was answered.
func TestBill(t *testing.T) {
	golden.Cases(t, "bill.txt", func(text string) string {
		var resp *llm.Response
		require.NoError(t, json.Unmarshal([]byte(text), &resp))
		var lines []string
		for part := range resp.Bill() {
			line := fmt.Sprintf("%q %d %d", part.Model, part.Usage.InputTokens, part.Usage.OutputTokens)
			if read, written := part.Usage.CacheReadTokens, part.Usage.CacheCreationTokens; read != 0 || written != 0 {
				line += fmt.Sprintf(", cached %d %d", read, written)
			}
			if thoughts := part.Usage.ReasoningTokens; thoughts != 0 {
				line += fmt.Sprintf(", thoughts %d", thoughts)
			}
			lines = append(lines, line)
		}
		for range resp.Bill() {
			break // a caller may stop
		}
		return strings.Join(lines, "\n")
	})
}

// Failed attempts with usage leave the responses of the model, and those of earlier
// calls, as they are.
func TestSpentChangesNoOtherResponse(t *testing.T) {
	inner := &llm.Response{Usage: tokens(2), Model: "x", Spent: make([]llm.ModelUsage, 1, 8)}
	inner.Spent[0] = by("x", tokens(2))
	broken := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return inner, overloaded })
	model := llm.Fallback(broken, broken, answers(new(int), good))
	resp, err := model.Complete(t.Context(), nil)
	require.NoError(t, err)
	_, err = model.Complete(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []llm.ModelUsage{by("x", tokens(4)), by("m", good.Usage)}, resp.Spent)
	assert.Equal(t, []llm.ModelUsage{by("x", tokens(2)), {}}, inner.Spent[:2], "nothing is written into the list of another, or behind it")
	assert.Nil(t, good.Spent)
}
