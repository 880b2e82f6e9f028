package deciding_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestAskReadsTheFirstUsableReply(t *testing.T) {
	for name, c := range map[string]struct {
		replies []any
		want    decision
	}{
		"padded, lower case":   {[]any{`{"status": " finish "}`}, decision{fsm.Finish, 0}},
		"after no JSON":        {[]any{"well", `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"after no status":      {[]any{`{"Count": 2}`, `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
		"after a failed check": {[]any{`{"Status": "FINISH", "Count": 13}`, `{"Status": "FINISH"}`}, decision{fsm.Finish, 0}},
		"at the last attempt":  {[]any{"", "", "", `{"Status": "CONTINUE"}`}, decision{fsm.Continue, 0}},
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
	messages := make([]llm.Message, 1, 8)
	messages[0] = llm.Text(llm.User, "count")
	model := llmtest.Script(t, "no 1", "no 2", `{"Status": "FINISH"}`)
	var held []*llm.Request
	holding := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		held = append(held, req)
		return model.Complete(ctx, req)
	})
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: holding, Messages: messages, Allowed: allowed})
	require.NoError(t, err)
	for i, req := range held {
		assert.Len(t, req.Messages, 1+i)
	}
	assert.Equal(t, "no 1", llmtest.Section[string](t, held[1], "refused_reply"))
	assert.Zero(t, messages[:2][1], "the caller's slice")
}

// MaxReasks is how often is asked again: 3 by default, and without an end where it is negative.
func TestAskGivesUp(t *testing.T) {
	for most, want := range map[int]int{0: 4, 1: 2, -1: 20} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		model := llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			if calls++; calls == 20 {
				cancel()
			}
			return &llm.Response{Text: `{"Status": "DONE", "Count": 7}`}, ctx.Err()
		})
		d, err := deciding.Ask(ctx, deciding.Inquiry[decision]{Model: model, Allowed: allowed, MaxReasks: most})
		assert.Zero(t, d, "nothing of what was refused")
		assert.Equal(t, want, calls)
		if most < 0 {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.ErrorIs(t, err, deciding.ErrReply)
			require.ErrorContains(t, err, `Status "DONE" is not allowed here`)
			require.ErrorContains(t, err, fmt.Sprintf("deciding: no usable reply in %d attempts", calls))
		}
		cancel()
	}
}

// A reply that is empty or cut is fed back, with words that help.
func TestAskFeedsBackWhatIsNoReply(t *testing.T) {
	whole := &llm.Response{Text: `{"Status": "FINISH", "Count": 1}`, FinishReason: "length"}
	for name, c := range map[string]struct {
		reply     any
		maxTokens int
		told      string
		shown     string
	}{
		"empty":                    {"", 0, "the reply is empty", ""},
		"an empty one, as error":   {&llm.CallError{Kind: llm.ErrEmpty}, 0, "the reply is empty", ""},
		"cut":                      {&llm.Response{Text: `{"Status": "FIN`, FinishReason: "max_tokens"}, 0, "the reply was too long and was cut: write a shorter one", `{"Status": "FIN`},
		"cut, by a bound of ours":  {&llm.Response{FinishReason: "length"}, 99, "the reply was too long and was cut: it can have 99 tokens", ""},
		"malformed":                {&llm.Response{Text: whole.Text, FinishReason: "malformed_model_output"}, 0, "the provider could not use the reply, which is malformed: write it again, as valid JSON", whole.Text},
		"cut, and whole by chance": {whole, 0, "the reply was too long and was cut: write a shorter one", whole.Text},
	} {
		t.Run(name, func(t *testing.T) {
			var record sink
			model := llmtest.Script(t, c.reply, `{"Status": "CONTINUE"}`)
			d, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{Model: model, Allowed: allowed, MaxTokens: c.maxTokens})
			require.NoError(t, err)
			assert.Equal(t, decision{fsm.Continue, 0}, d)
			assert.Len(t, record.refused, 1)
			assert.Equal(t, c.told, llmtest.Section[string](t, model.Last(), "last_error"))
			assert.Equal(t, c.shown, llmtest.Section[string](t, model.Last(), "refused_reply"))
		})
	}
}

// Secrets of a reply that was cut are announced: it stays in the prompt.
func TestAskShowsACutReplyToSeen(t *testing.T) {
	var seen []int
	cut := &llm.Response{Text: `{"Status": "FINISH", "Count": 4}`, FinishReason: "length"}
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: llmtest.Script(t, cut, `{"Status": "FINISH", "Count": 5}`), Allowed: allowed,
		Seen: func(_ context.Context, d decision) { seen = append(seen, d.Count) },
		Check: func(d decision) error {
			assert.Equal(t, 5, d.Count, "what was cut is not checked further")
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []int{4, 5}, seen)
}

// Other errors of a model end the inquiry, also where an earlier model of a
// fallback was the one that said nothing.
func TestAskStopsAtARefusal(t *testing.T) {
	empty, gone := &llm.Response{}, &llm.CallError{Kind: llm.ErrRejected}
	for name, c := range map[string]struct {
		model llm.Model
		is    error
	}{
		"refused":              {llmtest.Script(t, &llm.Response{Text: "no", FinishReason: "refusal"}), llm.ErrRefused},
		"empty, then rejected": {llm.Fallback(llmtest.Script(t, empty), llmtest.Script(t, gone)), llm.ErrRejected},
		"broken":               {llmtest.Script(t, "no", errBroken), errBroken},
		"no response":          {llmtest.Script(t, "no", (*llm.Response)(nil)), llm.ErrNoResponse},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: c.model, Allowed: allowed})
			require.ErrorIs(t, err, c.is)
			require.NotErrorIs(t, err, deciding.ErrReply)
		})
	}
	slow := &llm.CallError{Kind: llm.ErrSlow}
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: llm.Fallback(llmtest.Script(t, slow, slow), llmtest.Script(t, empty, empty)), Allowed: allowed, MaxReasks: 1,
	})
	require.ErrorIs(t, err, llm.ErrEmpty)
	require.ErrorIs(t, err, deciding.ErrReply, "the last one said nothing, so it is asked again")
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

// What was repaired in a reply is recorded, also in one that is refused then, or that turned out
// to be none.
func TestAskRecordsRepairs(t *testing.T) {
	var record sink
	_, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
		Model:   llmtest.Script(t, `{"Status": "FINISH",} or {"Status": "CONTINUE"}`, `{"status": "FAIL"}`, `{"Status": "FINISH",}`),
		Allowed: allowed,
	})
	require.NoError(t, err)
	prose, comma := llm.Repair{Kind: repair.Prose, Where: "byte 21", Count: 1}, llm.Repair{Kind: repair.Comma, Where: "byte 19", Count: 1}
	assert.Equal(t, []llm.Repair{prose, comma, {Kind: repair.Name, Where: "status", Count: 1}, comma}, record.repairs)
	assert.Len(t, record.refused, 2)

	nobody := sink{untimed: true} // reads the record
	_, err = deciding.Ask(trace.With(t.Context(), &nobody), deciding.Inquiry[decision]{
		Model: llmtest.Script(t, `{"status": "finish",}`), Allowed: allowed,
	})
	require.NoError(t, err)
	assert.Empty(t, nobody.repairs)
	assert.Len(t, nobody.decisions, 1)
}

// What an adapter did other than it was asked is in the record of the step.
func TestRepairsOfTheResponseAreRecorded(t *testing.T) {
	record := &sink{}
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status":"FINISH"}`, Repairs: []llm.Repair{{Kind: repair.NotStrict, Count: 1}}}, nil
	})
	schema := &llm.Schema{Name: "closed", JSON: []byte(`{"type":"object"}`), Strict: true}
	_, err := deciding.Ask(trace.With(t.Context(), record), deciding.Inquiry[decision]{Model: model, Schema: schema})
	require.NoError(t, err)
	assert.Equal(t, []llm.Repair{{Kind: repair.NotStrict, Count: 1}}, record.repairs)
}

// The schema that is asked for is the one of the inquiry; the decision is checked against its own.
func TestSchemaOfTheInquiry(t *testing.T) {
	schema := &llm.Schema{Name: "closed", JSON: []byte(`{"type":"object"}`), Strict: true}
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		assert.Same(t, schema, req.Schema, "it is not copied in each step")
		return &llm.Response{Text: `{"Status":"FINISH"}`}, nil
	})
	got, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: model, Schema: schema, Allowed: []fsm.Status{fsm.Finish}})
	require.NoError(t, err)
	assert.Equal(t, fsm.Finish, got.Status)
}
