package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// State is where a run stands, and what it came to, by its journal.
type State struct {
	Run     string          `json:"run"`
	Request string          `json:"request,omitempty"`
	Rounds  int             `json:"rounds,omitempty"` // how many began
	Meta    json.RawMessage `json:"meta,omitempty"`   // of its Options, when it began

	// Result is that of the last round, without its sub-tasks and its Err. Unfinished: some process drives it, or the
	// process that drove it died; a journal cannot tell which. Where another process goes on with a stopped round, that
	// shows once it has written its first record. Waits has the questions that nobody answered, in the order in which
	// they were asked. Their words are without secrets, and redacted; Command has its secrets, Shown has the command
	// without them. Wakes is when the first wait is over that the step under way has begun (effects.WaitUntil).
	round.Result

	Stage Stage `json:"stage,omitempty"`
	// Due is when somebody can go on with a run that is Waiting, although nobody answered: the last
	// deadline passes, a wait is over, or the run is to be tried again. Zero: never.
	Due   time.Time `json:"due,omitzero"`
	Tries int       `json:"tries,omitempty"` // how often it was postponed or put aside since it last got anywhere

	// Answers are those that people gave in the last round, in their order. Of more than a hundred they are the last ones.
	Answers []Answered `json:"answers,omitempty"`

	New        bool      `json:"-"`                     // of the State that Start returns: it started the run
	ForkedFrom string    `json:"forked_from,omitempty"` // the run that Fork made it of; its questions have the ids that they have there
	Began      time.Time `json:"began,omitzero"`        // when the run began
	Last       time.Time `json:"last,omitzero"`         // when the last record was written
	Seq        int64     `json:"seq"`                   // of the last record
}

// Answered says who answered a question. The text of the answer is in the journal only: it may be a secret.
type Answered struct {
	Question string    `json:"question"`           // its id
	Approval bool      `json:"approval,omitempty"` // a yes was asked for: Approved says whether it was one
	Approved bool      `json:"approved,omitempty"`
	By       string    `json:"by,omitempty"`
	At       time.Time `json:"at"`
}

// maxAnswers is how many answers a State has, since each mark has them.
const maxAnswers = 100

// Stage says what is to happen next with a run.
type Stage string

// The stages of a run.
const (
	Ready   Stage = "ready"   // somebody can go on with it, and may be at work on it
	Waiting Stage = "waiting" // for an answer, or for the time that is Due
	Aside   Stage = "aside"   // it failed too often: it waits for Retry
	Ended   Stage = "ended"   // it has its result, or was cancelled
)

// Ready reports whether somebody can go on with the run now: its Stage is Ready, or Due has passed. After
// somebody set the clock back, no run waits longer than it was to wait.
func (s State) Ready() bool {
	now := time.Now()
	return s.Stage == Ready || s.Stage == Waiting && !s.Due.IsZero() && (!now.Before(s.Due) || now.Before(s.Last.Add(-clockSlack)))
}

// Look reads where a run stands: its journal, or what is behind the mark that a store.Index has. It may be one step
// behind a process that drives the run. Its errors are those of the store, [ErrNoRun], store.ErrVersion, and a
// *store.DamageError behind which the run cannot be read.
func Look(ctx context.Context, in store.Store, run string) (State, error) {
	r, err := read(ctx, in, run)
	if err != nil {
		return State{}, err
	}
	return r.state, nil
}

// reading is what was read of a journal so far.
type reading struct {
	state State
	standing
	closed  map[string]bool // ids of questions; true: answered
	expired map[string]bool // those that nobody answered in time
	partial bool            // closed and expired have not all of them
	scan    records.Scanner
}

// standing is what a mark has of a reading, beside its State.
type standing struct {
	Open      []people.Question        `json:"open,omitempty"`
	Asked     map[string]time.Time     `json:"asked,omitempty"` // by question, when its time began
	Started   bool                     `json:"started,omitempty"`
	Bounds    records.Bounds           `json:"bounds,omitzero"`
	Cancelled bool                     `json:"cancelled,omitempty"`
	Answered  bool                     `json:"answered,omitempty"`  // since the round stopped
	Timers    map[string]records.Timer `json:"timers,omitempty"`    // of the step under way, that are not over
	Postponed *records.Postpone        `json:"postponed,omitempty"` // nil: nobody waits for a time, or a Retry
	Attempted bool                     `json:"attempted,omitempty"` // somebody began to drive it, and got nowhere yet
}

func newReading(run string) *reading {
	return &reading{
		state: State{Run: run}, standing: standing{Timers: map[string]records.Timer{}, Asked: map[string]time.Time{}},
		closed: map[string]bool{}, expired: map[string]bool{}, scan: records.Scanner{Run: run},
	}
}

// read reads a journal behind what the store's mark has of it.
func read(ctx context.Context, in store.Store, run string) (*reading, error) {
	if index, ok := in.(store.Index); ok {
		m, err := index.Marked(ctx, run)
		if err != nil {
			return nil, fmt.Errorf("durable: %w", err)
		}
		if r := readMark(&m); r != nil {
			return r.readOn(ctx, in)
		}
	}
	return readAll(ctx, in, run)
}

// readAll reads a journal from its first record on.
func readAll(ctx context.Context, in store.Store, run string) (*reading, error) {
	return newReading(run).readOn(ctx, in)
}

func (r *reading) readOn(ctx context.Context, in store.Store) (*reading, error) {
	run := r.state.Run
	for entry, err := range in.Read(ctx, run, r.scan.Seq+1) {
		var rec *records.Record
		if err == nil {
			rec, err = r.scan.Read(entry)
		}
		if err != nil {
			return nil, fmt.Errorf("durable: %w", err)
		}
		r.add(rec)
	}
	if r.scan.Seq == 0 {
		return nil, fmt.Errorf("durable: %q: %w", run, ErrNoRun)
	}
	r.whole()
	return r, nil
}

// whole completes the state by what all records say together.
func (r *reading) whole() State {
	s := &r.state
	s.Seq, s.Waits, s.Due, s.Wakes = r.scan.Seq, r.Open, time.Time{}, time.Time{}
	for _, t := range r.Timers {
		if s.Wakes.IsZero() || t.Until.Before(s.Wakes) {
			s.Wakes = t.Until
		}
	}
	switch {
	case r.Cancelled || s.Outcome.Ended():
		s.Stage = Ended
	case r.Postponed != nil && r.Postponed.Until.IsZero():
		s.Stage = Aside
	case r.Postponed != nil:
		s.Stage, s.Due = Waiting, r.Postponed.Until
	case s.Outcome == round.Suspended && (len(r.Open) > 0 || !s.Wakes.IsZero() && !r.Answered):
		s.Stage = Waiting
		if s.Due = lastDeadline(r.Open); s.Due.IsZero() || !s.Wakes.IsZero() && s.Wakes.Before(s.Due) {
			s.Due = s.Wakes
		}
		if r.clockWasSetBack() {
			s.Due = s.Last // whoever drives it has its waits begin anew
		}
	case s.Rounds > 0 || r.Started:
		s.Stage = Ready
	}
	return *s
}

func (r *reading) add(rec *records.Record) {
	s := &r.state
	if s.Last = rec.At; s.Began.IsZero() {
		s.Began = rec.At
	}
	switch {
	case rec.Kind == records.KindRound && rec.Round != nil:
		*s = State{
			Run: s.Run, Rounds: s.Rounds + 1, Tries: s.Tries, Meta: s.Meta, ForkedFrom: s.ForkedFrom, Began: s.Began, Last: s.Last,
			Request: rec.Round.Request,
		}
		if s.Rounds == 1 && !r.Started {
			s.Meta = rec.Round.Meta
		}
		if len(rec.Round.Stack) > 0 {
			s.Agent = rec.Round.Stack[0].Agent
		}
		r.Postponed = nil
		r.close(nil)
		clear(r.Timers)
	case rec.Kind == records.KindFork && rec.Fork != nil:
		s.ForkedFrom, r.Attempted = rec.Fork.Run, false
	case r.addStage(rec):
	case rec.Kind == records.KindResume:
		s.Outcome, s.Reason, r.Postponed = round.Unfinished, "", nil
	case rec.Kind == records.KindTimer && rec.Timer != nil:
		if r.Timers[rec.Timer.Key] = *rec.Timer; rec.Timer.Over {
			delete(r.Timers, rec.Timer.Key)
		}
	case rec.Kind == records.KindAsk && rec.Ask != nil:
		r.Open, r.Asked[rec.Ask.ID] = append(r.Open, rec.Ask.Legible()), rec.Ask.Asked
	case rec.Kind == records.KindAnswer && rec.Answer != nil:
		s.Tries, r.Postponed, r.Attempted = 0, nil, false
		r.closed[rec.Answer.ID], r.Answered = true, true
		r.expired[rec.Answer.ID] = errors.Is(recorded(rec.Answer.Err), people.ErrTimeout)
		if a := rec.Answer; a.Err == nil {
			last := s.Answers[max(0, len(s.Answers)+1-maxAnswers):]
			s.Answers = append(slices.Clip(last), Answered{Question: a.ID, Approval: a.Approval, Approved: a.Approved, By: a.By, At: rec.At})
		}
		r.Open = slices.DeleteFunc(r.Open, func(q people.Question) bool { return q.ID == rec.Answer.ID })
		switch n := len(r.Open); { // the reason of the stop names what was asked then
		case s.Outcome != round.Suspended:
		case n == 0:
			s.Reason = "answered: somebody can go on with it"
		default:
			s.Reason = fmt.Sprintf("questions without an answer: %d", n)
		}
	case rec.Step != nil && slices.Contains([]string{records.KindStep, records.KindStop, records.KindEnd}, rec.Kind):
		s.at(rec.Step)
		r.close(rec.Step.Waits)
		r.Answered, r.Attempted = false, false
		if r.Postponed = nil; rec.Kind == records.KindStep || len(r.Open) > 0 {
			s.Tries = 0
		}
		if rec.Kind != records.KindStop {
			clear(r.Timers)
		}
	}
}

// addStage takes a record of what somebody wants of the run, and reports whether it is one.
func (r *reading) addStage(rec *records.Record) bool {
	s := &r.state
	switch {
	case rec.Kind == records.KindStart && rec.Start != nil:
		r.Started, r.Bounds = true, rec.Start.Bounds
		s.Request, s.Meta = rec.Start.Request, rec.Start.Meta
	case rec.Kind == records.KindCancel && rec.Cancel != nil:
		r.Cancelled = true
		s.Outcome, s.Reason = round.Cancelled, rec.Cancel.Reason
		r.close(nil)
	case rec.Kind == records.KindPostpone && rec.Postpone != nil:
		r.Postponed, s.Reason, r.Attempted = rec.Postpone, rec.Postpone.Reason, false
		s.Tries++
	case rec.Kind == records.KindDrive:
		if r.Attempted {
			s.Tries++
			s.Reason = records.Died
		}
		r.Attempted, r.Postponed = true, nil
	case rec.Kind == records.KindLeave:
		r.Postponed, r.Attempted, s.Reason = nil, false, records.Left
	case rec.Kind == records.KindRetry && rec.Retry != nil:
		if r.Postponed != nil {
			s.Reason = "retried: somebody can go on with it"
		}
		r.Postponed, r.Attempted, s.Tries = nil, false, 0
		if rec.Retry.Bounds != nil {
			r.Bounds = *rec.Retry.Bounds
		}
	default:
		return false
	}
	return true
}

func (s *State) at(step *records.Step) {
	if n := len(step.Stack); n > 0 {
		s.Agent, s.Status = step.Stack[n-1].Agent, step.Stack[n-1].Status
	}
	s.Outcome, s.Answer, s.Reason, s.Partial, s.Verified = round.Unfinished, "", "", nil, nil
	if res := step.Result; res != nil {
		if res.Status != "" {
			s.Status = res.Status
		}
		s.Outcome, s.Answer, s.Reason, s.Partial, s.Verified = res.Outcome, res.Answer, res.Reason, res.Partial, res.Verified
	}
	s.Steps, s.Transitions, s.Calls = step.Used.Steps, step.Used.Transitions, step.Used.Calls
	s.Usage, s.Cost = step.Used.Usage, step.Used.Cost
}

// close ends all questions but those that still wait.
func (r *reading) close(waits []records.Ask) {
	was := map[string]bool{}
	for _, q := range r.Open {
		was[q.ID] = r.closed[q.ID]
	}
	r.Open = nil
	clear(r.Asked)
	for _, ask := range waits {
		if ask.Answer != nil {
			r.closed[ask.ID] = true
			r.expired[ask.ID] = errors.Is(recorded(ask.Answer.Err), people.ErrTimeout)
			continue
		}
		delete(was, ask.ID)
		r.Open, r.Asked[ask.ID] = append(r.Open, ask.Legible()), ask.Asked
	}
	maps.Copy(r.closed, was)
}
