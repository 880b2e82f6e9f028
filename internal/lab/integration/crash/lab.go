package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// lab has what outlives the workers: a model and a desktop, the journals and the
// answers of a person.
type lab struct {
	dir     string
	parts   servicePart // of both, but for the Log
	store   *store.FileStore
	model   *server
	desktop *server
	bus     bus
	forget  bool // the stores of the workers lose intents
	most    int  // workers that a run may take: one that does not end is a fault
}

// openLab starts model and desktop with a folder of their own.
func openLab(ctx context.Context, dir string, part servicePart) (l *lab, err error) {
	l = &lab{dir: dir, parts: part, most: 100}
	if l.store, err = store.Files(l.path("journals"), nil); err != nil {
		return nil, err
	}
	start := func(role string) (*server, error) {
		part.Log = l.path(role + ".log")
		part.Seed++
		return startServer(ctx, role, part, l.bus.publish)
	}
	if l.model, err = start("model"); err != nil {
		return nil, err
	}
	if l.desktop, err = start("desktop"); err != nil {
		return nil, errors.Join(err, l.model.stop())
	}
	return l, nil
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, name) }

// close ends model and desktop.
func (l *lab) close() error { return errors.Join(l.model.stop(), l.desktop.stop()) }

// life starts a worker and returns when it has ended: with what it says, or killed.
func (l *lab) life(ctx context.Context, run string, o order) (res outcome, killed bool, err error) {
	c, err := newChild(ctx, "worker", job{
		Run: run, Model: l.model.address, Desktop: l.desktop.address, Journals: l.path("journals"), Answers: l.answers(run),
		Order: o, Forget: l.forget,
	})
	if err != nil {
		return outcome{}, false, err
	}
	c.cmd.Stdout = &c.out
	fire := make(chan time.Duration, 1)
	if o.shot != nil {
		defer l.bus.listen(run, o.shot.aim(fire))()
	}
	if err := c.cmd.Start(); err != nil {
		return outcome{}, false, fmt.Errorf("crash: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	var shoot <-chan time.Time
	for {
		select {
		case d := <-fire:
			shoot = time.After(d)
		case <-shoot:
			_ = c.cmd.Process.Kill() // or it has just ended
		case err := <-ended:
			switch {
			case ctx.Err() != nil:
				return outcome{}, false, context.Cause(ctx)
			case wasKilled(c.cmd.ProcessState):
				return outcome{}, true, nil
			case err != nil:
				return outcome{}, false, c.failed(err)
			}
			if err := json.Unmarshal(c.out.Bytes(), &res); err != nil {
				return outcome{}, false, fmt.Errorf("crash: a worker said %q: %w", c.out.String(), err)
			}
			return res, false, nil
		}
	}
}

func (l *lab) answers(run string) string { return l.path(run + ".answers") }

var errEndless = errors.New("crash: the run does not end")

// drive starts one worker after the other until the run has ended. Each gets the order
// that next returns, which is told what happened so far.
func (l *lab) drive(ctx context.Context, run string, next func(*history) order) (*history, error) {
	h := &history{Run: run}
	for range l.most {
		o := next(h)
		res, killed, err := l.life(ctx, run, o)
		switch {
		case err != nil:
			return h, err
		case killed:
			t, err := trailOf(ctx, l.store, run)
			if err != nil {
				return h, err
			}
			h.Kills = append(h.Kills, kill{at: t.end, aimed: o.shot})
		case res.Outcome == round.Suspended:
			h.Appends = append(h.Appends, res.Appends)
			if err := giveAnswers(l.answers(run), res.Waits); err != nil {
				return h, err
			}
		default:
			h.Appends = append(h.Appends, res.Appends)
			h.End = res
			return h, l.collect(ctx, h)
		}
	}
	return h, errEndless
}

// collect adds what model and desktop know of a run.
func (l *lab) collect(ctx context.Context, h *history) (err error) {
	if h.Model, err = l.model.log.of(h.Run); err != nil {
		return err
	}
	if h.Desk, err = l.desktop.log.of(h.Run); err != nil {
		return err
	}
	return call(ctx, http.MethodGet, l.desktop.address, "/"+h.Run+"/state", nil, &h.State)
}
