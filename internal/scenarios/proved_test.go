package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// liar is a model that is wrong on purpose: it says FINISH after a sub-task failed, after a window
// died, after an act that did nothing, and with an open plan. It keeps its own account of what a
// result has to say.
type liar struct {
	*rand.Rand
	truth   map[string]bool   // what of the request was really done
	ended   map[string]string // how the last sub-task of each part ended
	said    map[string]string // of parts and notes, and of acts that were given up
	parts   []string
	notes   []string
	honest  bool // mostly
	errands int
}

// Complete plays the host and the agents of applications.
func (l *liar) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	var reply map[string]any
	if raw, ok := llm.FindSection(req, "subtask"); ok {
		var task struct{ Text string }
		if err := json.Unmarshal(raw, &task); err != nil {
			return nil, err
		}
		reply = l.app(req, task.Text)
	} else {
		reply = l.host(req)
	}
	text, err := json.Marshal(reply)
	return &llm.Response{Text: string(text), Usage: used}, err
}

// open are the ids that a FINISH was refused for, with what each is.
func open(req *llm.Request) map[string]string {
	list := map[string]string{}
	last := &llm.Request{Messages: req.Messages[len(req.Messages)-1:]}
	raw, _ := llm.FindSection(last, "last_error")
	var text string
	_ = json.Unmarshal(raw, &text)
	rest, ok := strings.CutPrefix(text, "FINISH, but this is open: ")
	if !ok {
		return list
	}
	rest, _, _ = strings.Cut(rest, ". Answer each in Open")
	for part := range strings.SplitSeq(rest, "; ") {
		id, what, _ := strings.Cut(part, " (")
		list[id] = strings.TrimSuffix(what, ")")
	}
	return list
}

// answer says something of what is open, and keeps what it said.
func (l *liar) answer(req *llm.Request, of func(id, what string) string) map[string]string {
	said := map[string]string{}
	list := open(req)
	ids := make([]string, 0, len(list))
	for id := range list {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if l.IntN(6) == 0 {
			continue // it overlooks one
		}
		said[id] = []string{"done: otherwise", "dropped: it does not matter"}[l.IntN(2)]
		l.said[of(id, list[id])], _, _ = strings.Cut(said[id], ":")
	}
	return said
}

func (l *liar) host(req *llm.Request) map[string]any {
	var subtasks []blackboard.Subtask
	raw, _ := llm.FindSection(req, "previous_subtasks")
	_ = json.Unmarshal(raw, &subtasks)
	tasks := map[string]string{}
	for _, s := range subtasks {
		l.ended[s.Text], tasks[s.ID] = s.Status, s.Text
	}
	var left []string
	for _, part := range l.parts {
		if l.ended[part] != string(fsm.Finish) {
			left = append(left, part)
		}
	}
	if l.errands++; len(left) > 0 && l.errands < 12 && (l.honest || l.IntN(3) > 0) && (len(open(req)) == 0 || l.IntN(2) == 0) {
		clear(l.said) // what was said before it is forgotten
		l.notes = nil
		if l.IntN(3) == 0 {
			l.notes = []string{fmt.Sprintf("note %d", l.IntN(3))}
		}
		return map[string]any{"Status": "ASSIGN", "ControlLabel": fmt.Sprint(l.IntN(2)), "CurrentSubTask": left[l.IntN(len(left))], "Plan": l.notes}
	}
	return map[string]any{"Status": "FINISH", "Result": "all done", "Open": l.answer(req, func(id, what string) string {
		if text, ok := tasks[id]; ok {
			return text
		}
		return what
	})}
}

func (l *liar) app(req *llm.Request, part string) map[string]any {
	act := map[string]any{"Status": "CONTINUE", "Function": "do", "Args": map[string]any{"part": part}}
	if len(open(req)) > 0 {
		return map[string]any{"Status": "FINISH", "Result": "done", "Open": l.answer(req, func(_, what string) string { return "act: " + what })}
	}
	_, acted := llm.FindSection(req, "history")
	switch n := l.IntN(10); {
	case n == 0:
		return map[string]any{"Status": "FAIL", "Comment": "I cannot"}
	case n == 1 && !l.honest:
		return map[string]any{"Status": "FINISH", "Result": "done"}
	case n == 2:
		act["Status"] = "FINISH"
		return act
	case !acted || !l.truth[part] && n < 8:
		return act
	}
	return map[string]any{"Status": "FINISH", "Result": "done"}
}

// play plays one run, with a Verify that knows the truth or without one.
func (l *liar) play(t *testing.T, verified bool) (round.Result, error) {
	s := onStage(t)
	l.truth, l.ended, l.said = map[string]bool{}, map[string]string{}, map[string]string{}
	for i := range 1 + l.IntN(4) {
		l.parts = append(l.parts, fmt.Sprintf("part %d", i))
	}
	s.Desktop.AddTools(desktoptest.Tool{Name: "do", Run: func(_ context.Context, call desktoptest.Call) (any, error) {
		part, _ := call.Params["part"].(string)
		switch n := l.IntN(10); {
		case n == 0:
			return nil, errors.New("it is locked")
		case n == 1:
			s.Desktop.Gone(call.App) // and what was done in it is lost
			return nil, desktop.ErrWindowGone
		case n < 4:
			return desktop.Result{Status: desktop.Success, Unverified: "nothing was seen to change"}, nil
		}
		l.truth[part] = true
		return "done", nil
	}})
	s.Desktop.Before(desktop.GetDesktopAppInfo, func(desktoptest.Call) { // somebody opens what is closed
		s.Desktop.Show(s.Word)
		s.Desktop.Show(s.Excel)
	})
	s.Config.Model, s.Config.NoImages, s.Config.MaxReasks, s.Config.MaxReplans = l, true, 20, 20
	s.Options.MaxRepeats = -1
	if verified {
		s.Config.Verify = func(context.Context, proof.Claim) (proof.Finding, error) {
			if missing := l.missing(); len(missing) > 0 {
				return proof.Finding{Verdict: proof.No, Evidence: fmt.Sprint("not done: ", missing)}, nil
			}
			return proof.Finding{Verdict: proof.Yes, By: "who knows it"}, nil
		}
	}
	return s.run("do all of it")
}

func (l *liar) missing() (list []string) {
	for _, part := range l.parts {
		if !l.truth[part] {
			list = append(list, part)
		}
	}
	return list
}

// want is what Partial has to be: what failed or was dropped, and no more.
func (l *liar) want(res round.Result) []string {
	var want []string
	for _, part := range l.parts {
		ended := ""
		for _, s := range res.Subtasks {
			if s.Text == part {
				ended = s.Status
			}
		}
		switch {
		case ended == "", ended == string(fsm.Finish), l.said[part] == "done":
		case l.said[part] == "dropped":
			want = append(want, part+" dropped")
		default:
			want = append(want, part+" failed")
		}
	}
	for _, note := range l.notes {
		if l.said[note] == "dropped" && res.Outcome == round.Finished {
			want = append(want, note+" dropped")
		}
	}
	return want
}

// Random runs with a model that is wrong on purpose: Partial is exactly what failed or was
// dropped; with a Verify that knows the truth no run ends in FINISH wrongly, and right ones do.
func TestScenario56_ModelsThatAreWrong(t *testing.T) {
	right := 0
	for seed := range uint64(sample.Of(500, 50)) {
		l := &liar{Rand: rand.New(rand.NewPCG(seed, 15)), honest: seed%2 == 0}
		verified := seed%4 > 1
		res, err := l.play(t, verified)
		if !assert.True(t, err == nil || errors.Is(err, round.ErrFailed) || errors.Is(err, round.ErrFault), "seed %d: %v", seed, err) {
			return
		}
		var got []string
		for _, undone := range res.Partial {
			if !strings.HasPrefix(undone.Task, "do {") { // an act that its agent gave up
				got = append(got, undone.Task+" "+undone.Status)
			}
		}
		if res.Outcome.Ended() && !errors.Is(err, round.ErrFault) {
			require.ElementsMatch(t, l.want(res), got, "seed %d: %+v", seed, res)
		}
		if verified && res.Outcome == round.Finished {
			require.Empty(t, l.missing(), "seed %d", seed)
			require.Equal(t, proof.Yes, res.Verified.Verdict)
		}
		if verified && len(l.missing()) == 0 && res.Outcome == round.Finished {
			right++
		}
	}
	assert.NotZero(t, right)
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
