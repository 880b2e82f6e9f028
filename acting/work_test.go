package acting_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// A decision and its acts, where they lead, and what is kept.
func TestWorkPerform(t *testing.T) {
	golden.Cases(t, "work.txt", func(text string) string {
		head, tools, _ := strings.Cut(text, ":")
		status, reason, _ := strings.Cut(head, " ")
		wish := acting.Wish{To: fsm.Status(status), Reason: reason}
		if own, ok := strings.CutPrefix(reason, "by the kind"); ok {
			wish.By, wish.Reason = fsm.BySystem, own
		}
		d, actor := bench(t, nil)
		var w acting.Work
		p, next, err := w.Perform(t.Context(), actor, acts(strings.Fields(tools)...), wish)
		require.NoError(t, err)
		assert.Same(t, p.Approval, w.Approval)
		assert.Equal(t, p.Problem(), w.LastError)
		if wish.To != fsm.Fail {
			assert.Len(t, p.Acted, len(strings.Fields(tools)))
		}
		return fmt.Sprintf("%s by %s %q\n%d executed, did something: %t, waits for approval: %t", next.To, next.By, next.Reason, len(d.Log()), w.Did, w.Approval != nil)
	})
	_, actor := bench(t, nil)
	p, to, err := (&acting.Work{}).Perform(t.Context(), actor, acts("fly"), acting.Wish{To: fsm.Finish})
	require.ErrorIs(t, err, desktop.ErrUnknownTool)
	assert.Zero(t, to)
	assert.Len(t, p.Acted, 1)
}

// What the state needs in which a decision leads is kept with the decision: its status, its
// words and its result.
func TestWorkKeepsWhatItsStateNeeds(t *testing.T) {
	golden.Cases(t, "kept.txt", func(text string) string {
		head, result, _ := strings.Cut(text, " = ")
		status, reason, _ := strings.Cut(head, ": ")
		wish := acting.Wish{To: fsm.Status(status), Reason: reason, Questions: []string{"q"}, Result: json.RawMessage(result)}
		var w acting.Work
		_, next, err := w.Perform(t.Context(), &acting.Actor{NewID: func() string { return "id" }}, nil, wish)
		require.NoError(t, err)
		assert.Equal(t, wish.To, next.To)
		raw, err := json.Marshal(w)
		require.NoError(t, err)
		return string(raw)
	})
}

// What goes wrong after the acts counts like an act that failed.
func TestWorkWaitsForWhatFollows(t *testing.T) {
	for name, c := range map[string]struct {
		acts    []acting.Act
		problem string
		err     error
		told    int // of how many acts After is told
		wish    fsm.Status
		want    fsm.Status
		said    string // the last error
	}{
		"nothing follows":     {acts("write"), "", nil, 1, fsm.Finish, fsm.Finish, ""},
		"no window":           {acts("write"), "no window", nil, 1, fsm.Finish, fsm.Continue, "no window"},
		"no window, to ask":   {acts("write"), "no window", nil, 1, fsm.Pending, fsm.Pending, "no window"},
		"no window, approval": {acts("write", "erase"), "no window", nil, 2, fsm.Finish, fsm.Confirm, "no window"},
		"after a failure":     {acts("break"), "no window", nil, 1, fsm.Finish, fsm.Continue, "no window"},
		"cancelled":           {acts("write"), "", errBroken, 1, fsm.Finish, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, actor := bench(t, nil)
			actor.After = func(_ context.Context, acted []acting.Acted) (string, error) {
				assert.Len(t, acted, c.told)
				return c.problem, c.err
			}
			var w acting.Work
			_, next, err := w.Perform(t.Context(), actor, c.acts, acting.Wish{To: c.wish})
			require.ErrorIs(t, err, c.err)
			assert.Equal(t, c.want, next.To)
			assert.Equal(t, c.said, w.LastError)

			w = *waitingFor(c.acts[0])
			w.Approval.Granted = true
			c.told = 1
			_, err = w.PerformApproved(t.Context(), actor, "")
			require.ErrorIs(t, err, c.err)
			assert.Equal(t, c.said, w.LastError, "approved")
			assert.Len(t, w.Memory.Memos(), 1)
		})
	}
}

// people are who may be asked: a person with these answers, or nobody.
func peopled(text string) people.User {
	if text == "nobody" {
		return nil
	}
	user := answers()
	for word := range strings.SplitSeq(text, ", ") {
		switch word {
		case "away":
		case "yes", "no":
			user.answers = append(user.answers, word == "yes")
		case "broken":
			user.answers = append(user.answers, errBroken)
		default:
			user.answers = append(user.answers, strings.Trim(word, `"`))
		}
	}
	return user
}

// Questions or an event, what is answered, and what is decided.
func TestWorkPending(t *testing.T) {
	golden.Cases(t, "pending.txt", func(text string) (said string) {
		synctest.Test(t, func(t *testing.T) {
			asks, answer, _ := strings.Cut(text, ": ")
			var w acting.Work
			event, ok := strings.CutPrefix(asks, "event ")
			if !ok {
				event, w = "", pending(t, strings.Fields(asks)...)
			}
			board := blackboard.New(0)
			d, err := w.Pending(t.Context(), &acting.Actor{Agent: "clerk", User: peopled(answer), Board: board, NewID: counted()}, strings.Trim(event, "-"))
			require.NoError(t, err)
			assert.Nil(t, w.Interview, "nothing is waited for any more")
			onBoard, _, err := blackboard.NewKey[[]boarddata.QuestionAnswer](boarddata.Answers).Get(board)
			require.NoError(t, err)
			assert.Len(t, onBoard, len(w.Answers))
			said = fmt.Sprintf("%s by %s %q", d.To, d.By, d.Reason)
			for i, e := range w.Answers {
				assert.Equal(t, boarddata.QuestionAnswer{Agent: "clerk", Question: e.Question, Answer: e.Answer}, onBoard[i])
				said += fmt.Sprintf("\n%q %q", e.Question, e.Answer)
			}
		})
		return said
	})
}

// A run that stops in the middle asks only what is open, also in another
// process. Before it stops all questions are asked, so that each can be answered.
func TestWorkPendingGoesOn(t *testing.T) {
	w := pending(t, "one?", "two?", "three?")
	first := answers("1", errSuspended, errSuspended)
	_, err := w.Pending(t.Context(), &acting.Actor{User: first}, "")
	require.ErrorIs(t, err, fsm.ErrSuspend)

	raw, err := json.Marshal(w)
	require.NoError(t, err)
	var back acting.Work
	require.NoError(t, json.Unmarshal(raw, &back))
	second := answers("2", "3")
	d, err := back.Pending(t.Context(), &acting.Actor{User: second}, "")
	require.NoError(t, err)
	assert.Equal(t, fsm.Continue, d.To)
	assert.Len(t, back.Answers, 3)
	require.Len(t, first.asked, 3)
	assert.Equal(t, first.asked[1:], second.asked, "the same questions, the same ids")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.Pending(ctx, &acting.Actor{User: answers("2")}, "")
	require.ErrorIs(t, err, context.Canceled)
	assert.NotNil(t, w.Interview)
}

func TestWorkPendingWithFullBoard(t *testing.T) {
	w := pending(t, "one?", "two?")
	_, err := w.Pending(t.Context(), &acting.Actor{User: answers("1", "2"), Board: blackboard.New(1)}, "")
	require.ErrorIs(t, err, blackboard.ErrFull)
	assert.Len(t, w.Answers, 2, "they were answered all the same")
}

// Whether the target of an act is still there, what a person says, and what is decided.
func TestWorkConfirm(t *testing.T) {
	golden.Cases(t, "confirm.txt", func(text string) (said string) {
		synctest.Test(t, func(t *testing.T) {
			target, answer, _ := strings.Cut(text, ": ")
			actor := &acting.Actor{User: peopled(answer)}
			if target != "not looked" {
				actor.Look = looks(target)
			}
			w := waitingFor(write(map[string]any{"n": 1}))
			d, err := w.Confirm(t.Context(), actor, "")
			require.NoError(t, err)
			said = fmt.Sprintf("%s by %s %q", d.To, d.By, d.Reason)
			if w.Approval != nil {
				said += fmt.Sprintf("\nto be executed: %t", w.Approval.Granted)
			}
			if w.LastError != "" {
				said += "\nthe model is told: " + w.LastError
			}
		})
		return said
	})
	w := waitingFor(write(nil))
	_, err := w.Confirm(t.Context(), &acting.Actor{User: answers(errSuspended)}, "")
	require.ErrorIs(t, err, fsm.ErrSuspend)
	assert.NotNil(t, w.Approval, "it is asked again")
}

// A run may stop between an answer and the step that it causes. Whoever goes on,
// here in another process, is not asked again and decides the same.
func TestWorkKeepsWhatWasSettled(t *testing.T) {
	inPending := func(w *acting.Work, actor *acting.Actor, comment string) (fsm.Decision, error) {
		return w.Pending(t.Context(), actor, comment)
	}
	inConfirm := func(w *acting.Work, actor *acting.Actor, comment string) (fsm.Decision, error) {
		actor.Look = looks("book")
		return w.Confirm(t.Context(), actor, comment)
	}
	changed := acting.NewApproval("a1", acting.Act{Target: "elsewhere"}, "")
	for name, c := range map[string]struct {
		work  acting.Work
		state func(*acting.Work, *acting.Actor, string) (fsm.Decision, error)
		user  *person
		want  fsm.Status
	}{
		"an interview":     {pending(t, "one?"), inPending, answers("1"), fsm.Continue},
		"an event":         {acting.Work{}, inPending, answers("now"), fsm.Continue},
		"nobody's answer":  {acting.Work{}, inPending, answers(errBroken), fsm.Fail},
		"a rejection":      {*waitingFor(write(nil)), inConfirm, answers(false), fsm.Fail},
		"not to go on":     {acting.Work{}, inConfirm, answers(false), fsm.Fail},
		"to go on":         {acting.Work{}, inConfirm, answers(true), fsm.Continue},
		"a changed target": {acting.Work{Approval: changed}, inConfirm, answers(), fsm.Continue},
	} {
		t.Run(name, func(t *testing.T) {
			w, board := c.work, blackboard.New(0)
			first, err := c.state(&w, &acting.Actor{User: c.user, Board: board}, "the mail")
			require.NoError(t, err)
			assert.Equal(t, c.want, first.To)
			kept := board.Size()

			raw, err := json.Marshal(w)
			require.NoError(t, err)
			var back acting.Work
			require.NoError(t, json.Unmarshal(raw, &back))
			silent := answers()
			again, err := c.state(&back, &acting.Actor{User: silent, Board: board}, first.Reason)
			require.NoError(t, err)
			assert.Equal(t, first, again)
			assert.Empty(t, silent.asked)
			assert.Equal(t, kept, board.Size(), "answers are kept once")

			next := answers(errSuspended)
			_, err = c.state(&back, &acting.Actor{User: next}, "the next mail")
			require.ErrorIs(t, err, fsm.ErrSuspend)
			assert.Len(t, next.asked, 1, "another question is asked")
		})
	}
}

// What a person said in PENDING is no Yes in CONFIRM, even where both have the same words.
func TestWorkSettlesPendingAndConfirmApart(t *testing.T) {
	user := answers("done", true)
	by := &acting.Actor{User: user, Board: blackboard.New(0)}
	var w acting.Work
	first, err := w.Pending(t.Context(), by, "tell me when you have paid")
	require.NoError(t, err)
	_, err = w.Confirm(t.Context(), by, first.Reason)
	require.NoError(t, err)
	require.Len(t, user.asked, 2, "the person is asked in CONFIRM, too")
}

func TestWorkPerformApproved(t *testing.T) {
	moved := []string{"write failure: it was not executed: its target changed after the user was asked: look again, then ask again"}
	another := []string{"write failure: it was not executed: the call changed after the user was asked: ask again"}
	write2 := map[string]any{"n": 2}
	for name, c := range map[string]struct {
		user     *person
		look     acting.Look
		policy   policies.Func
		now      map[string]any
		want     []string
		executed int
	}{
		"once":                  {user: answers(true), look: looks("book"), want: []string{"write success"}, executed: 1},
		"without a look":        {user: answers(true), want: []string{"write success"}, executed: 1},
		"still to be confirmed": {user: answers(true), policy: verdicts(map[string]policies.Verdict{"write": {}}), want: []string{"write success"}, executed: 1},
		"denied by now": {user: answers(true), policy: verdicts(map[string]policies.Verdict{"write": {Action: policies.Deny, Reason: "too late"}}),
			want: []string{"write failure: denied by policy: too late"}},
		"target changed":   {user: answers(true), look: looks("other"), want: moved},
		"another argument": {user: answers(true), now: write2, want: another},
		"nobody was asked": {look: looks("book"), want: []string{"write skipped: nobody was asked to approve it"}},
		"nothing to do":    {user: answers(false), look: looks("book")},
	} {
		t.Run(name, func(t *testing.T) {
			d, actor := bench(t, c.policy)
			w := waitingFor(write(map[string]any{"n": 1}))
			if c.user != nil {
				_, err := w.Confirm(t.Context(), &acting.Actor{User: c.user}, "")
				require.NoError(t, err)
			}
			if c.now != nil {
				w.Approval.Act.Command.Parameters = c.now
			}
			actor.Look = c.look
			p, err := w.PerformApproved(t.Context(), actor, "subtask_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, became(p))
			assert.Nil(t, w.Approval)
			assert.Equal(t, p.Problem(), w.LastError)
			assert.Len(t, w.Memory.Memos(), len(c.want))
			for _, memo := range w.Memory.Memos() {
				assert.Equal(t, "subtask_1 after approval", memo.Task+" "+memo.Note)
				assert.Len(t, memo.Actions, 1)
			}

			p, err = w.PerformApproved(t.Context(), actor, "subtask_1")
			require.NoError(t, err)
			assert.Zero(t, p, "never twice")
			assert.Len(t, d.Log(), c.executed)
		})
	}

	// Whatever happens while it is executed, it is not executed again.
	d, actor := bench(t, nil)
	d.On("write", func(context.Context, desktoptest.Call) (any, error) { panic("out of handles") })
	w := &acting.Work{Approval: granted(t, write(nil))}
	assert.Panics(t, func() { _, _ = w.PerformApproved(t.Context(), actor, "") })
	assert.Zero(t, *w)
}

// Models write [""] for no questions. Nobody is asked nothing.
func TestInterviewOfBlankQuestions(t *testing.T) {
	asked := func(questions []string, comment string) []string {
		user := answers("1", "2")
		actor := &acting.Actor{User: user}
		w := wishes(t, actor, acting.Wish{To: fsm.Pending, Reason: comment, Questions: questions})
		_, err := w.Pending(t.Context(), actor, comment)
		require.NoError(t, err)
		var texts []string
		for _, q := range user.asked {
			texts = append(texts, q.Text)
		}
		return texts
	}
	for _, blank := range [][]string{{""}, {" ", "\n"}, {}, nil, {"\u200b"}, {"\u2800", "\u00a0\ufe0f"}} {
		assert.Equal(t, []string{"waiting for the courier"}, asked(blank, "waiting for the courier"))
	}
	for _, comment := range []string{"", " ", "\n\t", "\u200b"} {
		assert.Equal(t, []string{"Waiting for an event."}, asked(nil, comment))
	}
	assert.Equal(t, []string{"which file?"}, asked([]string{"", "which file?", " "}, "why"))
}

// A text is no approval, whatever it says. Where it means a yes, the reason says what one is.
func TestTextIsNoApproval(t *testing.T) {
	for text, want := range map[string]string{
		"yes":               `not approved: write: the answer is the text "yes", and not Approved: true`,
		" OK. ":             `not approved: write: the answer is the text "OK", and not Approved: true`,
		"true":              `not approved: write: the answer is the text "true", and not Approved: true`,
		"no":                "not approved: write: no",
		"yes, but tomorrow": "not approved: write: yes, but tomorrow",
		"":                  "not approved: write",
	} {
		user := answers(text, text)
		w := waitingFor(write(nil))
		d, err := w.Confirm(t.Context(), &acting.Actor{User: user, Board: blackboard.New(0), Look: looks("book")}, "")
		require.NoError(t, err)
		assert.Equal(t, fsm.Fail, d.To)
		assert.Equal(t, want, d.Reason)
		w = &acting.Work{}
		d, err = w.Confirm(t.Context(), &acting.Actor{User: user, Board: blackboard.New(0)}, "the mail")
		require.NoError(t, err)
		assert.Equal(t, strings.Replace(want, "not approved: write", "the mail", 1), d.Reason)
	}
}
