package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// crew is a kind of its own. It asks the model for several parts at once, has another agent fill a table in a round
// with a journal of its own, and asks for more parts.
type crew struct {
	fsm.Position
	model   llm.Model
	desktop *remoteDesktop
	inner   store.Store // for the journals of the rounds inside
	said    []string
}

const (
	crewSize  = 3 // parts at once
	crewSteps = 8 // with parts
)

var crews = fsm.Table("Crew",
	[]fsm.Row[*crew]{
		{Status: fsm.Continue, Handle: (*crew).think},
		{Status: delegated, Handle: (*crew).delegate},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: delegated, By: fsm.BySystem},
	fsm.Edge{From: delegated, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

const delegated fsm.Status = "DELEGATED"

func (c *crew) Name() string                          { return "crew" }
func (c *crew) States() fsm.Set                       { return crews }
func (c *crew) Answer() string                        { return strings.Join(c.said, "; ") }
func (c *crew) Begin(context.Context, fsm.Task) error { c.said = nil; return nil }
func (c *crew) Save() (fsm.Saved, error)              { return fsm.SaveState(c.said) }
func (c *crew) Load(saved fsm.Saved) error            { return saved.LoadState(&c.said) }

// part is what the model is asked for.
func part(run string, step, i int) string { return fmt.Sprintf("part %d.%d of %s", step, i, run) }

// think asks for several parts at once.
func (c *crew) think(ctx context.Context) error {
	step := len(c.said)
	var replies [crewSize]string
	var errs [crewSize]error
	var all sync.WaitGroup
	for i := range replies {
		all.Go(func() {
			text, err := llm.Prompt(llm.Section{Name: "part", Value: part(c.desktop.run, step, i)})
			if err != nil {
				errs[i] = err
				return
			}
			resp, err := llm.Complete(ctx, c.model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
			if errs[i] = err; err != nil {
				return
			}
			if replies[i] = resp.Text; resp.Text != "this is "+part(c.desktop.run, step, i) {
				errs[i] = fmt.Errorf("crash: a wrong reply: %q for %q", resp.Text, part(c.desktop.run, step, i))
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	c.said = append(c.said, fmt.Sprintf("step %d has %d parts", step, len(replies)))
	switch {
	case len(c.said) == crewSteps/2:
		c.Decide(delegated, fsm.BySystem, "half of the parts are there")
	case len(c.said) > crewSteps:
		c.Decide(fsm.Finish, fsm.ByModel, "all parts are there")
	default:
		c.Decide(fsm.Continue, fsm.ByModel, "parts are missing")
	}
	return nil
}

// delegate has a table filled, in a run of its own that goes on where its journal ends. Its context is not that of the
// step: what the journal of the step gives back is not what the desktop shows to a run that is further on.
func (c *crew) delegate(step context.Context) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	defer context.AfterFunc(step, func() { cancel(context.Cause(step)) })()
	return c.fill(ctx) //nolint:contextcheck // it is not that of the step
}

func (c *crew) fill(ctx context.Context) error {
	window, err := c.desktop.Scope(ctx, tableWindow)
	if err != nil {
		return err
	}
	clerk, err := appagent.New(appagent.Config{
		Model: c.model, Desktop: window, Window: windows[0], Name: "clerk",
	})
	if err != nil {
		return err
	}
	session, err := durable.Open(ctx, clerk, c.inner, c.desktop.run, &durable.Options{Round: options(), TakeOver: true})
	if err != nil {
		return err
	}
	res, err := session.Continue(ctx, fillTable)
	if err = errors.Join(err, session.Close(ctx)); err != nil {
		return err
	}
	c.said = append(c.said, res.Answer)
	c.Decide(fsm.Continue, fsm.BySystem, "the table is filled")
	return nil
}
