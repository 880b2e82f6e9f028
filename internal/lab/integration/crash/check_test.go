package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/round"
)

// fabricated is the history of a run as it should be.
func fabricated() *history {
	h := &history{
		Run: "run",
		End: outcome{Outcome: round.Finished, Answer: "all is done", Subtasks: `[{"id":"1"},{"id":"2"}]`, Transitions: minSteps},
	}
	act := func(name string) {
		h.Log = append(h.Log, event{What: evCall}, event{What: evReply})
		for _, what := range []string{evGot, evBegin, evEnd} {
			h.Log = append(h.Log, event{What: what, Act: name, Life: 1, Call: name, Seq: len(h.Log) + 1})
		}
	}
	for n := range allRows {
		h.State.Rows = append(h.State.Rows, fmt.Sprint(n+1))
		act(fmt.Sprintf("add_row%d", n+1))
	}
	for n := range allLines {
		h.State.Lines = append(h.State.Lines, fmt.Sprintf("line %d", n+1))
		act(fmt.Sprintf("add_line%d", n+1))
	}
	h.State.Published = 1
	act("publish")
	return h
}

func TestTheCheckNotices(t *testing.T) {
	calm := fabricated()
	require.Empty(t, checkCalm(calm))
	for name, c := range map[string]struct {
		change func(h *history)
		want   string // "": nothing is wrong
	}{
		"nothing": {change: func(*history) {}},
		"a model call for each kill": {change: func(h *history) {
			h.Kills = make([]position, 2)
			h.Log = append(h.Log, event{What: evCall}, event{What: evCall})
		}},
		"an act that was dropped": {change: func(h *history) {
			h.Log = append(h.Log, event{What: evGot, Act: "publish"}, event{What: evGone, Act: "publish"})
		}},

		"a double execution": {want: "executed 2 times: publish (driver 1, line 114 of the log; driver 2, line 170 of the log)", change: func(h *history) {
			h.Log = append(h.Log, event{What: evBegin, Act: "publish", Life: 2, Seq: 170}, event{What: evEnd, Act: "publish"})
		}},
		"a double that the state shows": {want: "desktop: {", change: func(h *history) { h.State.Published = 2 }},
		"an act that never was": {want: "never executed: publish", change: func(h *history) {
			h.Log = h.Log[:len(h.Log)-3]
		}},
		"an act of its own": {want: "not executed undisturbed: format", change: func(h *history) {
			h.Log = append(h.Log, event{What: evBegin, Act: "format"}, event{What: evEnd, Act: "format"})
		}},
		"half an act": {want: "23 acts began and 22 ended", change: func(h *history) { h.Log = h.Log[:len(h.Log)-1] }},
		"an act of a worker that lost its run": {want: "1 acts of a driver that had lost its run", change: func(h *history) {
			h.Log = append(h.Log, event{What: evGot, Act: "publish"}, event{What: evStale, Act: "publish"})
		}},
		"a lost sub-task": {want: `sub-tasks: [{"id":"1"}], undisturbed:`, change: func(h *history) { h.End.Subtasks = `[{"id":"1"}]` }},
		"another answer":  {want: "answer: done, undisturbed: all is done", change: func(h *history) { h.End.Answer = "done" }},
		"another outcome": {want: "outcome: FAIL, undisturbed: FINISH", change: func(h *history) { h.End.Outcome = round.Failed }},
		"a model call too many": {want: "24 model calls after 0 kills, undisturbed: 23", change: func(h *history) {
			h.Log = append(h.Log, event{What: evCall})
		}},
		"two more after one kill": {want: "25 model calls after 1 kills, undisturbed: 23", change: func(h *history) {
			h.Kills = make([]position, 1)
			h.Log = append(h.Log, event{What: evCall}, event{What: evCall})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := fabricated()
			c.change(h)
			wrong := checkRun(calm, h, 1)
			if c.want == "" {
				assert.Empty(t, wrong)
				return
			}
			require.NotEmpty(t, wrong)
			err := (&settings{seed: 7}).violated("files", h, wrong)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "crash: files, seed 7, run "+h.Run+" (")
		})
	}
}

// A run that is not worth to compare with is none to compare with.
func TestACalmRunIsWholeAndLong(t *testing.T) {
	for want, change := range map[string]func(h *history){
		`ended as "FINISH" after 29 steps`: func(h *history) { h.End.Transitions-- },
		`ended as "FAIL" after 30 steps`:   func(h *history) { h.End.Outcome = round.Failed },
		"the desktop ended as":             func(h *history) { h.State.Rows = nil },
		"22 acts, wanted 23":               func(h *history) { h.Log = h.Log[5:] },
	} {
		h := fabricated()
		change(h)
		assert.ErrorContains(t, (&settings{}).violated("x", h, checkCalm(h)), want)
	}
	assert.NoError(t, (&settings{}).violated("x", nil, nil))
}

// What a service may do that one worker may not is checked as well.
func TestTheCheckOfAServiceNotices(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *history)
		want   string // "": nothing is wrong
	}{
		"nothing": {change: func(*history) {}},
		"three calls at once, lost with their process": {change: func(h *history) {
			h.Kills = make([]position, 1)
			h.Log = append(h.Log, event{What: evCall}, event{What: evCall}, event{What: evCall})
		}},
		"four": {want: "27 model calls after 1 kills", change: func(h *history) {
			h.Kills = make([]position, 1)
			h.Log = append(h.Log, event{What: evCall}, event{What: evCall}, event{What: evCall}, event{What: evCall})
		}},
		"an act of a process that stood still": {change: func(h *history) {
			h.Taken = true
			h.Log = append(h.Log, event{What: evStale, Act: "publish"})
		}},
		"and that was executed": {want: "executed 2 times: publish", change: func(h *history) {
			h.Taken = true
			h.Log = append(h.Log, event{What: evBegin, Act: "publish"}, event{What: evEnd, Act: "publish"})
		}},
		"an answer that did not count": {want: `question q: the answer is "very large", and "large" was given`, change: func(h *history) {
			h.Answers["q"] = "very large"
		}},
		"an answer that was lost": {want: "0 answers are in the journal, and 1 were given", change: func(h *history) { delete(h.Answers, "q") }},
	} {
		t.Run(name, func(t *testing.T) {
			h := fabricated()
			h.Answers, h.Given = map[string]string{"q": "large"}, map[string]string{"q": "large"}
			c.change(h)
			wrong := fmt.Sprint(checkForm(&form{calls: 3}, fabricated(), h))
			if c.want == "" {
				assert.Equal(t, "[]", wrong)
				return
			}
			assert.Contains(t, wrong, c.want)
		})
	}
}
