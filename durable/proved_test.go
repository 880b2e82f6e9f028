package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// How far an answer can be trusted is in the record as the answer is: whoever looks at a run that has
// ended, goes on with it or replays it reads what its first process was told, without secrets.
func TestHowFarAnAnswerCanBeTrustedIsOnRecord(t *testing.T) {
	const finish = `{"Status": "FINISH", "Result": "saved"}`
	found := func(verdict proof.Verdict, by, evidence string) proof.Func {
		return func(context.Context, proof.Claim) (proof.Finding, error) {
			return proof.Finding{Verdict: verdict, By: by, Evidence: evidence}, nil
		}
	}
	dropped := []any{
		`{"Status": "FINISH", "Result": "saved", "Plan": ["print it for hunter2"]}`,
		`{"Status": "FINISH", "Result": "saved", "Plan": ["print it for hunter2"], "Open": {"plan_1": "dropped: hunter2 has no printer"}}`,
	}
	undone := []proof.Undone{{ID: "plan_1", Task: "print it for [secret]", Status: proof.Dropped, Reason: "[secret] has no printer"}}
	for name, c := range map[string]struct {
		verify   proof.Func
		replies  []any
		verified *proof.Finding
		partial  []proof.Undone
		outcome  round.Outcome
	}{
		"nobody was asked": {nil, []any{finish}, nil, nil, round.Finished},
		"yes, by whom and on what evidence": {
			found(proof.Yes, "hunter2's disk", "hunter2 can read it"), []any{finish},
			&proof.Finding{Verdict: proof.Yes, By: "[secret]'s disk", Evidence: "[secret] can read it"}, nil, round.Finished,
		},
		"nobody knows":               {found("", "", ""), []any{finish}, &proof.Finding{Verdict: proof.Unknown}, nil, round.Finished},
		"a part was dropped":         {nil, dropped, nil, undone, round.Finished},
		"both":                       {found(proof.Yes, "a look", "it is there"), dropped, &proof.Finding{Verdict: proof.Yes, By: "a look", Evidence: "it is there"}, undone, round.Finished},
		"no, to the end":             {found(proof.No, "a look", "it is not there"), []any{finish, finish}, nil, nil, round.Failed},
		"no, and a part was dropped": {found(proof.No, "a look", "it is not there"), append(dropped, dropped[1]), nil, undone, round.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			opts := &round.Options{Redact: func(text string) string { return strings.ReplaceAll(text, "hunter2", "[secret]") }}
			in := store.Memory()
			begun := func(replies ...any) *round.Session {
				s, err := durable.Open(t.Context(), prover(t, c.verify, replies...), in, "run", &durable.Options{Round: opts})
				require.NoError(t, err)
				return s
			}
			live, _ := begun(c.replies...).Run(t.Context(), "save it")
			require.Equal(t, c.outcome, live.Outcome, "%+v", live)
			assert.Equal(t, c.verified, live.Verified)
			assert.Equal(t, c.partial, live.Partial)

			state, err := durable.Look(t.Context(), in, "run")
			require.NoError(t, err)
			continued, _ := begun().Continue(t.Context(), "save it")
			again := c.verify
			if again != nil {
				again = func(context.Context, proof.Claim) (proof.Finding, error) { panic("a replay asks nobody") }
			}
			replayed, err := durable.Replay(t.Context(), prover(t, again), in, "run", opts)
			require.NoError(t, err)
			for who, res := range map[string]round.Result{"Look": state.Result, "Continue": continued, "Replay": replayed} {
				assert.Equal(t, live.Outcome, res.Outcome, who)
				assert.Equal(t, live.Verified, res.Verified, who)
				assert.Equal(t, live.Partial, res.Partial, who)
			}
		})
	}
}

// A model that judges is paid for like any other one: its call counts in the process that makes it, in
// one that is given its finding back, and in a replay. So does any call that is a part of something else.
func TestACallThatIsAPartOfSomethingCounts(t *testing.T) {
	const yes = `{"Verdict": "yes", "Evidence": "it is there"}`
	judge := func(reply string, err error) proof.Func {
		ask := proof.Model("a judge", llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			if err != nil {
				return nil, err
			}
			return &llm.Response{Text: reply, Model: "judge", Usage: llm.Usage{InputTokens: 7, OutputTokens: 1}}, nil
		}))
		return func(ctx context.Context, claim proof.Claim) (proof.Finding, error) {
			found, err := ask(ctx, claim)
			if err != nil {
				return proof.Finding{}, nil //nolint:nilerr // nobody knows
			}
			return found, nil
		}
	}
	twice := func(ctx context.Context, claim proof.Claim) (proof.Finding, error) {
		if _, err := judge(yes, nil)(ctx, claim); err != nil {
			return proof.Finding{}, err
		}
		return judge(yes, nil)(ctx, claim)
	}
	for name, c := range map[string]struct {
		verify proof.Func
		calls  int
		input  int
	}{
		"no judge":           {nil, 1, 10},
		"one call":           {judge(yes, nil), 2, 17},
		"two calls":          {twice, 3, 24},
		"one that says less": {judge("well", nil), 2, 17},
		"one that fails":     {judge("", errBang), 2, 10},
	} {
		t.Run(name, func(t *testing.T) {
			agent := func(verify proof.Func) *appagent.Agent {
				return proverOf(t, verify, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					return &llm.Response{Text: `{"Status": "FINISH", "Result": "saved"}`, Model: "m", Usage: llm.Usage{InputTokens: 10}}, nil
				}))
			}
			opts := &round.Options{Price: func(_ string, u llm.Usage) float64 { return float64(u.InputTokens) }}
			in := &mortal{Store: store.Memory()}
			begun := func(verify proof.Func) *round.Session {
				s, err := durable.Open(t.Context(), agent(verify), in, "run", &durable.Options{Round: opts})
				require.NoError(t, err)
				return s
			}
			live, err := begun(c.verify).Run(t.Context(), "save it")
			require.NoError(t, err)
			assert.Equal(t, c.calls, live.Calls)
			assert.Equal(t, c.input, live.Usage.InputTokens)

			replayed, err := durable.Replay(t.Context(), agent(c.verify), in, "run", opts)
			require.NoError(t, err)
			for died := range in.count { // after each Append, and another process goes on
				in.Store = store.Memory()
				in.start(died+1, true)
				_, _ = begun(c.verify).Run(t.Context(), "save it")
				in.start(0, false)
				resumed, err := begun(c.verify).Continue(t.Context(), "save it")
				require.NoError(t, err)
				assert.GreaterOrEqual(t, resumed.Calls, live.Calls, "it died after %d", died+1)
				assert.GreaterOrEqual(t, resumed.Usage.InputTokens, live.Usage.InputTokens, "it died after %d", died+1)
			}
			assert.Equal(t, live.Calls, replayed.Calls)
			assert.Equal(t, live.Usage, replayed.Usage)
			assert.InDelta(t, live.Cost, replayed.Cost, 0)
		})
	}
}

// prover is an agent of an editor whose program says whether it is done.
func prover(t *testing.T, verify proof.Func, replies ...any) *appagent.Agent {
	t.Helper()
	return proverOf(t, verify, llmtest.Script(t, replies...))
}

func proverOf(t *testing.T, verify proof.Func, model llm.Model) *appagent.Agent {
	t.Helper()
	editor := &desktoptest.App{Root: "editor", Title: "letter", Running: true}
	agent, err := appagent.New(appagent.Config{
		Model: model, Desktop: desktoptest.New(t, editor), NoImages: true, Verify: verify, MaxReplans: 1,
	})
	require.NoError(t, err)
	return agent
}
