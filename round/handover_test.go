package round_test

import (
	"context"
	"errors"
	"slices"
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
		{"an end that names another agent, with nobody to return to", []string{"A>B"}, func(all map[string]*puppet) {
			all["A"].script, all["A"].heir = nil, all["B"]
		}, "A:CONTINUE A:FINISH"},
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

// A table without a start, or without the state that it starts in, drives nothing; nor does one
// that comes into an agent later.
func TestTablesThatCannotBeDriven(t *testing.T) {
	for want, edges := range map[error][]fsm.Edge{round.ErrAgent: nil, fsm.ErrUnknownStatus: {{To: "NOWHERE", By: fsm.BySystem}}} {
		a := newPuppet("A")
		s := newSession(t, a, nil)
		a.set = fsm.NewManager[*puppet]("Bad", edges...)
		_, err := s.Run(t.Context(), "go")
		require.ErrorIs(t, err, want)
		_, err = round.New(a, "go", nil)
		require.ErrorIs(t, err, want)
	}
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
	for faults, want := range map[int][]string{
		1: {"A:CONTINUE", "A:ERROR", "A:CONTINUE", "A:FINISH"},
		2: {"A:CONTINUE", "A:ERROR", "A:ERROR"},
	} {
		a := newPuppet("A")
		a.do = func(context.Context) error {
			if len(a.seen) <= faults {
				return errBang
			}
			return nil
		}
		a.set = recovering
		way, _, err := path(t, a, nil)
		assert.Equal(t, faults == 2, errors.Is(err, errBang))
		assert.Equal(t, want, way)
	}
}

// An edge to another agent without a status leads to the start of that agent, and to
// no other status of it.
func TestAnEdgeToTheStart(t *testing.T) {
	for to, ok := range map[fsm.Status]bool{"WAKE": true, fsm.Finish: false} {
		for kind, of := range map[string]bool{fsm.AnyKind: true, "Sleeper": true, "Another": false} {
			b := newPuppet("B", fsm.Finish)
			b.set = fsm.Table("Sleeper", []fsm.Row[*puppet]{
				{Status: "WAKE", Handle: (*puppet).play},
				{Status: fsm.Finish, SubtaskEnd: true},
			}, fsm.Edge{To: "WAKE", By: fsm.BySystem}, fsm.Edge{From: "WAKE", To: fsm.Finish, By: fsm.ByModel})
			a := newPuppet("A", pass, fsm.Finish)
			a.to, a.pass = to, []fsm.Agent{b}
			edges := slices.Clone(puppetEdges)
			for i, e := range edges {
				if e.From == pass {
					edges[i].To, edges[i].Kind = "", kind
				}
			}
			a.set = fsm.Table("Puppet", puppetRows, edges...)
			way, _, err := path(t, a, nil)
			if !ok || !of {
				require.ErrorIs(t, err, fsm.ErrNotAllowed)
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, []string{"A:CONTINUE", "A:PASS", "B:WAKE", "B:FINISH", "A:CONTINUE", "A:FINISH"}, way)
		}
	}
}
