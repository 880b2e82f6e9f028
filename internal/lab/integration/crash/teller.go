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
	"github.com/agentfsm/agentfsm/people"
)

// teller is a kind in plain Go, without a model: it puts rows into a table by effects, each once, and pauses in between. Of a
// row of which nobody knows, it looks whether it is there.
type teller struct {
	fsm.Position
	desktop *remoteDesktop
	pause   func(context.Context) error
	rows    int
}

const tellerRests = 4 // after so many rows

var tellers = fsm.Table("Teller",
	[]fsm.Row[*teller]{
		{Status: fsm.Continue, Handle: (*teller).write},
		{Status: resting, Handle: (*teller).rest},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: resting, By: fsm.BySystem},
	fsm.Edge{From: resting, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

const resting fsm.Status = "RESTING"

func (t *teller) Name() string                          { return "teller" }
func (t *teller) States() fsm.Set                       { return tellers }
func (t *teller) Answer() string                        { return fmt.Sprintf("%d rows", t.rows) }
func (t *teller) Begin(context.Context, fsm.Task) error { t.rows = 0; return nil }
func (t *teller) Save() (fsm.Saved, error)              { return fsm.SaveState(t.rows) }
func (t *teller) Load(saved fsm.Saved) error            { return saved.LoadState(&t.rows) }

// write puts one row into the table.
func (t *teller) write(ctx context.Context) error {
	n := t.rows + 1
	_, err := effects.Do(ctx, "row", func(ctx context.Context) (bool, error) {
		return true, t.execute(ctx, "add_row", map[string]any{"n": strconv.Itoa(n)}, nil)
	})
	if errors.Is(err, effects.ErrUncertain) {
		there, failed := effects.Do(ctx, "look", t.count, effects.Idempotent())
		if err = failed; err == nil && there < n {
			t.Decide(fsm.Continue, fsm.BySystem, "the row is not there")
			return nil
		}
	}
	if err != nil {
		return err
	}
	switch t.rows = n; {
	case n == allRows:
		t.Decide(fsm.Finish, fsm.BySystem, "all rows are there")
	case n == tellerRests:
		t.Decide(resting, fsm.BySystem, "a rest")
	default:
		t.Decide(fsm.Continue, fsm.BySystem, "rows are missing")
	}
	return nil
}

// rest waits without a process.
func (t *teller) rest(ctx context.Context) error {
	if err := t.pause(ctx); err != nil {
		return err
	}
	t.Decide(fsm.Continue, fsm.BySystem, "it has rested")
	return nil
}

// sleep has the run wait for a time that comes soon.
func sleep(ctx context.Context) error {
	return effects.WaitUntil(ctx, "rest", time.Now().Add(100*time.Millisecond))
}

// sleepOn has the run wait for a time that does not come: somebody cancels it.
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

// count returns how many rows there are.
func (t *teller) count(ctx context.Context) (int, error) {
	var controls []desktop.Control
	if err := t.execute(ctx, desktop.GetUITree, nil, &controls); err != nil {
		return 0, err
	}
	for _, c := range controls {
		if c.ID == "rows" {
			return strconv.Atoi(c.Value)
		}
	}
	return 0, errors.New("crash: the table shows no rows")
}

func (t *teller) execute(ctx context.Context, tool string, parameters map[string]any, into any) error {
	window, err := t.desktop.Scope(ctx, tableWindow)
	if err != nil {
		return err
	}
	res, err := window.Execute(ctx, desktop.Command{ToolName: tool, Parameters: parameters})
	switch {
	case err != nil:
		return err
	case res.Status != desktop.Success:
		return fmt.Errorf("crash: %s: %s", tool, res.Error)
	case into == nil:
		return nil
	}
	return json.Unmarshal(res.Content[0].JSON, into)
}
