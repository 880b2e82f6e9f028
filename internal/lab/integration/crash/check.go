package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/round"
)

// history is all that is known of a run that has ended.
type history struct {
	Run     string
	Kinds   []string   // of its records
	Kills   []position // where the journal ended when a driver died or lost the run
	End     outcome
	State   deskState
	Answers map[string]string // those in the journal, by the id of the question
	Given   map[string]string // and those that counted
	// Taken says that its store takes runs from a process that stands still. That one may send what it had decided when it
	// goes on, and the desktop refuses it.
	Taken bool
	Log   []event
	Story []string // its records, and what the desktop did between them
}

// outcome is how a run ended.
type outcome struct {
	Outcome     round.Outcome
	Answer      string
	Subtasks    string // JSON
	Transitions int
}

// killed says where the kills fell.
func (h *history) killed() string {
	if len(h.Kills) == 0 {
		return "not killed"
	}
	var where []string
	for _, at := range h.Kills {
		where = append(where, at.window(h.Log).String())
	}
	return "killed " + strings.Join(where, ", ")
}

func count(events []event, what string) (n int) {
	for _, e := range events {
		if e.What == what {
			n++
		}
	}
	return n
}

// calls returns how often the model was asked, whatever became of the answer.
func (h *history) calls() int { return count(h.Log, evCall) }

// acts returns how often each act was executed, in the order in which they began.
func (h *history) acts() (order []string, times map[string]int) {
	times = map[string]int{}
	for _, e := range h.Log {
		if e.What != evBegin {
			continue
		}
		if times[e.Act]++; times[e.Act] == 1 {
			order = append(order, e.Act)
		}
	}
	return order, times
}

// doubles returns how many executions were one too many.
func (h *history) doubles() (n int) {
	_, times := h.acts()
	for _, t := range times {
		n += t - 1
	}
	return n
}

// minSteps is how long the round must be at least.
const minSteps = 30

// checkCalm says what is wrong with a run that nobody disturbed: whether it is worth to
// compare others with.
func checkCalm(h *history) (wrong []string) {
	if h.End.Outcome != "FINISH" || h.End.Transitions < minSteps {
		wrong = append(wrong, fmt.Sprintf("it ended as %q after %d steps, wanted FINISH after at least %d", h.End.Outcome, h.End.Transitions, minSteps))
	}
	want := deskState{Published: 1}
	for n := range allRows {
		want.Rows = append(want.Rows, fmt.Sprint(n+1))
	}
	for n := range allLines {
		want.Lines = append(want.Lines, fmt.Sprintf("line %d", n+1))
	}
	if !reflect.DeepEqual(h.State, want) {
		wrong = append(wrong, fmt.Sprintf("the desktop ended as %v, wanted %v", h.State, want))
	}
	if order, _ := h.acts(); len(order) != allRows+allLines+1 {
		wrong = append(wrong, fmt.Sprintf("%d acts, wanted %d", len(order), allRows+allLines+1))
	}
	return append(wrong, checkRun(h, h, 1)...)
}

// checkRun says how a run differs from an undisturbed one in what no kill may change. So many model calls may be under
// way at once.
func checkRun(calm, h *history, together int) (wrong []string) {
	differ := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			wrong = append(wrong, fmt.Sprintf("%s: %v, undisturbed: %v", what, got, want))
		}
	}
	differ("outcome", h.End.Outcome, calm.End.Outcome)
	differ("answer", h.End.Answer, calm.End.Answer)
	differ("sub-tasks", h.End.Subtasks, calm.End.Subtasks)
	differ("desktop", h.State, calm.State)
	if got, most := h.calls(), calm.calls()+together*len(h.Kills); got > most {
		wrong = append(wrong, fmt.Sprintf("%d model calls after %d kills, undisturbed: %d", got, len(h.Kills), calm.calls()))
	}
	order, times := h.acts()
	wanted, _ := calm.acts()
	for _, act := range wanted {
		if times[act] == 0 {
			wrong = append(wrong, "never executed: "+act)
		}
	}
	for _, act := range order {
		if !slices.Contains(wanted, act) {
			wrong = append(wrong, "not executed undisturbed: "+act)
		}
	}
	return append(wrong, checkActs(h)...)
}

// checkActs says whether an act was executed twice, not to its end, or for a driver that had lost the run.
func checkActs(h *history) (wrong []string) {
	order, times := h.acts()
	for _, act := range order {
		if times[act] > 1 {
			wrong = append(wrong, fmt.Sprintf("executed %d times: %s (%s)", times[act], act, executions(h.Log, act)))
		}
	}
	if begun, ended := count(h.Log, evBegin), count(h.Log, evEnd); begun != ended {
		wrong = append(wrong, fmt.Sprintf("%d acts began and %d ended", begun, ended))
	}
	if n := count(h.Log, evStale); n > 0 && !h.Taken {
		wrong = append(wrong, fmt.Sprintf("%d acts of a driver that had lost its run", n))
	}
	return wrong
}

// executions says when an act was executed.
func executions(log []event, act string) string {
	var list []string
	for _, e := range log {
		if e.What == evBegin && e.Act == act {
			list = append(list, fmt.Sprintf("driver %d, line %d of the log", e.Life, e.Seq))
		}
	}
	return strings.Join(list, "; ")
}
