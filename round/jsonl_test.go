package round_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

var update = flag.Bool("update", false, "write testdata")

// scribe does in its Handle all that a Step can tell of: it looks, asks a model,
// asks a person, acts, and fails in the end.
type scribe struct {
	fsm.Position
	states fsm.Set
	model  llm.Model
	steps  int
}

func (s *scribe) Name() string                          { return "Scribe" }
func (s *scribe) States() fsm.Set                       { return s.states }
func (s *scribe) Answer() string                        { return "" }
func (s *scribe) Begin(context.Context, fsm.Task) error { return nil }

type verse struct {
	Status fsm.Status     `json:"status"`
	Text   string         `json:"text,omitempty"`
	Extra  map[string]any `json:"extra,omitempty"`
}

func (s *scribe) write(ctx context.Context) error {
	s.steps++
	box, err := desktop.Open(ctx, scribeDesk, nil)
	if err != nil {
		return err
	}
	var decision verse
	err = builtin.NewPipeline(
		builtin.Strategy[*scribe]{Phase: builtin.DataCollection, Run: func(ctx context.Context, _ *scribe) error {
			_, err := desktop.Execute(ctx, scribeDesk, desktop.Command{ToolName: "look", Looks: true, CallID: fmt.Sprint("call-", 2*s.steps-1)})
			return err
		}},
		builtin.Strategy[*scribe]{Phase: builtin.LLMInteraction, Run: func(ctx context.Context, _ *scribe) (err error) {
			decision, err = deciding.Ask(ctx, deciding.Inquiry[verse]{
				Model: s.model, Allowed: s.states.Bind(s.Status()).Targets(fsm.ByModel),
			})
			return err
		}},
		builtin.Strategy[*scribe]{Phase: builtin.ActionExecution, Run: func(ctx context.Context, _ *scribe) error {
			actor := acting.Actor{Desktop: scribeDesk, Tools: box, Policy: func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
				return policies.Verdict{Action: policies.Allow, Reason: "it is only ink"}
			}}
			_, err := actor.Perform(ctx, []acting.Act{{Command: desktop.Command{
				ToolName: "sign", CallID: fmt.Sprint("call-", 2*s.steps), Parameters: map[string]any{"pin": "4711-x", "line": "sincerely, <me>"},
			}}}, false)
			return err
		}},
	).Process(ctx, s)
	if err != nil {
		return err
	}
	_, err = people.Ask(ctx, people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: "yes, 4711-x", Approved: true}, nil
	}), people.Question{ID: "q2", Text: "Is 4711-x right?", Command: &desktop.Command{
		ToolName: "sign", Parameters: map[string]any{"pin": "4711-x", "line": "sincerely, <me>"},
	}}, 0)
	if err != nil {
		return err
	}
	s.Decide(decision.Status, fsm.ByModel, decision.Text)
	if s.steps == 2 {
		return errors.New("the ink is gone, and so is 4711-x")
	}
	return nil
}

var scribeStates = fsm.Table("Scribe",
	[]fsm.Row[*scribe]{{Status: fsm.Continue, Handle: (*scribe).write}, {Status: fsm.Finish, RoundEnd: true}, {Status: fsm.Error, RoundEnd: true}},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel})

var scribeDesk = desk{}

type desk struct{}

func (desk) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{Name: "look"}, {Name: "sign", InputSchema: json.RawMessage(
		`{"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}, "line": {"type": "string"}}}`)}}, nil
}

func (desk) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	if cmd.ToolName == "look" {
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte("a picture of 4711-x")}}}}, nil
	}
	res, err := desktop.JSONResult(map[string]any{"signed": []any{cmd.Parameters["line"], cmd.Parameters["pin"]}})
	return res, err
}

func newScribe() *scribe {
	calls := 0
	return &scribe{states: scribeStates, model: llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		timer := time.NewTimer(1500 * time.Millisecond)
		defer timer.Stop()
		<-timer.C
		if calls++; calls == 1 {
			return &llm.Response{Text: "let me think"}, nil
		}
		return &llm.Response{
			Text:  `{"status": "continue", "text": "Rose & 4711-x", "extra": {"4711-x": 12345678901234567890}}`,
			Model: "poet-1", Usage: llm.Usage{InputTokens: 100, OutputTokens: 20},
		}, nil
	})}
}

// The lines are what other programs read: a change here is a change of the
// format. A field that goes, or means something else, raises lineVersion.
func TestJSONLGolden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		r, err := round.New(newScribe(), "write", &round.Options{
			Observe: round.JSONL(&out), Price: func(string, llm.Usage) float64 { return 0.5 },
		})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "4711", "the text of the error may be shown")

		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		require.Len(t, lines, 2)
		var pretty bytes.Buffer
		for _, line := range lines {
			var v struct {
				V int `json:"v"`
			}
			require.NoError(t, json.Unmarshal([]byte(line), &v))
			assert.Equal(t, 1, v.V)
			require.NoError(t, json.Indent(&pretty, []byte(line), "", "  "))
			pretty.WriteByte('\n')
		}
		assert.NotContains(t, pretty.String(), "4711", "no secret is in it")
		assert.NotContains(t, pretty.String(), "picture", "no image is in it")
		golden := filepath.Join("testdata", "steps.v1.json")
		if *update {
			require.NoError(t, os.WriteFile(golden, pretty.Bytes(), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), pretty.String())
	})
}

// The observed Step has the same, and its error is still found by what it is.
func TestStepsAreForPeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := round.New(newScribe(), "write", &round.Options{Redact: func(text string) string {
			return strings.ReplaceAll(text, "ink", "[liquid]")
		}})
		require.NoError(t, err)
		var steps []round.Step
		for step, err := range r.Steps(t.Context()) {
			if err == nil {
				steps = append(steps, step)
			}
		}
		require.Len(t, steps, 2)
		assert.NotContains(t, fmt.Sprintf("%+v", steps), "4711")
		assert.Equal(t, "it is only [liquid]", steps[0].Verdicts[0].Reason)
		assert.Equal(t, "the [liquid] is gone, and so is ***", steps[1].Err.Error())
		assert.Equal(t, 2, steps[0].Calls)
		assert.Equal(t, 3*time.Second, steps[0].Duration)
		require.Len(t, steps[0].Phases, 3)
		assert.Equal(t, 3*time.Second, steps[0].Phases[1].Duration)
		assert.Equal(t, "the [liquid] is gone, and so is ***", r.Result().Reason)
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
	a.name = "4711-A"
	_, res, err := path(t, a, &round.Options{
		MaxTokens: 20, Price: func(string, llm.Usage) float64 { return 0.5 },
		Redact: func(text string) string { return strings.ReplaceAll(text, "4711", "***") },
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
	assert.NotContains(t, out.String(), "4711")
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
