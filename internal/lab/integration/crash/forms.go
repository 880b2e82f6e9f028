package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// form is a kind of run.
type form struct {
	name  string
	calls int // that may be under way at once, and be lost with their process
	agent func(d *remoteDesktop, inner store.Store) (fsm.Worker, error)
	whole func(h *history) []string // what is wrong with one that nobody disturbed

	unanswered bool // nobody answers its question
	cancelled  bool // somebody cancels it at some moment
}

// forms are those that there are: a run has the name of its own behind the last "-".
var forms = []*form{
	{name: "host", calls: 1, whole: checkCalm, agent: func(d *remoteDesktop, _ store.Store) (fsm.Worker, error) {
		return hostagent.New(hostagent.Config{
			Config: appagent.Config{Model: remoteModel(d), Desktop: d, User: people.Later(), Board: blackboard.New(0)},
		})
	}},
	{name: "crew", calls: crewSize, whole: checkCrew, agent: func(d *remoteDesktop, inner store.Store) (fsm.Worker, error) {
		return newCrew(d, inner), nil
	}},
	{name: "teller", whole: checkCrew, agent: tells(sleep)},
	{name: "late", whole: checkCrew, agent: tells(askInVain), unanswered: true},
	{name: "cancelled", whole: checkCancelled, agent: tells(sleepOn), cancelled: true},
}

func tells(pause func(context.Context) error) func(*remoteDesktop, store.Store) (fsm.Worker, error) {
	return func(d *remoteDesktop, _ store.Store) (fsm.Worker, error) { return newTeller(d, pause), nil }
}

func formOf(run string) *form {
	for _, f := range forms {
		if strings.HasSuffix(run, "-"+f.name) {
			return f
		}
	}
	return nil
}

// makes returns the agent of a run. The token is larger than those of agents of the run that were made before.
func makes(run string, token int64, world string, inner store.Store) (fsm.Worker, error) {
	f := formOf(run)
	if f == nil {
		return nil, fmt.Errorf("crash: run %q has no form", run)
	}
	return f.agent(&remoteDesktop{address: world, run: run, token: token, life: &life{}}, inner)
}

const request = "make the report"

// options are those under which nothing stops a run.
func options() *round.Options {
	return &round.Options{MaxSteps: -1, MaxTransitions: 400, MaxRepeats: -1}
}

// checkCrew is that of a crew, and of a teller: all rows are there.
func checkCrew(h *history) (wrong []string) {
	want := deskState{}
	for n := range allRows {
		want.Rows = append(want.Rows, fmt.Sprint(n+1))
	}
	if h.End.Outcome != "FINISH" || !reflect.DeepEqual(h.State, want) {
		wrong = append(wrong, fmt.Sprintf("it ended as %q with the desktop %v, wanted FINISH and %v", h.End.Outcome, h.State, want))
	}
	return wrong
}

// checkCancelled is that of a run that somebody cancelled: what it did until then is there, once.
func checkCancelled(h *history) (wrong []string) {
	if h.End.Outcome != "CANCELLED" {
		wrong = append(wrong, fmt.Sprintf("it ended as %q, wanted CANCELLED", h.End.Outcome))
	}
	if len(h.State.Rows) > tellerRests {
		wrong = append(wrong, fmt.Sprintf("it has the rows %v, and was cancelled before the fifth", h.State.Rows))
	}
	for i, row := range h.State.Rows {
		if row != fmt.Sprint(i+1) {
			wrong = append(wrong, fmt.Sprintf("its rows are %v", h.State.Rows))
			break
		}
	}
	return append(wrong, checkActs(h)...)
}

// checkForm is checkRun of a run that several processes may have driven by turns.
func checkForm(f *form, calm, h *history) (wrong []string) {
	if f.cancelled {
		return f.whole(h) // when it was cancelled is another time each time
	}
	wrong = checkRun(calm, h, f.calls)
	for id, text := range h.Answers {
		if given := h.Given[id]; given != text {
			wrong = append(wrong, fmt.Sprintf("question %s: the answer is %q, and %q was given", id, text, given))
		}
	}
	if len(h.Answers) != len(h.Given) {
		wrong = append(wrong, fmt.Sprintf("%d answers are in the journal, and %d were given", len(h.Answers), len(h.Given)))
	}
	return wrong
}
