package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// lab is a store with runs, the drivers that drive them, and two people who answer.
type lab struct {
	*world
	job     job                         // of the drivers
	restart func(context.Context) error // of the database; nil: it has none
	death   death                       // of the first driver

	store   store.Store
	people  [2]*runs.Service // they drive nothing
	closing []func() error

	drivers []*driver
	killed  int
	frozen  int
	given   map[string]map[string]string // texts of the answers that count, by run and question

	mu      sync.Mutex
	failed  []error   // what drivers said, although nothing that happens here is worth a warning
	excused time.Time // until then they may complain: the database was away, or has just come back
}

// openLab opens a lab with a folder of its own.
func openLab(ctx context.Context, w *world, dir string, j job) (*lab, error) {
	j.World, j.Inner = w.address, filepath.Join(dir, "inner")
	l := &lab{world: w, job: j, given: map[string]map[string]string{}}
	return l, l.open(ctx)
}

// open opens the store for each person.
func (l *lab) open(ctx context.Context) (err error) {
	for i := range l.people {
		st, closeStore, err := openStore(ctx, l.job.Store, l.job.Place)
		if err != nil {
			return err
		}
		l.store, l.closing = st, append(l.closing, closeStore)
		j := l.job
		j.Name = fmt.Sprint("person-", i)
		engine, closeEngine, err := openEngine(ctx, j)
		if err != nil {
			return err
		}
		l.closing = append(l.closing, closeEngine)
		if l.people[i], err = runs.New(st, runs.Config{Round: options(), Engine: engine}); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) close() (err error) {
	for _, c := range slices.Backward(l.closing) {
		err = errors.Join(err, c())
	}
	l.closing = nil
	return err
}

// hire starts a driver.
func (l *lab) hire(ctx context.Context, i int, d death) (err error) {
	j := l.job
	j.Name, j.Death = fmt.Sprint("driver-", i), d
	l.drivers[i], err = startDriver(ctx, j, func(line string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if time.Now().After(l.excused) {
			l.failed = append(l.failed, fmt.Errorf("crash: %s: a service said %s", j.Store, line))
		}
	})
	return err
}

// complaints are what drivers said that they should not have.
func (l *lab) complaints() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.failed...)
}

var errSlow = errors.New("crash: the runs do not come to an end")

const (
	openRuns    = 8 // have begun and not ended, at most
	cancelsEach = 8 // in so many looks at a run that is to be cancelled, one cancels it early
)

// work has so many drivers drive runs to their end, and strikes them meanwhile.
func (l *lab) work(ctx context.Context, drivers int, names []string, strikes []strike, r *rand.Rand) (err error) {
	ctx, end := context.WithTimeoutCause(ctx, 2*time.Minute+time.Duration(len(names)+len(strikes))*3*time.Second, errSlow)
	defer end()
	l.drivers = make([]*driver, drivers)
	defer func() {
		for _, d := range l.drivers {
			if d != nil {
				err = errors.Join(err, d.dismiss(false))
			}
		}
		err = errors.Join(err, l.complaints())
	}()
	for i := range drivers {
		if err := l.hire(ctx, i, l.death); err != nil {
			return err
		}
	}
	r.Shuffle(len(strikes), func(i, k int) { strikes[i], strikes[k] = strikes[k], strikes[i] })
	begun, struck := 0, 0
	var open []string
	for ctx.Err() == nil {
		if open, err = l.look(ctx, open, r); err != nil {
			return err
		}
		if begun-len(open) == len(names) && struck == len(strikes) {
			return nil
		}
		// Runs begin as strikes happen, so that each strike meets some.
		for begun < len(names) && len(open) < openRuns && begun*len(strikes) <= (struck+openRuns/2)*len(names) {
			if _, err := l.people[0].Start(ctx, names[begun], request, nil); err != nil {
				return err
			}
			open = append(open, names[begun])
			begun++
		}
		pause(ctx, time.Duration(r.Int64N(int64(200*time.Millisecond))))
		if struck < len(strikes) && r.IntN(3) == 0 {
			if err := strikes[struck](ctx, l, r); err != nil {
				return err
			}
			struck++
		}
	}
	return errors.Join(context.Cause(ctx), l.stuck(context.WithoutCancel(ctx)))
}

// look does what people do about runs, and returns which of them have not ended.
func (l *lab) look(ctx context.Context, names []string, r *rand.Rand) (left []string, err error) {
	if err := l.replaceDead(ctx); err != nil {
		return nil, err
	}
	for _, run := range names {
		state, err := durable.Look(ctx, l.store, run)
		if err != nil {
			return nil, err
		}
		if state.Stage == durable.Ended {
			continue
		}
		left = append(left, run)
		// It is cancelled while it waits, and at times before that.
		if formOf(run).cancelled && (state.Stage == durable.Waiting || state.Transitions > 0 && r.IntN(cancelsEach) == 0) {
			if _, err := l.people[0].Cancel(ctx, run, "enough"); err != nil {
				return nil, err
			}
		}
		if err := l.answer(ctx, state); err != nil {
			return nil, err
		}
	}
	return left, l.complaints()
}

// replaceDead starts a driver in the place of one that died by its own hand.
func (l *lab) replaceDead(ctx context.Context) error {
	for i, d := range l.drivers {
		select {
		case <-d.ended:
			if l.death == (death{}) || !wasKilled(d.cmd.ProcessState) || l.killed > 0 {
				return d.dismiss(false) // it failed
			}
			l.killed++
			if err := l.hire(ctx, i, death{}); err != nil {
				return err
			}
		default:
		}
	}
	return nil
}

// texts are what the two people say.
var texts = [2]string{"large", "very large"}

// answer has both people answer each open question of a run at once and differently.
func (l *lab) answer(ctx context.Context, state durable.State) error {
	if formOf(state.Run).unanswered {
		return nil
	}
	for _, q := range state.Waits {
		if l.given[state.Run][q.ID] != "" {
			continue
		}
		var counts [2]bool
		var errs [2]error
		var both sync.WaitGroup
		for i, p := range l.people {
			both.Go(func() {
				counts[i], errs[i] = p.Answer(ctx, state.Run, q.ID, people.Answer{Text: texts[i], Approved: true})
			})
		}
		both.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		if counts[0] == counts[1] {
			return fmt.Errorf("crash: %s: of two answers to a question of %s exactly one should count: %v", l.job.Store, state.Run, counts)
		}
		if l.given[state.Run] == nil {
			l.given[state.Run] = map[string]string{}
		}
		if l.given[state.Run][q.ID] = texts[0]; counts[1] {
			l.given[state.Run][q.ID] = texts[1]
		}
	}
	return nil
}

// stuck says where the runs stand that have not ended.
func (l *lab) stuck(ctx context.Context) (err error) {
	for state, failed := range durable.List(ctx, l.store, durable.Query{}) {
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

// history collects what there is of a run that has ended.
func (l *lab) history(ctx context.Context, run string) (*history, error) {
	t, err := trailOf(ctx, l.store, run)
	if err != nil {
		return nil, err
	}
	h := &history{
		Run: run, Log: l.of(run), State: l.state(run), Kinds: t.kinds, Kills: t.died,
		Answers: t.answers, Given: l.given[run], Taken: l.job.Store == storePostgres,
	}
	if h.Story, err = storyOf(ctx, l.store, run, h.Log); err != nil {
		return nil, err
	}
	if formOf(run).cancelled {
		state, err := durable.Look(ctx, l.store, run)
		h.End = outcome{Outcome: state.Outcome, Transitions: state.Transitions}
		return h, err
	}
	var s *round.Session
	err = patiently(ctx, func() error { // its driver may be about to give it back
		agent, err := makes(run, 0, l.address, nil)
		if err == nil {
			s, err = durable.Open(ctx, agent, l.store, run, &durable.Options{Existing: true, Round: &round.Options{}})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	res, err := s.Continue(ctx, request)
	tasks, err2 := json.Marshal(res.Subtasks)
	h.End = outcome{Outcome: res.Outcome, Answer: res.Answer, Subtasks: string(tasks), Transitions: res.Transitions}
	if res.Outcome == round.Finished || res.Outcome == round.Failed {
		err = nil
	}
	return h, errors.Join(err, err2, s.Close(ctx))
}
