package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// enterprise is a store with runs, two processes that drive them, and one that answers.
type enterprise struct {
	*lab
	kind    string // of the store
	place   string
	engine  string // "": that of package runs
	at      string // where it is
	store   store.Store
	service *runs.Service // it drives nothing

	drivers  []*staff
	answerer *staff
	killed   int
	frozen   int
	restart  func(context.Context) error // of the database; nil: it has none

	mu       sync.Mutex
	answered map[string]map[string]string // texts that count, by run and question
	given    int                          // answers that counted
	failed   []error                      // what processes said that they should not have

	excused time.Time // until then the database was away, or has just come back
}

// staff is a process that runs now.
type staff struct {
	*child
	read sync.WaitGroup
}

// drivers is how many processes drive runs.
const drivers = 2

// job is the part of a process.
func (e *enterprise) job(name string) serviceJob {
	return serviceJob{
		Store: e.kind, Place: e.place, Inner: e.path("inner"), Model: e.model.address, Desktop: e.desktop.address,
		Engine: e.engine, At: e.at, Name: name,
	}
}

// hire starts a process.
func (e *enterprise) hire(ctx context.Context, role, name string, heard func(line []byte)) (*staff, error) {
	c, err := newChild(ctx, role, e.job(name))
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	s := &staff{child: c}
	s.read.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			e.mu.Lock()
			heard(lines.Bytes())
			e.mu.Unlock()
		}
	})
	return s, nil
}

func (e *enterprise) hireDriver(ctx context.Context, i int) (*staff, error) {
	return e.hire(ctx, "driver", fmt.Sprintf("driver-%d", i), func(line []byte) { // nothing that happens here is worth a warning
		if time.Now().Before(e.excused) {
			return // but the end of its database
		}
		e.failed = append(e.failed, fmt.Errorf("crash: %s: a service said %s", e.kind, line))
	})
}

func (e *enterprise) hireAnswerer(ctx context.Context) (*staff, error) {
	return e.hire(ctx, "answerer", "answerer", func(line []byte) {
		var g given
		err := json.Unmarshal(line, &g)
		if err != nil || !g.Begins && g.Count != 1 {
			e.failed = append(e.failed, fmt.Errorf("crash: %s: of two answers at once one should count: %s", e.kind, line))
			return
		}
		if e.answered[g.Run] == nil {
			e.answered[g.Run] = map[string]string{}
		}
		if e.answered[g.Run][g.Question] = g.Text; g.Begins {
			e.answered[g.Run][g.Question] = unsure
			return
		}
		e.given++
	})
}

// unsure is the text of an answer whose process was killed before it could say whether it counts.
const unsure = "?"

// givenTo returns the answers to a run that counted. Where nobody is left who could say which one of two did, the journal does.
func (e *enterprise) givenTo(run string, inJournal map[string]string) map[string]string {
	list := map[string]string{}
	for question, text := range e.answered[run] {
		if there, ok := inJournal[question]; text != unsure {
			list[question] = text
		} else if ok && slices.Contains(texts, there) {
			list[question] = there
		}
	}
	return list
}

// dismiss ends a process: killed, or by its own hand.
func (s *staff) dismiss(kill bool) error {
	if kill {
		_ = s.cmd.Process.Kill() // it may have failed by itself, which shows below
	}
	_ = s.stdin.Close()
	s.read.Wait()
	err := s.cmd.Wait()
	if s.cmd.ProcessState.ExitCode() == orphaned || kill && wasKilled(s.cmd.ProcessState) {
		return nil
	}
	return s.failed(err)
}

var errSlow = errors.New("crash: the runs do not come to an end")

// cancelsEach is in how many looks at a run that is to be cancelled one cancels it early.
const cancelsEach = 8

// openRuns is how many runs have begun and not ended, at most.
const openRuns = 8

// work has runs driven to their end, and kills and stops processes meanwhile.
func (e *enterprise) work(ctx context.Context, names []string, kills, stops int, r *rand.Rand) (err error) {
	ctx, end := context.WithTimeoutCause(ctx, 15*time.Second+time.Duration(len(names)+kills+stops)*3*time.Second, errSlow)
	defer end()
	defer func() {
		for _, s := range append(e.drivers, e.answerer) {
			if s != nil {
				err = errors.Join(err, s.dismiss(false))
			}
		}
		e.drivers, e.answerer = nil, nil
		err = errors.Join(err, e.complaints())
	}()
	if e.answerer, err = e.hireAnswerer(ctx); err != nil {
		return err
	}
	for i := range drivers {
		s, err := e.hireDriver(ctx, i)
		if err != nil {
			return err
		}
		e.drivers = append(e.drivers, s)
	}
	strikes := make([]func(context.Context, *rand.Rand) error, 0, kills+stops)
	for range kills {
		strikes = append(strikes, e.kill)
	}
	for range stops {
		strikes = append(strikes, e.freeze)
	}
	if e.restart != nil && kills > 0 {
		strikes = append(strikes, e.restartDatabase)
	}
	r.Shuffle(len(strikes), func(i, k int) { strikes[i], strikes[k] = strikes[k], strikes[i] })
	begun, struck := 0, 0
	var open []string
	for ctx.Err() == nil {
		if open, err = e.open(ctx, open, r); err != nil {
			return err
		}
		ended := begun - len(open)
		if ended == len(names) {
			return nil
		}
		// The last run waits until there were enough strikes.
		for begun < len(names) && len(open) < openRuns && (struck == len(strikes) || begun < len(names)-1) {
			if _, err := e.service.Start(ctx, names[begun], request, nil); err != nil {
				return err
			}
			open = append(open, names[begun])
			begun++
		}
		pause(ctx, time.Duration(r.Int64N(int64(200*time.Millisecond))))
		// They are spread over the runs, and over before those are.
		if struck < len(strikes) && struck*(len(names)-len(names)/10-2) <= ended*len(strikes) {
			if err := strikes[struck](ctx, r); err != nil {
				return err
			}
			struck++
		}
	}
	return errors.Join(context.Cause(ctx), e.stuck(context.WithoutCancel(ctx)))
}

// stuck says where the runs stand that have not ended.
func (e *enterprise) stuck(ctx context.Context) (err error) {
	for state, failed := range durable.List(ctx, e.store, durable.Query{}) {
		if failed != nil {
			return errors.Join(err, failed)
		}
		if state.Stage != durable.Ended {
			err = errors.Join(err, fmt.Errorf("crash: run %s is %s, record %d of %v, due %v, %d tries, %d questions: %s",
				state.Run, state.Stage, state.Seq, state.Last, state.Due, state.Tries, len(state.Waits), state.Reason))
		}
	}
	return err
}

// patience is how long a list of the runs may take while a process stands still.
const patience = 20 * time.Second

// settling is how long processes may complain of a database that has come back.
const settling = 15 * time.Second

// complaints are what processes said that they should not have.
func (e *enterprise) complaints() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(e.failed...)
}

// open returns which of the runs have not ended.
func (e *enterprise) open(ctx context.Context, runs []string, r *rand.Rand) (left []string, err error) {
	if err := e.complaints(); err != nil {
		return nil, err
	}
	for _, run := range runs {
		state, err := durable.Look(ctx, e.store, run)
		if err != nil {
			return nil, err
		}
		if state.Stage == durable.Ended {
			continue
		}
		left = append(left, run)
		// It is cancelled while it waits, and at times before that.
		if formOf(run).cancelled && (state.Stage == durable.Waiting || state.Transitions > 0 && r.IntN(cancelsEach) == 0) {
			if _, err := e.service.Cancel(ctx, run, "enough"); err != nil {
				return nil, err
			}
		}
	}
	return left, nil
}

// history collects what there is of a run that has ended.
func (e *enterprise) history(ctx context.Context, run string) (*history, error) {
	h := &history{Run: run, Taken: e.kind == storePostgres}
	if err := e.collect(ctx, h); err != nil {
		return nil, err
	}
	t, err := trailOf(ctx, e.store, run)
	if err != nil {
		return nil, err
	}
	for _, at := range t.died {
		h.Kills = append(h.Kills, kill{at: at})
	}
	if h.Story, err = storyOf(ctx, e.store, run, h.Desk); err != nil {
		return nil, err
	}
	h.Answers = t.answers
	h.Given = e.givenTo(run, h.Answers)
	if formOf(run).cancelled {
		state, err := durable.Look(ctx, e.store, run)
		h.End = outcome{Outcome: state.Outcome, Transitions: state.Transitions}
		return h, err
	}
	var s *round.Session
	err = patiently(ctx, func() error { // whoever drove it to its end may be about to give it back
		agent, err := makes(run, 0, e.model.address, e.desktop.address, nil)
		if err == nil {
			s, err = durable.Open(ctx, agent, e.store, run, &durable.Options{Existing: true, Round: &round.Options{}})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	h.End, err = outcomeOf(s.Continue(ctx, request))
	return h, errors.Join(err, s.Close(ctx))
}
