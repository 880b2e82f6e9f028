package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/llm"
)

const (
	crewSize  = 3 // parts at once
	crewSteps = 8 // with parts; half of them before the table
)

// newCrew makes an agent that asks the model for several parts at once in each step, and in one step has another agent
// fill the table, in a round with a journal of its own.
func newCrew(d *remoteDesktop, inner store.Store) fsm.Worker {
	return &errand.Agent{Called: "crew", Step: func(ctx context.Context, a *errand.Agent) (done bool, err error) {
		if a.N == crewSteps/2 {
			said, err := fillByOther(ctx, d, inner)
			a.Said += said + "; "
			return false, err
		}
		parts, ctx := errgroup.WithContext(ctx)
		for i := range crewSize {
			parts.Go(func() error { return askForPart(ctx, d, a.N, i) })
		}
		if err := parts.Wait(); err != nil {
			return false, err
		}
		a.Said += fmt.Sprintf("step %d has %d parts; ", a.N, crewSize)
		return a.N == crewSteps, nil
	}}
}

// askForPart asks the model, and checks that the reply is the one to its request.
func askForPart(ctx context.Context, d *remoteDesktop, step, i int) error {
	part := fmt.Sprintf("part %d.%d of %s", step, i, d.run)
	text, err := llm.Prompt(llm.Section{Name: "part", Value: part})
	if err != nil {
		return err
	}
	resp, err := llm.Complete(ctx, remoteModel(d), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
	if err == nil && resp.Text != "this is "+part {
		err = fmt.Errorf("crash: a wrong reply: %q for %q", resp.Text, part)
	}
	return err
}

// fillByOther has the table filled in a run of its own that goes on where its journal ends. Its context is not that of
// the step: what the journal of the step gives back is not what the desktop shows to a run that is further on.
func fillByOther(step context.Context, d *remoteDesktop, inner store.Store) (said string, err error) {
	ctx, cancel := context.WithCancelCause(context.Background()) //nolint:contextcheck // see above
	defer cancel(nil)
	defer context.AfterFunc(step, func() { cancel(context.Cause(step)) })()
	window, err := d.Scope(ctx, tableWindow)
	if err != nil {
		return "", err
	}
	clerk, err := appagent.New(appagent.Config{Model: remoteModel(d), Desktop: window, Window: windows[0], Name: "clerk"})
	if err != nil {
		return "", err
	}
	session, err := durable.Open(ctx, clerk, inner, d.run, &durable.Options{Round: options(), TakeOver: true})
	if err != nil {
		return "", err
	}
	res, err := session.Continue(ctx, fillTable)
	return res.Answer, errors.Join(err, session.Close(ctx))
}
