package round_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

func TestStepsThatAreNotInTheTable(t *testing.T) {
	to := func(a fsm.Agent) *puppet {
		p := newPuppet("A", pass)
		p.pass = []fsm.Agent{a}
		return p
	}
	with := func(a *puppet, change func(a *puppet)) *puppet {
		change(a)
		return a
	}
	deep := cast(t, "A>B", "B>C")
	deep["C"].name = "A"
	all := cast(t, "A>B,C", "B>D")
	all["D"].name = "C"
	namesake := all["A"]
	for name, c := range map[string]struct {
		a    *puppet
		is   error
		text string
	}{
		"no edge":               {newPuppet("A", fsm.Error), fsm.ErrNotAllowed, "may not go from CONTINUE to ERROR"},
		"nothing decided":       {newPuppet("A", ""), fsm.ErrNotAllowed, ""},
		"no hand-over to there": {with(to(newPuppet("B")), func(a *puppet) { a.to = fsm.Finish }), fsm.ErrNotAllowed, ""},
		"by its model on an edge of the system": {with(newPuppet("A", pass), func(a *puppet) {
			edges := slices.Clone(puppetEdges)
			edges[2].By = fsm.BySystem
			a.set = fsm.Table("Puppet", puppetRows, edges...)
		}), fsm.ErrNotAllowed, "by its model's word"},
		"the next agent has no such": {to(with(newPuppet("B"), func(b *puppet) {
			b.set = fsm.Table("NoContinue", []fsm.Row[*puppet]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
		})), fsm.ErrUnknownStatus, ""},
		"nil":                             {to(nil), round.ErrAgent, "next agent is nil"},
		"a nil pointer":                   {to((*puppet)(nil)), round.ErrAgent, "next agent is nil"},
		"an agent without States":         {to(with(newPuppet("B"), func(b *puppet) { b.set = nil })), round.ErrAgent, "its States are nil"},
		"a panic in a hand-over's Name()": {to(mute{newPuppet("B")}), errBang, ""},
		"the name of one that waits":      {deep["A"], round.ErrAgent, `round: A: two agents have this name: one of kind "Puppet", and now one of kind "Puppet"`},
		"the name of one of another kind": {with(newPuppet("A", pass, pass), func(a *puppet) {
			a.pass = []fsm.Agent{newPuppet("B"), &moody{puppet: newPuppet("B")}}
		}), round.ErrAgent, `round: B: two agents have this name: one of kind "Puppet", and now one of kind "Moody"`},
		"the name of one that another made":    {namesake, round.ErrAgent, "round: C: two agents have this name"},
		"cannot be compared":                   {to(bag{items: []any{1}, puppet: newPuppet("B")}), round.ErrAgent, "must be comparable"},
		"cannot be compared for what is in it": {to(box{content: []int{1}, puppet: newPuppet("B")}), round.ErrAgent, "must be comparable"},
	} {
		t.Run(name, func(t *testing.T) {
			_, res, err := path(t, c.a, nil)
			require.ErrorIs(t, err, round.ErrFault)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.text)
			assert.Equal(t, fsm.Error, res.Status)
		})
	}
}

type mute struct{ *puppet }

func (mute) Name() string { panic(errBang) }

type bag struct {
	*puppet
	items []any
}

type box struct {
	*puppet
	content any // of a type that can be compared, until somebody does
}

// An agent whose way back is gone is at fault where it ended.
func TestNoWayBack(t *testing.T) {
	states := fsm.NewManager[*puppet]("OneWay", fsm.Edge{To: "GO", By: fsm.BySystem},
		fsm.Edge{From: "GO", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem})
	row := fsm.Row[*puppet]{Status: "GO", NextState: fsm.To[*puppet](fsm.Continue), NextAgent: (*puppet).next}
	require.NoError(t, states.AddState("GO", row.State()))
	a := newPuppet("A")
	a.set = states
	a.heir = newPuppet("B")
	way, _, err := path(t, a, nil)
	require.ErrorIs(t, err, fsm.ErrUnknownStatus)
	assert.Equal(t, []string{"A:GO", "B:CONTINUE", "B:FINISH", "B:ERROR"}, way)
}

// moody panics when it is moved to a status.
type moody struct {
	*puppet
	hates fsm.Status
}

func (m *moody) SetStatus(s fsm.Status) {
	if s == m.hates {
		panic(errBang)
	}
	m.puppet.SetStatus(s)
}
func (m *moody) States() fsm.Set { return moodyStates }

var moodyStates = fsm.Table("Moody",
	[]fsm.Row[*moody]{
		{Status: fsm.Continue, Handle: func(m *moody, ctx context.Context) error { return m.play(ctx) }},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel})

func TestAnAgentThatCannotBeMoved(t *testing.T) {
	for hates, stands := range map[fsm.Status]fsm.Status{fsm.Continue: fsm.Error, fsm.Finish: fsm.Error, fsm.Error: fsm.Continue} {
		m := &moody{puppet: newPuppet("A", fsm.Finish), hates: hates}
		if hates == fsm.Error {
			m.script = []fsm.Status{"NOWHERE"}
		}
		_, res, err := path(t, m, nil)
		require.ErrorIs(t, err, round.ErrFault)
		assert.Equal(t, fsm.Error, res.Status)
		assert.Equal(t, stands, m.Status())
	}
}

// What a plug-in is asked under a context that is done, it is not asked. A panic at that
// moment is not lost, and the position stays.
func TestNothingIsCalledWhenCancelled(t *testing.T) {
	asked := 0
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		asked++
		return nil, nil
	})
	d := screen(func(desktop.Command) (desktop.Result, error) {
		asked++
		return desktop.Result{Status: desktop.Success}, nil
	})
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		asked++
		return people.Answer{}, nil
	})
	why, falls := errors.New("it is late"), errors.New("falls")
	for _, panics := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		a := doing(func(ctx context.Context) error {
			cancel(why)
			_, err := llm.Complete(ctx, model, &llm.Request{})
			require.ErrorIs(t, err, why)
			_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
			require.ErrorIs(t, err, why)
			_, err = people.Ask(ctx, user, people.Question{}, 0)
			require.ErrorIs(t, err, why)
			if panics {
				panic(falls)
			}
			return nil
		})
		r, err := round.New(a, "go", nil)
		require.NoError(t, err)
		res, err := r.Run(ctx)
		require.ErrorIs(t, err, why)
		assert.Equal(t, panics, errors.Is(err, falls))
		assert.Equal(t, round.Cancelled, res.Outcome)
		assert.Equal(t, fsm.Continue, a.Status())
		assert.Zero(t, asked)
	}
}

// nothing is an error whose text cannot be had.
type nothing struct{ text string }

func (n *nothing) Error() string { return n.text }

func TestAFaultWithoutAText(t *testing.T) {
	_, res, err := path(t, doing(func(context.Context) error { return (*nothing)(nil) }), nil)
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, "*round_test.nothing", res.Reason)
}

// A state that returns the error of people.Ask as it is, with nobody to ask, leads to
// FAIL with that reason. What stands beside it is a fault, and so is the same in other words.
func TestNobodyToAskIsNoFault(t *testing.T) {
	asks := func(ctx context.Context) error {
		_, err := people.Ask(ctx, nil, people.Question{Text: "May I?"}, 0)
		return err
	}
	steps, err := observe(t, doing(asks))
	require.ErrorIs(t, err, round.ErrFailed)
	require.Len(t, steps, 1)
	assert.Equal(t, "A:CONTINUE -> A:FAIL (system)", steps[0].String())
	assert.Equal(t, "there is nobody to ask", steps[0].Reason)
	require.NoError(t, steps[0].Err)

	disk := errors.New("the disk is full")
	for _, fault := range []error{errors.Join(disk, people.ErrNobody), fmt.Errorf("%w, and %w", disk, people.ErrNobody), fmt.Errorf("ask: %w", people.ErrNobody)} {
		_, err := start(t, func(context.Context) error { return fault }, nil).Run(t.Context())
		require.ErrorIs(t, err, round.ErrFault)
		require.ErrorIs(t, err, fault)
	}
}
