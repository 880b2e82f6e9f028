package round_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// cast makes puppets by name and sets whom they hand over to, as in "A>B,C".
func cast(t *testing.T, lines ...string) map[string]*puppet {
	t.Helper()
	all := map[string]*puppet{}
	get := func(name string) *puppet {
		if all[name] == nil {
			all[name] = newPuppet(name)
		}
		return all[name]
	}
	for _, line := range lines {
		name, to, _ := strings.Cut(line, ">")
		p := get(name)
		for other := range strings.SplitSeq(to, ",") {
			p.pass = append(p.pass, get(other))
			p.script = append(p.script, pass)
		}
	}
	return all
}

func TestHandOver(t *testing.T) {
	tests := []struct {
		name string
		cast []string
		set  func(map[string]*puppet)
		want string
	}{
		{"one after another", []string{"A>B,C"}, nil,
			"A:CONTINUE A:PASS B:CONTINUE B:FINISH A:CONTINUE A:PASS C:CONTINUE C:FINISH A:CONTINUE A:FINISH"},
		{"hosts under hosts", []string{"A>B", "B>C", "C>D"}, nil,
			"A:CONTINUE A:PASS B:CONTINUE B:PASS C:CONTINUE C:PASS D:CONTINUE D:FINISH C:CONTINUE C:FINISH B:CONTINUE B:FINISH A:CONTINUE A:FINISH"},
		{"what fails comes back too", []string{"A>B"}, func(all map[string]*puppet) { all["B"].script = []fsm.Status{fsm.Fail} },
			"A:CONTINUE A:PASS B:CONTINUE B:FAIL A:CONTINUE A:FINISH"},
		{"an end that names whoever handed over", []string{"A>B"}, func(all map[string]*puppet) { all["B"].heir = all["A"] },
			"A:CONTINUE A:PASS B:CONTINUE B:FINISH A:CONTINUE A:FINISH"},
		{"an end that names a third agent, which takes its place", []string{"A>B", "B>D"}, func(all map[string]*puppet) {
			all["C"] = newPuppet("C")
			all["B"].script, all["B"].heir = nil, all["C"]
		}, "A:CONTINUE A:PASS B:CONTINUE B:FINISH C:CONTINUE C:FINISH A:CONTINUE A:FINISH"},
		{"an end that names one further down", []string{"A>B", "B>C"}, func(all map[string]*puppet) { all["C"].heir = all["A"] },
			"A:CONTINUE A:PASS B:CONTINUE B:PASS C:CONTINUE C:FINISH A:CONTINUE A:FINISH"},
		{"back to one that waits, before the end", []string{"A>B", "B>C", "C>A"}, nil,
			"A:CONTINUE A:PASS B:CONTINUE B:PASS C:CONTINUE C:PASS A:CONTINUE A:FINISH"},
		{"to and fro", []string{"A>B,B,B", "B>A,A"}, nil,
			"A:CONTINUE A:PASS B:CONTINUE B:PASS A:CONTINUE A:PASS B:CONTINUE B:PASS A:CONTINUE A:PASS B:CONTINUE B:FINISH A:CONTINUE A:FINISH"},
		{"into another state", []string{"A>B"}, func(all map[string]*puppet) {
			all["A"].set = puppetStates.With(fsm.Edge{From: pass, To: fsm.Finish, Kind: "Puppet", By: fsm.BySystem})
			all["A"].to = fsm.Finish
		}, "A:CONTINUE A:PASS B:FINISH A:CONTINUE A:FINISH"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := cast(t, test.cast...)
			if test.set != nil {
				test.set(all)
			}
			way, res, err := path(t, all["A"], nil)
			require.NoError(t, err)
			assert.Equal(t, test.want, strings.Join(way, " "))
			assert.Equal(t, "done by A", res.Answer)
			assert.Equal(t, len(way)-1, res.Transitions)
			require.Len(t, all["A"].tasks, 1)
			assert.Equal(t, fsm.Task{Text: "go"}, all["A"].tasks[0])
			// The end of the round is not handled; ends that give control back are.
			assert.NotContains(t, all["A"].seen, fsm.Finish)
			for name, p := range all {
				if name != "A" && p.Status() == fsm.Finish {
					assert.Equal(t, fsm.Finish, p.seen[len(p.seen)-1], name)
				}
			}
		})
	}
}

// With nobody to return to, an end that hands over is an end.
func TestAnEndWithNobodyToReturnTo(t *testing.T) {
	a := newPuppet("A")
	a.heir = newPuppet("B")
	way, _, err := path(t, a, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"A:CONTINUE", "A:FINISH"}, way)
	assert.Empty(t, a.heir.(*puppet).seen)
}

func TestAgentsThatCannotTakePart(t *testing.T) {
	deep := cast(t, "A>B", "B>C")
	deep["C"].name = "A"
	same := cast(t, "A>B")
	same["B"].name = "A"
	uncomparable := cast(t, "A>B")
	uncomparable["A"].pass = []fsm.Agent{bag{items: []any{1}, puppet: newPuppet("B")}}
	boxed := cast(t, "A>B")
	boxed["A"].pass = []fsm.Agent{box{content: []int{1}, puppet: newPuppet("B")}}
	for name, c := range map[string]struct {
		a    *puppet
		is   error
		text string
	}{
		"the name of the agent at work":            {same["A"], round.ErrAgent, "round: A: two agents have this name"},
		"the name of one that waits":               {deep["A"], round.ErrAgent, "round: A: two agents have this name"},
		"cannot be compared":                       {uncomparable["A"], round.ErrAgent, "must be comparable"},
		"cannot be compared for what is inside it": {boxed["A"], round.ErrAgent, "must be comparable"},
	} {
		t.Run(name, func(t *testing.T) {
			_, res, err := path(t, c.a, nil)
			require.ErrorIs(t, err, c.is)
			require.ErrorIs(t, err, round.ErrFault)
			assert.Contains(t, err.Error(), c.text)
			assert.Equal(t, fsm.Error, res.Status)
		})
	}
	_, err := round.New(bag{items: []any{1}, puppet: newPuppet("B")}, "go", nil)
	require.ErrorIs(t, err, round.ErrAgent)
}

type bag struct {
	*puppet
	items []any
}

type box struct {
	*puppet
	content any // of a type that can be compared, until somebody does
}

func TestTablesThatCannotBeDriven(t *testing.T) {
	noStart := newPuppet("A")
	noStart.set = fsm.NewManager[*puppet]("NoStart")
	_, err := round.New(noStart, "go", nil)
	require.ErrorIs(t, err, round.ErrAgent)
	assert.ErrorContains(t, err, "no start")

	unknown := newPuppet("A")
	unknown.set = fsm.NewManager[*puppet]("Unknown", fsm.Edge{To: "NOWHERE", By: fsm.BySystem})
	_, err = round.New(unknown, "go", nil)
	require.ErrorIs(t, err, fsm.ErrUnknownStatus)
}

// A kind without ERROR ends where it stands, and as ERROR all the same.
func TestAKindWithoutError(t *testing.T) {
	a := newPuppet("A")
	a.set = fsm.Table("NoError", []fsm.Row[*puppet]{
		{Status: fsm.Continue, Handle: func(*puppet, context.Context) error { return errBang }},
		{Status: fsm.Finish, RoundEnd: true},
	}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel})
	way, res, err := path(t, a, nil)
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, []string{"A:CONTINUE", "A:ERROR"}, way)
	assert.Equal(t, fsm.Error, res.Status)
	assert.Equal(t, fsm.Continue, a.Status())
}

// An ERROR that ends nothing is a state like any other; a fault in it ends the round.
func TestAnErrorThatGoesOn(t *testing.T) {
	for _, recovers := range []bool{true, false} {
		a := newPuppet("A")
		fails := 1
		if !recovers {
			fails = 2
		}
		a.do = func(context.Context) error {
			if fails--; fails >= 0 {
				return errBang
			}
			return nil
		}
		a.set = fsm.Table("Recovers", []fsm.Row[*puppet]{
			{Status: fsm.Continue, Handle: (*puppet).play},
			{Status: fsm.Error, Handle: (*puppet).play, NextState: fsm.To[*puppet](fsm.Continue)},
			{Status: fsm.Finish, RoundEnd: true},
		}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
			fsm.Edge{From: fsm.Error, To: fsm.Continue, By: fsm.BySystem})
		way, res, err := path(t, a, nil)
		if recovers {
			require.NoError(t, err)
			assert.Equal(t, []string{"A:CONTINUE", "A:ERROR", "A:CONTINUE", "A:FINISH"}, way)
			continue
		}
		require.ErrorIs(t, err, errBang)
		assert.Equal(t, []string{"A:CONTINUE", "A:ERROR", "A:ERROR"}, way)
		assert.Equal(t, round.Faulted, res.Outcome)
	}
}

// An edge to another agent without a status leads to the start of that agent, and to
// no other status of it.
func TestAnEdgeToTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		to   fsm.Status
		kind string
		ok   bool
	}{
		"the start, of any kind":             {"WAKE", fsm.AnyKind, true},
		"the start, of that kind":            {"WAKE", "Sleeper", true},
		"another status":                     {fsm.Finish, fsm.AnyKind, false},
		"the start, of a kind that it isn't": {"WAKE", "Another", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newPuppet("B", fsm.Finish)
			b.set = fsm.Table("Sleeper", []fsm.Row[*puppet]{
				{Status: "WAKE", Handle: (*puppet).play},
				{Status: fsm.Finish, SubtaskEnd: true},
			}, fsm.Edge{To: "WAKE", By: fsm.BySystem}, fsm.Edge{From: "WAKE", To: fsm.Finish, By: fsm.ByModel})
			a := newPuppet("A", pass, fsm.Finish)
			a.to, a.pass = c.to, []fsm.Agent{b}
			var edges []fsm.Edge
			for _, e := range puppetEdges {
				if e.From == pass {
					e.To, e.Kind = "", c.kind
				}
				edges = append(edges, e)
			}
			a.set = fsm.Table("Puppet", puppetRows, edges...)
			way, _, err := path(t, a, nil)
			if !c.ok {
				require.ErrorIs(t, err, fsm.ErrNotAllowed)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, []string{"A:CONTINUE", "A:PASS", "B:WAKE", "B:FINISH", "A:CONTINUE", "A:FINISH"}, way)
		})
	}
}

// Whatever ends a round and is not a success by its table is none, and the error says
// what would have been one.
func TestEndsOfOtherNames(t *testing.T) {
	a := newPuppet("A", "STOP")
	a.set = fsm.Table("Stops", []fsm.Row[*puppet]{
		{Status: fsm.Continue, Handle: (*puppet).play},
		{Status: "STOP", RoundEnd: true},
		{Status: "DONE", RoundEnd: true, Success: true},
		{Status: fsm.Finish, RoundEnd: true},
	}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: "DONE", By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel}, fsm.Edge{From: fsm.Continue, To: "STOP", By: fsm.ByModel})
	set := a.set
	_, res, err := path(t, a, nil)
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, round.Failed, res.Outcome)
	assert.Equal(t, fsm.Status("STOP"), res.Status)
	assert.Empty(t, res.Answer)
	assert.ErrorContains(t, err, "A:STOP")
	assert.ErrorContains(t, err, "(a success would be DONE or FINISH)")

	done := newPuppet("A", "DONE")
	done.set = set
	_, res, err = path(t, done, nil)
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	assert.Equal(t, fsm.Status("DONE"), res.Status)
}

// What the model writes needs an edge that a model may take.
func TestTheModelMayNotTakeTheSystemsEdge(t *testing.T) {
	a := newPuppet("A", fsm.Finish)
	a.set = fsm.Table("Puppet", puppetRows,
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: pass, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
		fsm.Edge{From: pass, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	)
	way, res, err := path(t, a, nil)
	require.ErrorIs(t, err, fsm.ErrNotAllowed)
	require.ErrorContains(t, err, "by its model's word")
	assert.Equal(t, []string{"A:CONTINUE", "A:ERROR"}, way)
	assert.Equal(t, round.Faulted, res.Outcome)
}
