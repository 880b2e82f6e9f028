package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// Random runs with a model that is wrong on purpose: Partial is exactly what failed, was dropped or
// is open. With a Verify that knows the truth no run ends in FINISH wrongly. A run in which all was
// done ends in FINISH.
func TestScenario56_ModelsThatAreWrong(t *testing.T) {
	ends := map[round.Outcome]int{}
	listed := map[string]int{}
	for seed := range uint64(sample.Of(500, 50)) {
		l := newLiar(seed)
		verified := seed%4 > 1
		res, err := l.play(t, verified)
		require.True(t, err == nil || errors.Is(err, round.ErrFailed) || errors.Is(err, errPlug), "seed %d: %v", seed, err)
		require.ElementsMatch(t, l.want(res), got(res), "seed %d: %+v", seed, res)
		require.Empty(t, l.shifted, "seed %d", seed)
		switch {
		case errors.Is(err, errPlug):
		case len(l.missing()) == 0:
			require.Equal(t, round.Finished, res.Outcome, "seed %d: all was done", seed)
		case verified:
			require.NotEqual(t, round.Finished, res.Outcome, "seed %d: %v is missing", seed, l.missing())
		}
		if verified && res.Outcome == round.Finished {
			require.Equal(t, proof.Yes, res.Verified.Verdict)
			ends["verified"]++
		}
		ends[res.Outcome]++
		for _, undone := range res.Partial {
			listed[undone.Status]++
		}
	}
	for _, outcome := range []round.Outcome{round.Finished, round.Failed, round.Faulted, "verified"} {
		assert.NotZero(t, ends[outcome], outcome)
	}
	for _, status := range []string{proof.Failed, proof.Dropped, proof.Open} {
		assert.NotZero(t, listed[status], status)
	}
}

// However much is open: each refusal names what the model can read of it, the next one the rest, and
// a model that answers what it is asked comes to its end.
func TestScenario56_ManyNotes(t *testing.T) {
	var texts []string
	for i := range 90 {
		texts = append(texts, fmt.Sprintf("note %d%s", i, strings.Repeat("x", i*4)))
	}
	for name, atOnce := range map[string]int{"all that is named": 1000, "one at a time": 1} {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, alone %t", name, alone), func(t *testing.T) {
				s := onStage(t)
				l, asked := newLiar(0), 0
				s.Options.MaxSteps = 200
				s.Config.NoImages, s.Config.Model = true, llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
					asked++
					reply := map[string]any{"Status": "FINISH", "Result": "done"}
					if asked == 1 {
						reply["Plan"] = texts
					}
					raw, _ := llm.FindSection(newest(req), "last_error")
					list, said := l.open(req), map[string]string{}
					if asked > 1 {
						require.Contains(t, string(raw), "Still open: ")
						require.NotContains(t, string(raw), "[cut")
						require.LessOrEqual(t, len(list), promptsize.Listed)
					}
					for _, id := range slices.Sorted(maps.Keys(list))[:min(atOnce, len(list))] {
						said[id] = "dropped: " + list[id]
					}
					reply["Open"] = said
					text, err := json.Marshal(reply)
					return &llm.Response{Text: string(text), Usage: used}, err
				})
				var res round.Result
				var err error
				if alone {
					res, err = s.drive(s.alone(), "go").Run(t.Context())
				} else {
					res, err = s.run("go")
				}
				require.NoError(t, err)
				require.Empty(t, l.shifted)
				require.Len(t, res.Partial, len(texts))
				for i, undone := range res.Partial {
					require.Equal(t, proof.Undone{ID: fmt.Sprintf("plan_%d", i+1), Task: texts[i], Status: proof.Dropped, Reason: texts[i]},
						undone)
				}
			})
		}
	}
}

// A round that is given up leaves what a round leaves that ends.
func TestScenario56_GivenUp(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "extract"), []string{"mail"}), status("FAIL"), withPlan(assign("1", "draw"), []string{"mail"}))
	s.Options.MaxTransitions = 6
	session := s.session()
	first, err := session.Start("do it")
	require.NoError(t, err)
	res, err := first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrBudget)
	assert.Empty(t, res.Partial, "it can go on")
	_, err = session.Start("something else")
	require.NoError(t, err)
	res = first.Result()
	assert.Equal(t, round.Failed, res.Outcome)
	assert.Equal(t, []string{"subtask_1 extract failed", "subtask_2 draw failed", "mail open"}, got(res))
}

// What may be cut holds no part of a secret that only Redact knows.
func TestScenario56_HalfASecret(t *testing.T) {
	const secret = "swordfish-4711-swordfish"
	typing := map[string]any{"Function": desktop.KeyboardInput, "Status": "CONTINUE"}
	for pad := 380; pad < 520; pad += 5 {
		for name, text := range map[string][2]string{
			"typed":  {strings.Repeat("x", pad) + secret, "nobody saw it"},
			"unseen": {"k", strings.Repeat("x", pad) + secret + strings.Repeat("y", 1000)},
		} {
			typing["Args"] = map[string]any{"keys": text[0]}
			s := onStage(t, typing, finish("done"),
				map[string]any{"Status": "FINISH", "Result": "done", "Open": map[string]string{"act_1": "dropped: so"}})
			s.Options.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "[gone]") }
			s.Desktop.Lie(desktop.KeyboardInput, desktop.Result{Status: desktop.Success, Unverified: text[1]})
			res, err := s.drive(s.alone(), "go").Run(t.Context())
			require.NoError(t, err)
			require.Len(t, res.Partial, 1)
			shown, err := json.Marshal(s.Steps)
			require.NoError(t, err)
			require.NotContains(t, fmt.Sprintf("%+v %s", res.Partial, shown), "swordfish", "%s, %d", name, pad)
		}
	}
}

// A no in other letters is a no, and a word that is no verdict lets no FINISH pass.
func TestScenario57_AVerdictInOtherWords(t *testing.T) {
	for verdict, want := range map[proof.Verdict]round.Outcome{
		"": round.Finished, "unknown": round.Finished, "YES": round.Finished, "No": round.Failed, "nope": round.Faulted, "false": round.Faulted,
	} {
		t.Run(string(verdict), func(t *testing.T) {
			replies := []any{finish("done")}
			if want == round.Failed {
				replies = append(replies, finish("done"), finish("done"), finish("done"))
			}
			s := onStage(t, replies...)
			s.Config.Verify = func(context.Context, proof.Claim) (proof.Finding, error) { return proof.Finding{Verdict: verdict}, nil }
			res, _ := s.run("go")
			assert.Equal(t, want, res.Outcome, res.Reason)
		})
	}
}

// A Verify that breaks ends the run in its own words, also in a replay: no desktop is involved.
func TestScenario57_AVerifyThatBreaks(t *testing.T) {
	verify := func(s *stage) {
		s.Config.Verify = func(context.Context, proof.Claim) (proof.Finding, error) {
			return proof.Finding{}, errors.New("the judge is ill")
		}
	}
	s, runs := onStage(t, finish("done")), store.Memory()
	verify(s)
	session, err := durable.Open(t.Context(), s.host(), runs, "run", nil)
	require.NoError(t, err)
	res, err := session.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, "ACTION_EXECUTION: verify: the judge is ill", res.Reason)

	again := onStage(t)
	verify(again)
	_, err = durable.Replay(t.Context(), again.host(), runs, "run", nil)
	require.NoError(t, err)
}
