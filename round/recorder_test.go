package round_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// digger is an agent that asks its model as often as it has spades, and then hands over to another
// digger, where it has one, and waits for that one's answer.
type digger struct {
	fsm.Position
	name  string
	board *blackboard.Board
	next  *digger
	dug   int
	does  func(ctx context.Context) // after a spade
	set   fsm.Set                   // nil: diggers
	other fsm.Agent                 // whom it hands over to instead of next
	back  []string                  // who came back
}

const spades = 2

var diggers = fsm.Table("Digger",
	[]fsm.Row[*digger]{
		{Status: fsm.Continue, Handle: (*digger).dig},
		{Status: "PASS", Handle: (*digger).pass, NextState: fsm.To[*digger](fsm.Continue), NextAgent: (*digger).to},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: "PASS", By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: "PASS", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
)

// newDigger returns one that has another one below it.
func newDigger() *digger {
	return &digger{name: "first", board: blackboard.New(0), next: &digger{name: "second"}}
}

func (d *digger) Name() string                          { return d.name }
func (d *digger) States() fsm.Set                       { return cmp.Or[fsm.Set](d.set, diggers) }
func (d *digger) Board() *blackboard.Board              { return d.board }
func (d *digger) Begin(context.Context, fsm.Task) error { d.dug = 0; return nil }
func (d *digger) Answer() string                        { return fmt.Sprint(d.name, " dug ", d.dug) }
func (d *digger) Returned(a fsm.Agent)                  { d.back = append(d.back, a.Name()) }

func (d *digger) to() fsm.Agent {
	if d.other != nil {
		return d.other
	}
	return d.next
}

func (d *digger) dig(ctx context.Context) error {
	if d.dug < spades {
		_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			return &llm.Response{Text: "dig", Usage: llm.Usage{InputTokens: 10, OutputTokens: 1}}, nil
		}), &llm.Request{})
		d.dug++
		d.Decide(fsm.Continue, fsm.ByModel, fmt.Sprint("spade ", d.dug))
		if d.does != nil {
			d.does(ctx)
		}
		return err
	}
	d.Decide(fsm.Finish, fsm.ByModel, "it is deep enough")
	if d.next != nil && d.next.dug == 0 {
		d.Decide("PASS", fsm.ByModel, "there is another one")
	}
	return nil
}

func (d *digger) pass(context.Context) error {
	_, err := d.board.Open(blackboard.Subtask{App: d.next.name, Text: "dig"})
	return err
}

func (d *digger) Save() (fsm.Saved, error) {
	saved, err := fsm.SaveState(d.dug)
	if d.next != nil && err == nil {
		var next fsm.Saved
		next, err = d.next.Save()
		saved.Workers = map[string]fsm.Saved{d.next.name: next}
	}
	return saved, err
}

func (d *digger) Load(saved fsm.Saved) error {
	if d.next != nil {
		if err := d.next.Load(saved.Workers[d.next.name]); err != nil {
			return err
		}
	}
	return saved.LoadState(&d.dug)
}

func (d *digger) Worker(_ context.Context, name string) (fsm.Worker, error) {
	if d.next == nil || d.next.name != name {
		return nil, errors.New("nobody has that name")
	}
	return d.next, nil
}

// notebook is a Recorder that keeps each Checkpoint as JSON, with what the agents and the board knew then.
type notebook struct {
	agent    *digger
	attached int
	events   []string
	points   []point
	failAt   int // which call of Record fails, from 1
	failure  error
	behind   []checkpoint.Place // what it says at the end of a Run
}

type point struct {
	checkpoint, board []byte
	saved             fsm.Saved
}

func (n *notebook) Attach(ctx context.Context, _ checkpoint.Charge) context.Context {
	n.attached++
	return ctx
}

func (n *notebook) Record(_ context.Context, c *round.Checkpoint) error {
	event := string(c.Event)
	if k := len(c.Stack); k > 0 {
		event = fmt.Sprintf("%s %s:%s", event, c.Stack[k-1].Agent, c.Stack[k-1].Status)
	}
	if n.events = append(n.events, event); len(n.events) == n.failAt {
		return n.failure
	}
	if c.Event == checkpoint.Left {
		c.Stack = n.behind
		return nil
	}
	saved, err := n.agent.Save()
	if err != nil {
		return err
	}
	board, err := json.Marshal(n.agent.board)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(c)
	n.points = append(n.points, point{raw, board, saved})
	return err
}

// recorded runs a round of two diggers to its end.
func recorded(t *testing.T) (*notebook, round.Result) {
	t.Helper()
	n := &notebook{agent: newDigger()}
	res, err := newSession(t, n.agent, &round.Options{Recorder: n}).Run(t.Context(), "dig")
	require.NoError(t, err)
	return n, res
}

// restored makes the session again that stood at that point.
func restored(t *testing.T, p point, opts round.Options) (*notebook, *round.Round, round.Checkpoint) {
	t.Helper()
	var c round.Checkpoint
	require.NoError(t, json.Unmarshal(p.checkpoint, &c))
	again := &notebook{agent: newDigger()}
	require.NoError(t, again.agent.Load(p.saved))
	require.NoError(t, json.Unmarshal(p.board, again.agent.board))
	opts.Recorder = again
	s, err := round.Restore(t.Context(), again.agent, &c, &opts)
	require.NoError(t, err)
	return again, s.Round(), c
}

// A round that is restored from any Checkpoint, through JSON, comes to the same end and has used as much.
func TestRestoreFromEachCheckpoint(t *testing.T) {
	n, want := recorded(t)
	assert.Equal(t, []string{
		"began first:CONTINUE", "stepped first:CONTINUE", "stepped first:CONTINUE", "stepped first:PASS", "stepped second:CONTINUE",
		"stepped second:CONTINUE", "stepped second:CONTINUE", "stepped second:FINISH", "stepped first:CONTINUE", "stepped first:FINISH",
		"ended first:FINISH", "left",
	}, n.events)
	assert.Equal(t, 1, n.attached)
	returned := slices.Index(n.events, "stepped second:FINISH") + 1
	for i, p := range n.points {
		again, r, c := restored(t, p, round.Options{})
		res, err := r.Run(t.Context())
		require.NoError(t, err, n.events[i])
		if i <= returned {
			assert.Equal(t, []string{"second"}, again.agent.back, n.events[i])
		}
		assert.Equal(t, want.Answer, res.Answer, n.events[i])
		assert.Equal(t, want.Usage, res.Usage, n.events[i])
		assert.Equal(t, want.Transitions, res.Transitions, n.events[i])
		assert.Equal(t, want.Calls, res.Calls, n.events[i])
		if c.Event == checkpoint.Ended {
			assert.Empty(t, again.events, "there is nothing to do")
			continue
		}
		first := "resumed"
		if c.Event == checkpoint.Began {
			first = "began"
		}
		assert.Contains(t, again.events[0], first)
		assert.Equal(t, n.events[i+1:], again.events[1:])
	}
}

// What cannot be recorded ends the round as LOST, wherever that is, and nothing is closed.
func TestARoundThatCannotBeRecorded(t *testing.T) {
	calm, _ := recorded(t)
	full := errors.New("disk full")
	for at := 1; at < len(calm.events); at++ { // but for the last, which says that the Run is over
		n := &notebook{agent: newDigger(), failAt: at, failure: full}
		s := newSession(t, n.agent, &round.Options{Recorder: n})
		res, err := s.Run(t.Context(), "dig")
		require.ErrorIs(t, err, round.ErrLost, calm.events[at-1])
		require.ErrorIs(t, err, full)
		assert.Equal(t, round.Lost, res.Outcome)
		assert.Empty(t, res.Answer)
		assert.Equal(t, calm.events[:at], n.events[:at])
		assert.Equal(t, []string{"left"}, n.events[at:], "and nothing more")
		for _, task := range n.agent.board.Subtasks() {
			if n.events[at-1] != "ended first:FINISH" { // which closed it before
				assert.Empty(t, task.Status, "it may go on elsewhere")
			}
		}
		_, err = s.Run(t.Context(), "dig")
		require.ErrorIs(t, err, round.ErrLost, "a session whose round is lost begins no other")
	}
}

// A lost round ends where its record has it, which may be some steps behind, or where it was told last.
func TestALostRoundEndsWhereItsRecordHasIt(t *testing.T) {
	for want, behind := range map[string][]checkpoint.Place{
		"second:CONTINUE": nil,
		"first:PASS":      {{Agent: "first", Status: "PASS"}},
	} {
		full := errors.New("disk full")
		n := &notebook{agent: newDigger(), failAt: 7, failure: full, behind: behind}
		res, err := newSession(t, n.agent, &round.Options{Recorder: n}).Run(t.Context(), "dig")
		require.ErrorIs(t, err, full)
		assert.Equal(t, want, res.Agent+":"+string(res.Status))
		assert.ErrorContains(t, err, want)
		assert.Equal(t, "left", n.events[7])
		assert.Len(t, n.events, 8)
	}
}

// Somebody else drives the round: Run says so, and the round is as it was.
func TestARoundThatSomebodyElseDrives(t *testing.T) {
	n := &notebook{agent: newDigger(), failAt: 1, failure: fmt.Errorf("another process: %w", round.ErrBusy)}
	s, err := round.NewSession(n.agent, &round.Options{Recorder: n})
	require.NoError(t, err)
	r, err := s.Start("dig")
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrBusy)
	require.NotErrorIs(t, err, round.ErrLost)
	assert.Zero(t, n.agent.dug)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "first dug 2", res.Answer)
	assert.Contains(t, n.events, "began first:CONTINUE")
}

// A bound stops the round: the Recorder is told, and of each Run that follows. Another process
// stops at the same place, and says where the agents were before.
func TestARecorderIsToldOfStops(t *testing.T) {
	n := &notebook{agent: newDigger()}
	r := newSession(t, n.agent, &round.Options{Recorder: n, MaxTransitions: 3})
	var stopped *round.BudgetError
	for _, want := range [][]string{
		{"began first:CONTINUE", "stepped first:CONTINUE", "stepped first:CONTINUE", "stepped first:PASS", "stopped first:PASS", "left"},
		{"resumed first:PASS", "stopped first:PASS", "left"},
	} {
		n.events = nil
		if r.Round() == nil {
			_, err := r.Start("dig")
			require.NoError(t, err)
		}
		_, err := r.Round().Run(t.Context())
		stopped = bound(t, err)
		assert.Equal(t, want, n.events)
	}
	_, again, _ := restored(t, n.points[len(n.points)-1], round.Options{MaxTransitions: 3})
	_, err := again.Run(t.Context())
	assert.Equal(t, stopped.Error(), bound(t, err).Error())
	again.Adjust(func(o *round.Options) { o.MaxTransitions = -1 })
	_, err = again.Run(t.Context())
	require.NoError(t, err)
}

// A fault ends the round of an agent without ERROR where it stands, also in a process that died before
// it could say so.
func TestAFaultThatIsOnRecordEndsTheRound(t *testing.T) {
	set := fsm.Table("Digger", []fsm.Row[*digger]{
		{Status: fsm.Continue, Handle: func(*digger, context.Context) error { return errors.New("a stone") }},
		{Status: fsm.Finish, RoundEnd: true},
	}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel})
	n := &notebook{agent: newDigger()}
	n.agent.set = set
	_, err := newSession(t, n.agent, &round.Options{Recorder: n}).Run(t.Context(), "dig")
	require.ErrorContains(t, err, "a stone")
	require.Equal(t, []string{"began first:CONTINUE", "stepped first:CONTINUE", "ended first:CONTINUE", "left"}, n.events)
	again, r, c := restored(t, n.points[1], round.Options{})
	assert.True(t, c.Final)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFault)
	assert.Zero(t, again.agent.dug, "nothing is handled again")
}

// A round that is cancelled when a state was handled is not handled again by another process.
func TestRestoreOfAHandledState(t *testing.T) {
	n := &notebook{agent: newDigger()}
	ctx, cancel := context.WithCancel(t.Context())
	shovel := screen(func(desktop.Command) (desktop.Result, error) { cancel(); return desktop.TextResult("dug"), nil })
	n.agent.does = func(ctx context.Context) { _, _ = desktop.Execute(ctx, shovel, desktop.Command{ToolName: "dig"}) }
	_, err := newSession(t, n.agent, &round.Options{Recorder: n}).Run(ctx, "dig")
	require.ErrorIs(t, err, round.ErrCancelled)
	again, r, c := restored(t, n.points[len(n.points)-1], round.Options{})
	assert.True(t, c.Held)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "first dug 2", again.agent.Answer())
	assert.Equal(t, 2*spades, res.Calls)
}

// Nobody can record an agent that does not save itself, at the start or later.
func TestAgentsThatCannotBeRecorded(t *testing.T) {
	n := &notebook{agent: newDigger()}
	_, err := round.New(newPuppet("P"), "dig", &round.Options{Recorder: n})
	require.ErrorIs(t, err, round.ErrNotResumable)
	n.agent.other = newPuppet("P")
	_, err = newSession(t, n.agent, &round.Options{Recorder: n}).Run(t.Context(), "dig")
	require.ErrorIs(t, err, round.ErrNotResumable)
	assert.Equal(t, "PASS", string(n.agent.Status()), "it moved nobody")
}

// attacher is a Recorder whose Attach does what a func does.
type attacher func(ctx context.Context) context.Context

func (f attacher) Attach(ctx context.Context, _ checkpoint.Charge) context.Context { return f(ctx) }
func (f attacher) Record(context.Context, *round.Checkpoint) error                 { return nil }

// A Recorder that attaches nothing loses the round, as one that records nothing does.
func TestRecorderThatDoesNotAttach(t *testing.T) {
	for name, c := range map[string]struct {
		attach attacher
		want   string
	}{
		"panics":     {func(context.Context) context.Context { panic("no pencil") }, "no pencil"},
		"no context": {func(context.Context) context.Context { return nil }, "its Recorder attached no context"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := round.New(newDigger(), "dig", &round.Options{Recorder: c.attach})
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			require.ErrorIs(t, err, round.ErrLost)
			require.ErrorContains(t, err, c.want)
			assert.Equal(t, round.Lost, res.Outcome)
			assert.Zero(t, res.Steps)
		})
	}
}

// A Checkpoint may come from anywhere. Restore refuses one that no Round noted, and a session goes on
// from any other without a panic.
func TestRestoreOfOddCheckpoints(t *testing.T) {
	place := func(name string) checkpoint.Place {
		return checkpoint.Place{Agent: name, Kind: "Digger", Status: fsm.Continue}
	}
	second := func(c *round.Checkpoint) {
		c.Stack, c.Makers = append(c.Stack, place("second")), map[string]string{"second": "first"}
	}
	const below = "round: restore: a number of the Checkpoint is below zero"
	for name, c := range map[string]struct {
		change func(*round.Checkpoint)
		want   string // of the error of Restore
	}{
		"as it was noted":   {func(*round.Checkpoint) {}, ""},
		"first":             {func(c *round.Checkpoint) { c.First = -1 }, below},
		"spent":             {func(c *round.Checkpoint) { c.Spent = -1 }, below},
		"used steps":        {func(c *round.Checkpoint) { c.Used.Steps = -1 }, below},
		"round":             {func(c *round.Checkpoint) { c.Round = -1 }, below},
		"last":              {func(c *round.Checkpoint) { c.Last = -1 }, below},
		"used transitions":  {func(c *round.Checkpoint) { c.Used.Transitions = -1 }, below},
		"used cost":         {func(c *round.Checkpoint) { c.Used.Cost = -1 }, below},
		"used tokens":       {func(c *round.Checkpoint) { c.Session.Usage.InputTokens = -1 }, below},
		"read tokens":       {func(c *round.Checkpoint) { c.Used.Usage.CacheReadTokens = -1 }, below},
		"written tokens":    {func(c *round.Checkpoint) { c.Used.Usage.CacheCreationTokens = -1 }, below},
		"used calls":        {func(c *round.Checkpoint) { c.Used.Calls = -1 }, below},
		"attempt":           {func(c *round.Checkpoint) { c.Attempt = &checkpoint.Attempt{Tries: -1} }, below},
		"no agents":         {func(c *round.Checkpoint) { c.Stack = nil }, "nobody stands anywhere"},
		"an unknown status": {func(c *round.Checkpoint) { c.Stack[0].Status = "WHAT" }, "WHAT"},
		"an unknown agent":  {func(c *round.Checkpoint) { c.Stack = append(c.Stack, place("who")) }, "who"},
		"an agent that nobody makes": {func(c *round.Checkpoint) {
			c.Stack, c.Makers = append(c.Stack, place("who")), map[string]string{"who": "first"}
		}, "nobody has that name"},
		"another kind": {func(c *round.Checkpoint) { c.Stack[0].Kind = "Other" }, "Other"},
		"a worker":     {second, ""},
		"makers in a ring": {func(c *round.Checkpoint) {
			second(c)
			c.Makers = map[string]string{"second": "first", "first": "second"}
		}, ""},
		"a maker of itself":    {func(c *round.Checkpoint) { second(c); c.Makers = map[string]string{"second": "second"} }, "second"},
		"an agent twice":       {func(c *round.Checkpoint) { c.Stack = append(c.Stack, place("first")) }, "it is twice in its position"},
		"an unknown came back": {func(c *round.Checkpoint) { p := place("who"); c.Returned = &p }, "who"},
		"no result":            {func(c *round.Checkpoint) { c.Result = &round.Result{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			point := &round.Checkpoint{
				Event: checkpoint.Stepped, Request: "dig", Round: 1,
				Position: checkpoint.Position{Agent: "first", From: fsm.Continue, Begun: true, Stack: []checkpoint.Place{place("first")}},
			}
			c.change(point)
			s, err := round.Restore(t.Context(), newDigger(), point, nil)
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.NoError(t, err)
			_, _ = s.Round().Run(t.Context())
			_, _ = s.Run(t.Context(), "again")
		})
	}
	_, err := round.Restore(t.Context(), newDigger(), nil, nil)
	require.ErrorContains(t, err, "there is no Checkpoint")
}
