package round_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// The lines are what other programs read: a change here is a change of the
// format. A field that goes, or means something else, raises lineVersion.
func TestJSONLGolden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk := desktoptest.New(t, &desktoptest.App{Root: "writer", Process: "letter", Running: true})
		desk.Without(desktop.GetUITree, desktop.GetAppWindow)
		desk.AddTools(desktoptest.Tool{
			Name: "sign", Returns: map[string]any{"signed": []any{"sincerely, <me>", "hush-x"}}, Schema: `{"type": "object",
				"properties": {"pin": {"type": "string", "writeOnly": true}, "line": {"type": "string"}}}`})
		desk.Slow("sign", 1500*time.Millisecond)
		agent, err := appagent.New(appagent.Config{
			Desktop: desk, Window: desktop.Window{ID: "1", Root: "writer", Process: "letter"},
			NewID: func() string { return "q1" },
			Model: llmtest.Script(t, llm.Response{
				Text: "let me think", Model: "llmtest",
				Usage: llm.Usage{InputTokens: 10, OutputTokens: 5, CacheReadTokens: 6, CacheCreationTokens: 3},
			},
				`{"status": "continue", "Comment": "Rose & hush-x", "Function": "sign", "Args": {"pin": "hush-x", "line": "sincerely, <me>"}, "Result": {"hush-x": 12345678901234567890}}`,
				errors.New("the ink is gone, and so is hush-x")),
			Policy: func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
				return policies.Verdict{Action: policies.Confirm, Reason: "it is only ink"}
			},
			User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
				return people.Answer{Text: "yes, hush-x", Approved: true}, nil
			}),
		})
		require.NoError(t, err)
		var out bytes.Buffer
		r, err := round.New(agent, "write", &round.Options{
			Observe: round.JSONL(&out), Price: func(string, llm.Usage) float64 { return 0.5 },
		})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hush", "the text of the error may be shown")

		var pretty bytes.Buffer
		for line := range strings.Lines(out.String()) {
			var v struct{ V int }
			require.NoError(t, json.Unmarshal([]byte(line), &v))
			assert.Equal(t, 1, v.V)
			require.NoError(t, json.Indent(&pretty, []byte(line), "", "  "))
		}
		assert.NotContains(t, pretty.String(), "hush", "no secret is in it")
		assert.Contains(t, pretty.String(), "[image/png, ", "no image is in it")
		random := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+ bytes`) // ids of calls, and how well a picture is packed
		golden.Equal(t, "steps.v1.json", random.ReplaceAllString(pretty.String(), "…"))
	})
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBang }

// A record that cannot be kept is a fault.
func TestJSONLThatCannotWrite(t *testing.T) {
	_, res, err := path(t, newPuppet("A"), &round.Options{Observe: round.JSONL(brokenWriter{})})
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, round.Faulted, res.Outcome)
}

// The last line says what the steps cannot, as one Write, and is as safe to show.
func TestJSONLResult(t *testing.T) {
	a := restless(askEcho)
	a.name = "hush-A"
	_, res, err := path(t, a, &round.Options{
		MaxTokens: 20, Price: func(string, llm.Usage) float64 { return 0.5 },
		Redact: func(text string) string { return strings.ReplaceAll(text, "hush", "***") },
	})
	require.ErrorIs(t, err, round.ErrBudget)
	var out bytes.Buffer
	require.NoError(t, round.JSONLResult(&out, res))
	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	end, ok := got["result"].(map[string]any)
	require.True(t, ok)
	assert.InDelta(t, 1, got["v"], 0)
	assert.NotContains(t, got, "seq", "it is no step")
	assert.Equal(t, []any{"BUDGET", "***-A", "CONTINUE", 2., 2., 1.},
		[]any{end["outcome"], end["agent"], end["status"], end["steps"], end["calls"], end["cost"]})
	assert.Equal(t, map[string]any{"input_tokens": 16., "output_tokens": 4.}, end["usage"])
	assert.Contains(t, end["error"], "MaxTokens of 20 reached")
	assert.NotContains(t, out.String(), "hush")
	assert.Equal(t, 1, strings.Count(out.String(), "\n"))

	require.ErrorIs(t, round.JSONLResult(brokenWriter{}, res), errBang)
	res.Cost = math.NaN()
	require.Error(t, round.JSONLResult(&out, res))
}

// An error is printed, and parts of it may be a model's words.
func TestErrorTexts(t *testing.T) {
	_, _, err := path(t, newPuppet("A", fsm.Fail), nil)
	assert.EqualError(t, err, "round: the task failed: A:FAIL")
	var e *round.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, round.Failed, e.Outcome)
	assert.Equal(t, []error{round.ErrFailed}, e.Unwrap())
	_, _, err = path(t, doing(func(context.Context) error { return errors.New("gone\x1b[2J") }), nil)
	require.ErrorContains(t, err, `gone\u001b[2J`)

	p := &round.PanicError{Value: "boo"}
	assert.EqualError(t, p, "round: panic: boo")
	assert.NoError(t, p.Unwrap())
}
