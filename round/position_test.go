package round

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// walker is an agent that goes where a test says, and can be recorded.
type walker struct {
	fsm.Position
	name string
	to   fsm.Agent             // who is next; nil: itself
	own  map[string]fsm.Worker // whom it can make again
	back []string              // who came back
}

func (w *walker) Name() string                          { return w.name }
func (w *walker) States() fsm.Set                       { return walkerStates }
func (w *walker) Begin(context.Context, fsm.Task) error { return nil }
func (w *walker) Answer() string                        { return "" }
func (w *walker) Returned(a fsm.Agent)                  { w.back = append(w.back, a.Name()) }
func (w *walker) Save() (fsm.Saved, error)              { return fsm.Saved{}, nil }
func (w *walker) Load(fsm.Saved) error                  { return nil }

func (w *walker) Worker(_ context.Context, name string) (fsm.Worker, error) {
	if made := w.own[name]; made != nil {
		return made, nil
	}
	return nil, errNobody
}

var errNobody = errors.New("nobody of this name")

func (w *walker) next() fsm.Agent {
	if w.to != nil {
		return w.to
	}
	return w
}

var walkerStates = fsm.Table("Walker",
	[]fsm.Row[*walker]{
		{Status: fsm.Continue, NextAgent: (*walker).next},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

// walk lets the agent at work decide, and moves it. next: to whom it hands over.
func walk(t *testing.T, p *position, next fsm.Agent, to fsm.Status) fsm.Cause {
	t.Helper()
	at, ok := p.agent.(*walker)
	require.True(t, ok)
	at.to = next
	at.Decide(to, fsm.ByModel, "")
	p.past.add(p.agent, p.bound)
	by, err := p.move()
	require.NoError(t, err)
	return by
}

func TestPositionMoves(t *testing.T) {
	host, app, tool := &walker{name: "host"}, &walker{name: "app"}, &walker{name: "tool"}
	p, err := newPosition(host, true)
	require.NoError(t, err)
	host.own, app.own = map[string]fsm.Worker{"app": app}, map[string]fsm.Worker{"tool": tool}
	p.begun = true

	steps := []struct {
		next    fsm.Agent
		to      fsm.Status
		by      fsm.Cause
		at      string
		stack   []fsm.Agent
		returns fsm.Agent
	}{
		{nil, fsm.Continue, fsm.ByModel, "host:CONTINUE", nil, nil},
		{app, fsm.Continue, fsm.ByModel, "app:CONTINUE", []fsm.Agent{host}, nil},
		{tool, fsm.Continue, fsm.ByModel, "tool:CONTINUE", []fsm.Agent{host, app}, nil},
		{host, fsm.Continue, fsm.ByModel, "host:CONTINUE", nil, nil}, // down to who waits there
		{app, fsm.Continue, fsm.ByModel, "app:CONTINUE", []fsm.Agent{host}, nil},
		{nil, fsm.Finish, fsm.ByModel, "app:FINISH", []fsm.Agent{host}, nil},
		{nil, "", fsm.BySystem, "host:CONTINUE", nil, app},
		{nil, fsm.Finish, fsm.ByModel, "host:FINISH", nil, nil},
	}
	for i, s := range steps {
		assert.False(t, p.ended(), i)
		assert.Equal(t, s.by, walk(t, &p, s.next, s.to), i)
		assert.Equal(t, s.at, agentAt(p.agent.Name(), p.bound.Status()), i)
		assert.Equal(t, p.bound.Status(), p.agent.Status(), i)
		assert.ElementsMatch(t, s.stack, p.stack, i)
		assert.Equal(t, s.returns, p.returned, i)
	}
	assert.True(t, p.ended())
	assert.Equal(t, []string{"app"}, host.back)
	assert.Equal(t, map[string]string{"app": "host", "tool": "app"}, p.makers, "who handed over first")
	assert.Equal(t, []fsm.Agent{app, tool, host}, p.innermostFirst())
	where := p.where()
	assert.Equal(t, []string{"app:FINISH", "host:CONTINUE", "host:FINISH"}, where[len(where)-3:])

	require.NoError(t, p.stillOurs())
	host.SetStatus(fsm.Continue)
	require.ErrorIs(t, p.stillOurs(), ErrAgent)
	assert.Empty(t, p.innermostFirst(), "another round has them")
}

// A step that cannot be taken moves nobody.
func TestPositionRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		next fsm.Agent
		to   fsm.Status
		want error
	}{
		"no edge":            {nil, fsm.Error, fsm.ErrNotAllowed},
		"no agent":           {(*walker)(nil), fsm.Continue, ErrAgent},
		"another host":       {&walker{name: "host"}, fsm.Continue, ErrAgent},
		"cannot be recorded": {unkept{&walker{name: "app"}}, fsm.Continue, ErrNotResumable},
	} {
		t.Run(name, func(t *testing.T) {
			host := &walker{name: "host", to: c.next}
			p, err := newPosition(host, true)
			require.NoError(t, err)
			host.SetStatus(fsm.Continue)
			host.Decide(c.to, fsm.ByModel, "")
			_, err = p.move()
			require.ErrorIs(t, err, c.want)
			assert.Equal(t, fsm.Agent(host), p.agent)
			assert.Equal(t, fsm.Continue, host.Status())
			assert.Empty(t, p.stack)
			assert.Empty(t, p.makers)
		})
	}
}

// unkept is an agent whose data nobody can keep.
type unkept struct{ fsm.Worker }

// crew are a host and an agent that it can hand over to.
func crew() (host, app *walker) {
	host, app = &walker{name: "host"}, &walker{name: "app"}
	host.own = map[string]fsm.Worker{"app": app}
	return host, app
}

// Another process puts its agents where those of the first one stood.
func TestPositionIsPlaced(t *testing.T) {
	for name, c := range map[string]struct {
		steps []fsm.Status // of the app, after the host has handed over
		held  bool
		at    string
		back  []string
	}{
		"with the app":       {nil, false, "app:CONTINUE", nil},
		"at its end":         {[]fsm.Status{fsm.Finish}, false, "app:FINISH", nil},
		"handed back":        {[]fsm.Status{fsm.Finish, ""}, false, "host:CONTINUE", []string{"app"}},
		"handled, not moved": {nil, true, "app:CONTINUE", nil},
	} {
		t.Run(name, func(t *testing.T) {
			host, app := crew()
			was, err := newPosition(host, true)
			require.NoError(t, err)
			was.begun, was.held = true, c.held
			host.SetStatus(fsm.Continue) // with its task
			walk(t, &was, app, fsm.Continue)
			for _, to := range c.steps {
				walk(t, &was, nil, to)
			}
			app.Decide(fsm.Finish, fsm.ByModel, "done")
			var point Checkpoint
			was.note(&point)

			host, app = crew()
			now, err := newPosition(host, true)
			require.NoError(t, err)
			require.NoError(t, now.place(t.Context(), &point))
			assert.Equal(t, c.at, agentAt(now.agent.Name(), now.bound.Status()))
			assert.Equal(t, c.back, host.back)
			assert.Equal(t, was.where(), now.where())
			var again Checkpoint
			now.note(&again)
			if c.held {
				assert.Equal(t, "done", app.Decision().Reason)
				point.History = append(point.History, c.at) // which it was handled at
			}
			assert.Equal(t, point, again)
		})
	}
}

func TestPositionIsNotPlaced(t *testing.T) {
	at := func(agent, kind string, status fsm.Status) checkpoint.Place {
		return checkpoint.Place{Agent: agent, Kind: kind, Status: status}
	}
	made := map[string]string{"app": "host", "a": "b", "b": "a"}
	for name, c := range map[string]struct {
		stack []checkpoint.Place
		want  error
	}{
		"nobody":          {nil, ErrNotResumable},
		"another kind":    {[]checkpoint.Place{at("host", "Runner", fsm.Continue)}, ErrNotResumable},
		"no such status":  {[]checkpoint.Place{at("host", "Walker", "REST")}, fsm.ErrUnknownStatus},
		"nobody made it":  {[]checkpoint.Place{at("host", "Walker", fsm.Continue), at("tool", "Walker", fsm.Continue)}, ErrNotResumable},
		"cannot be made":  {[]checkpoint.Place{at("host", "Walker", fsm.Continue), at("app", "Walker", fsm.Continue)}, errNobody},
		"made in a ring":  {[]checkpoint.Place{at("a", "Walker", fsm.Continue)}, ErrNotResumable},
		"twice in a line": {[]checkpoint.Place{at("host", "Walker", fsm.Continue), at("host", "Walker", fsm.Continue)}, ErrNotResumable},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := newPosition(&walker{name: "host"}, true)
			require.NoError(t, err)
			err = p.place(t.Context(), &Checkpoint{Position: checkpoint.Position{Stack: c.stack, Makers: made}})
			require.ErrorIs(t, err, c.want)
		})
	}
}
