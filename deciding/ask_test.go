package deciding_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
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

type decision struct {
	Status fsm.Status
	Count  int `json:"Count,omitempty"`
}

var allowed = []fsm.Status{fsm.Continue, fsm.Finish}

func TestAskReadsTheFirstUsableReply(t *testing.T) {
	for name, c := range map[string]struct {
		replies []any
		want    decision
	}{
		"at once":               {[]any{`{"Status": "FINISH", "Count": 1}`}, decision{fsm.Finish, 1}},
		"padded, lower case":    {[]any{`{"status": " finish "}`}, decision{fsm.Finish, 0}},
		"after no JSON":         {[]any{"well", `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"after a wrong status":  {[]any{`{"Status": "FAIL"}`, `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"after no status":       {[]any{`{"Count": 2}`, `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"after a failed check":  {[]any{`{"Status": "FINISH", "Count": 13}`, `{"Status": "FINISH"}`}, decision{fsm.Finish, 0}},
		"at the last attempt":   {[]any{"", "", "", `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"nothing of the others": {[]any{`{"Status": "FAIL", "Count": 2}`, `{"Status": "FINISH"}`}, decision{fsm.Finish, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var record sink
			d, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
				Model: llmtest.Script(t, c.replies...), Allowed: allowed,
				Check: func(d decision) error {
					if d.Count == 13 {
						return errors.New("not 13")
					}
					return nil
				},
			})
			require.NoError(t, err)
			assert.Equal(t, c.want, d)
			assert.Equal(t, []any{c.want}, record.decisions, "only what passed is recorded")
		})
	}
}

func TestAskFeedsBack(t *testing.T) {
	temperature := 0.5
	model := llmtest.Script(t, "I will not", `{"Status": "FAIL"}`, `{"Status": "FINISH"}`)
	var record sink
	_, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
		Model: model, Messages: []llm.Message{llm.Text(llm.System, "Decide.")},
		Sections: []llm.Section{{Name: "task", Value: "count"}},
		Allowed:  allowed, MaxTokens: 99, Temperature: &temperature,
	})
	require.NoError(t, err)
	require.Len(t, record.refused, 2, "the record says why it was asked again")
	assert.Contains(t, record.refused[1], `"FAIL" is not allowed`)
	requests := model.Requests()
	require.Len(t, requests, 3)
	for i, req := range requests {
		assert.Len(t, req.Messages, 2+i, "nothing is forgotten")
		assert.Equal(t, "Decide.", req.Messages[0].Parts[0].Text)
		assert.Equal(t, "count", llmtest.Section[string](t, req, "task"))
		assert.Equal(t, allowed, llmtest.Section[[]fsm.Status](t, req, "allowed_statuses"))
		assert.Equal(t, 99, req.MaxTokens)
		assert.InDelta(t, 0.5, *req.Temperature, 0)
		assert.Equal(t, "decision", req.Schema.Name)
		var schema struct {
			Properties map[string]struct{ Enum []fsm.Status }
		}
		require.NoError(t, json.Unmarshal(req.Schema.JSON, &schema))
		assert.Equal(t, allowed, schema.Properties["Status"].Enum)
	}
	assert.Equal(t, "I will not", llmtest.Section[string](t, requests[1], "refused_reply"))
	assert.NotContains(t, llmtest.Section[string](t, requests[1], "last_error"), "llm:", "what is meant for the model")
	assert.JSONEq(t, `{"Status": "FAIL"}`, llmtest.Section[string](t, requests[2], "refused_reply"))
	assert.Contains(t, llmtest.Section[string](t, requests[2], "last_error"), "CONTINUE, FINISH")
}

// A reply that is long by mistake is not sent back whole at every attempt.
func TestAskCutsWhatItFeedsBack(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	model := llmtest.Script(t, long, `{"Status": "`+long+`"}`, `{"Status": "FINISH"}`)
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Allowed: allowed})
	require.NoError(t, err)
	size := 0
	for _, m := range model.Last().Messages {
		size += len(m.Parts[0].Text)
	}
	assert.Less(t, size, 1<<16)
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "refused_reply"), "[cut: ")
}

// A model, or who records it, may hold a request after the call.
func TestAskLeavesRequestsAlone(t *testing.T) {
	var held []*llm.Request
	messages := make([]llm.Message, 1, 8)
	messages[0] = llm.Text(llm.User, "count")
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		held = append(held, req)
		if len(held) < 3 {
			return &llm.Response{Text: "no " + strconv.Itoa(len(held))}, nil
		}
		return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
	})
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Messages: messages, Allowed: allowed})
	require.NoError(t, err)
	for i, req := range held {
		assert.Len(t, req.Messages, 1+i)
	}
	assert.Equal(t, "no 1", llmtest.Section[string](t, &llm.Request{Messages: held[1].Messages}, "refused_reply"))
	assert.Zero(t, messages[:2][1], "the caller's slice")
}

func TestAskGivesUp(t *testing.T) {
	for name, c := range map[string]struct {
		max, calls int
	}{
		"by default": {0, 4},
		"after one":  {1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				calls++
				return &llm.Response{Text: `{"Status": "DONE", "Count": ` + strconv.Itoa(calls) + `}`}, nil
			})
			d, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Allowed: allowed, MaxReasks: c.max})
			assert.Zero(t, d, "nothing of what was refused")
			assert.Equal(t, c.calls, calls)
			require.ErrorIs(t, err, deciding.ErrReply)
			require.ErrorContains(t, err, `status "DONE" is not allowed here`)
			assert.Contains(t, err.Error(), "deciding: no usable reply in "+strconv.Itoa(calls)+" attempts")
		})
	}
}

func TestAskForEver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	model := llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		if calls++; calls == 20 {
			cancel()
		}
		return &llm.Response{Text: "no"}, ctx.Err()
	})
	_, err := deciding.Ask(ctx, deciding.Inquiry[decision]{Model: model, Allowed: allowed, MaxReasks: -1})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 20, calls)
}

func TestAskReturnsErrorsOfTheModel(t *testing.T) {
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: llmtest.Script(t, errBroken), Allowed: allowed})
	require.ErrorIs(t, err, errBroken)
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: llmtest.Script(t, "no", (*llm.Response)(nil)), Allowed: allowed})
	require.ErrorIs(t, err, llm.ErrNoResponse, "also when it was asked again")
}

func TestAskWithoutStatuses(t *testing.T) {
	type plain struct {
		Room string `json:"Room"`
	}
	model := llmtest.Script(t, "no", `{"Room": "Hopper"}`)
	d, err := deciding.Ask(t.Context(), deciding.Inquiry[plain]{Model: model, Sections: []llm.Section{{Name: "task", Value: 1}}})
	require.NoError(t, err)
	assert.Equal(t, "Hopper", d.Room)
	_, there := llm.FindSection(model.Last(), "allowed_statuses")
	assert.False(t, there)

	open, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: llmtest.Script(t, `{"Status": "whatever"}`)})
	require.NoError(t, err)
	assert.Equal(t, fsm.Status("whatever"), open.Status, "without Allowed it is left alone")
}

func TestAskTakesSections(t *testing.T) {
	model := llmtest.Script(t, `{"Status": "FINISH"}`)
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: model, Allowed: allowed,
		Sections: []llm.Section{{Name: "allowed_statuses", Value: "my words"}},
	})
	require.NoError(t, err)
	assert.Equal(t, "my words", llmtest.Section[string](t, model.Last(), "allowed_statuses"))
}

func TestAskNamesSchemas(t *testing.T) {
	model := llmtest.Script(t, `{"A": 1}`, `{"V": 1}`)
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[struct{ A int }]{Model: model})
	require.NoError(t, err)
	assert.Equal(t, "decision", model.Last().Schema.Name, "an unnamed type")
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[box[int]]{Model: model})
	require.NoError(t, err)
	assert.Equal(t, "decision", model.Last().Schema.Name, "a type with arguments")
}

type box[T any] struct{ V T }

// Mistakes in a program are found before a model is asked.
func TestAskRefusesInquiries(t *testing.T) {
	type number struct{ Status int }
	model := llmtest.Script(t)

	_, err := deciding.Ask(t.Context(), deciding.Inquiry[struct{ A int }]{Model: model, Allowed: allowed})
	require.ErrorContains(t, err, "has no field Status of a string type")
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[number]{Model: model, Allowed: allowed})
	require.ErrorContains(t, err, "number has no field Status")
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Allowed: []fsm.Status{}})
	require.ErrorContains(t, err, "no status is allowed here")

	_, err = deciding.Ask(t.Context(), deciding.Inquiry[int]{Model: model})
	require.ErrorContains(t, err, "llm: schema of int")
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Sections: []llm.Section{{Name: "x", Value: func() {}}}})
	require.ErrorContains(t, err, `llm: section "x": `)
}

func TestAskFindsStatusInEmbedded(t *testing.T) {
	type Base struct {
		Status fsm.Status `json:"state"`
	}
	type whole struct {
		Base
		Room string `json:"Room,omitempty"`
	}
	model := llmtest.Script(t, `{"Room": "Hopper"}`, `{"state": "finish"}`)
	d, err := deciding.Ask(t.Context(), deciding.Inquiry[whole]{Model: model, Allowed: allowed})
	require.NoError(t, err)
	assert.Equal(t, fsm.Finish, d.Status)
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "no Status")

	type pointed struct {
		*Base
		Room string `json:"Room,omitempty"`
	}
	model = llmtest.Script(t, `{"Room": "Hopper"}`, `{"state": "finish"}`)
	p, err := deciding.Ask(t.Context(), deciding.Inquiry[pointed]{Model: model, Allowed: allowed})
	require.NoError(t, err)
	assert.Equal(t, fsm.Finish, p.Status)
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "no Status")
}

type clerk struct{ fsm.Position }

var clerks = fsm.Table("Clerk", []fsm.Row[*clerk]{
	{Status: fsm.Continue}, {Status: fsm.Confirm}, {Status: fsm.Finish, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel | fsm.BySystem},
	fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser},
)

func (c *clerk) Name() string    { return "clerk" }
func (c *clerk) States() fsm.Set { return clerks }

func TestAllowed(t *testing.T) {
	c := &clerk{}
	c.SetStatus(fsm.Continue)
	assert.Equal(t, []fsm.Status{fsm.Confirm, fsm.Finish}, deciding.Allowed(c))
	c.SetStatus(fsm.Confirm)
	assert.Equal(t, []fsm.Status{}, deciding.Allowed(c), "nothing is not anything")
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: llmtest.Script(t), Allowed: deciding.Allowed(c)})
	require.ErrorContains(t, err, "no status is allowed here")
}

// A reply that comes too late is not worked on, but it was recorded.
func TestAskStopsBeforeHeavyWork(t *testing.T) {
	for name, late := range map[string]bool{"before the checks": true, "in the checks": false} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			seen, checked := 0, 0
			_, err := deciding.Ask(ctx, deciding.Inquiry[decision]{
				Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					if late {
						cancel(errBroken)
					}
					return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
				}),
				Allowed: allowed,
				Seen:    func(context.Context, decision) { seen++ },
				Check:   func(decision) error { checked++; cancel(errBroken); return nil },
			})
			require.ErrorIs(t, err, errBroken)
			assert.Equal(t, 1, seen)
			assert.Equal(t, late, checked == 0)
		})
	}
}
