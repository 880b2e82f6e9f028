package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/people"
)

const tellerRests = 4 // after so many rows

// newTeller makes an agent without a model: it puts rows into the table by effects, each once, and pauses in between.
func newTeller(d *remoteDesktop, pause func(context.Context) error) fsm.Worker {
	return &errand.Agent{Called: "teller", Step: func(ctx context.Context, a *errand.Agent) (done bool, err error) {
		n := a.N // the row
		switch {
		case a.N < tellerRests:
			n++
		case a.N == tellerRests:
			return false, pause(ctx)
		}
		a.Said = fmt.Sprintf("%d rows", n)
		return n == allRows, putRow(ctx, d, n)
	}}
}

// putRow puts a row into the table. If it may be there, it looks.
func putRow(ctx context.Context, d *remoteDesktop, n int) error {
	for try := 1; ; try++ {
		_, err := effects.Do(ctx, fmt.Sprint("row ", try), func(ctx context.Context) (bool, error) {
			_, err := execute(ctx, d, "add_row", map[string]any{"n": strconv.Itoa(n)})
			return true, err
		})
		if !errors.Is(err, effects.ErrUncertain) {
			return err
		}
		there, err := effects.Do(ctx, fmt.Sprint("look ", try), func(ctx context.Context) (int, error) {
			res, err := execute(ctx, d, desktop.GetUITree, nil)
			if err != nil {
				return 0, err
			}
			var controls []desktop.Control
			if err := json.Unmarshal(res.Content[0].JSON, &controls); err != nil {
				return 0, err
			}
			return strconv.Atoi(controls[0].Value)
		}, effects.Idempotent())
		if err != nil || there >= n {
			return err
		}
	}
}

func execute(ctx context.Context, d *remoteDesktop, tool string, parameters map[string]any) (desktop.Result, error) {
	window, err := d.Scope(ctx, tableWindow)
	if err != nil {
		return desktop.Result{}, err
	}
	res, err := window.Execute(ctx, desktop.Command{ToolName: tool, Parameters: parameters})
	return res, errors.Join(err, res.Err())
}

// sleep has the run wait for a time that comes soon.
func sleep(ctx context.Context) error {
	return effects.WaitUntil(ctx, "rest", time.Now().Add(100*time.Millisecond))
}

// sleepOn has the run wait for a time that does not come: it is cancelled.
func sleepOn(ctx context.Context) error {
	return effects.WaitUntil(ctx, "rest", time.Now().Add(7*24*time.Hour))
}

// askInVain has the run wait for an answer that does not come before its deadline.
func askInVain(ctx context.Context) error {
	_, err := people.Ask(ctx, people.Later(), people.Question{Agent: "teller", Text: "How large?"}, 150*time.Millisecond)
	if errors.Is(err, people.ErrTimeout) {
		return nil
	}
	return err
}
