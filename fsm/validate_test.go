package fsm_test

import (
	"cmp"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

func findings(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok)
	var texts []string
	for _, e := range joined.Unwrap() {
		require.ErrorIs(t, e, fsm.ErrTable)
		texts = append(texts, e.Error())
	}
	return texts
}

func TestValidate(t *testing.T) {
	// Every table has A, which does not end, and END and ERROR, which do.
	start := fsm.Edge{To: "A", By: fsm.BySystem}
	end := fsm.Edge{From: "A", To: "END", By: fsm.ByModel}
	tests := []struct {
		name  string
		kind  string
		extra []fsm.State[*agent]
		edges []fsm.Edge
		want  []string
	}{
		{name: "a clean table", edges: []fsm.Edge{start, end}},
		{name: "an end that goes on to an end", edges: []fsm.Edge{start, end, {From: fsm.Error, To: "END", By: fsm.BySystem}}},
		{name: "an end that hands over", extra: []fsm.State[*agent]{&plain{name: fsm.Continue}},
			edges: []fsm.Edge{start, end, {From: "END", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem}, {From: fsm.Continue, To: "A", By: fsm.BySystem}}},
		{name: "two starts", extra: []fsm.State[*agent]{&plain{name: "B"}},
			edges: []fsm.Edge{start, end, {To: "B", By: fsm.BySystem}, {From: "B", To: "A", By: fsm.ByUser}},
			want:  []string{"fsm: Kind: it has several starts, A, B: only one edge may have no From"}},
		{name: "no start", edges: []fsm.Edge{end},
			want: []string{"fsm: Kind: no start: one edge needs an empty From"}},
		{name: "edge to an unregistered status", edges: []fsm.Edge{start, end, {From: "A", To: "B", By: fsm.ByModel}},
			want: []string{`fsm: Kind: A: an edge leads to "B", which is not registered`}},
		{name: "edges from an unregistered status, said once", edges: []fsm.Edge{start, end, {From: "B", To: "A", By: fsm.ByModel}, {From: "B", To: "END", By: fsm.ByModel}},
			want: []string{"fsm: Kind: B: an edge starts here, but the state is not registered"}},
		{name: "hand-over to an unregistered status of the own kind", extra: []fsm.State[*agent]{&plain{name: fsm.Continue}},
			edges: []fsm.Edge{start, end, {From: "A", To: fsm.Continue, By: fsm.BySystem}, {From: fsm.Continue, To: "B", Kind: "Kind", By: fsm.BySystem}},
			want:  []string{`fsm: Kind: CONTINUE: an edge leads to "B", which is not registered`}},
		{name: "hand-over to the start of another kind", extra: []fsm.State[*agent]{&plain{name: fsm.Continue}},
			edges: []fsm.Edge{start, end, {From: "A", To: "", Kind: "Other", By: fsm.BySystem}, {From: fsm.Continue, To: "A", By: fsm.BySystem}}},
		{name: "an edge to no status", edges: []fsm.Edge{start, end, {From: "A", By: fsm.BySystem}},
			want: []string{"fsm: Kind: A: an edge leads to \"\", which is not registered"}},
		{name: "hand-over without a way back", edges: []fsm.Edge{start, end, {From: "A", To: "X", Kind: fsm.AnyKind, By: fsm.BySystem}},
			want: []string{"fsm: Kind: A: it hands over to another agent.X, and control comes back at CONTINUE, which is not registered"}},
		{name: "hand-over at the start", extra: []fsm.State[*agent]{&plain{name: fsm.Continue}},
			edges: []fsm.Edge{start, end, {From: "", To: "X", Kind: "Other", By: fsm.BySystem}, {From: "A", To: fsm.Continue, By: fsm.BySystem}, {From: fsm.Continue, To: "A", By: fsm.BySystem}},
			want:  []string{"fsm: Kind: the start leads to another agent"}},
		{name: "an edge without a cause", edges: []fsm.Edge{start, {From: "A", To: "END"}},
			want: []string{"fsm: Kind: A: the edge to END names no cause (By)"}},
		{name: "a status that no model can write", extra: []fsm.State[*agent]{&plain{name: "done", end: true}, &plain{name: " B", end: true}},
			edges: []fsm.Edge{start, end, {From: "A", To: "done", By: fsm.ByModel}, {From: "A", To: " B", By: fsm.ByModel | fsm.BySystem}},
			want: []string{"fsm: Kind: A: the model can never take the edge to  B: what it writes is read as B",
				"fsm: Kind: A: the model can never take the edge to done: what it writes is read as DONE"}},
		{name: "a status that no model has to write", extra: []fsm.State[*agent]{&plain{name: "done", end: true}},
			edges: []fsm.Edge{start, end, {From: "A", To: "done", By: fsm.BySystem}}},
		{name: "an edge by a fault", edges: []fsm.Edge{start, end, {From: "A", To: fsm.Error, By: fsm.ByFault | fsm.BySystem}},
			want: []string{"fsm: Kind: A: the edge to ERROR is caused by a fault; faults need no edge"}},
		{name: "a circle that nothing leads to", extra: []fsm.State[*agent]{&plain{name: "B"}, &plain{name: "C"}},
			edges: []fsm.Edge{start, end, {From: "B", To: "C", By: fsm.BySystem}, {From: "C", To: "B", By: fsm.BySystem}},
			want:  []string{"fsm: Kind: B: nothing leads to it", "fsm: Kind: C: nothing leads to it"}},
		{name: "a state without exit", extra: []fsm.State[*agent]{&plain{name: "B"}},
			edges: []fsm.Edge{start, end, {From: "A", To: "B", By: fsm.ByModel}},
			want:  []string{"fsm: Kind: B: it does not end, and no edge leads out of it"}},
		{name: "a state of another name", extra: []fsm.State[*agent]{&named{&plain{name: "B"}}},
			edges: []fsm.Edge{start, end, {From: "A", To: "B", By: fsm.ByModel}, {From: "B", To: "A", By: fsm.ByModel}},
			want:  []string{`fsm: Kind: B: its state is named "another"`}},
		{name: "a kind named any", kind: fsm.AnyKind, edges: []fsm.Edge{start, end},
			want: []string{`fsm: *: "*" is no name for a kind: a hand-over to its agents cannot be told from other steps`}},
		{name: "several, sorted", extra: []fsm.State[*agent]{&plain{name: "Z"}, &plain{name: "M"}},
			edges: []fsm.Edge{end, {To: "NOWHERE", By: fsm.BySystem}, start, {From: "M", To: "M"}, {From: "END", To: "A", By: fsm.ByFault}},
			want: []string{
				`fsm: Kind: an edge leads to "NOWHERE", which is not registered`,
				"fsm: Kind: it has several starts, A, NOWHERE: only one edge may have no From",
				"fsm: Kind: END: it ends, and yet an edge leads on to A, which does not",
				"fsm: Kind: END: the edge to A is caused by a fault; faults need no edge",
				"fsm: Kind: M: it does not end, and no edge leads out of it",
				"fsm: Kind: M: nothing leads to it",
				"fsm: Kind: M: the edge to M names no cause (By)",
				"fsm: Kind: Z: it does not end, and no edge leads out of it",
				"fsm: Kind: Z: nothing leads to it",
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := fsm.NewManager[*agent](cmp.Or(test.kind, "Kind"), test.edges...)
			register(t, m, "A")
			for _, s := range []fsm.Status{"END", fsm.Error} {
				require.NoError(t, m.AddState(s, &plain{name: s, end: true}))
			}
			for _, s := range test.extra {
				name := s.Name()
				if n, ok := s.(*named); ok {
					name = n.name
				}
				require.NoError(t, m.Register(name, func() fsm.State[*agent] { return s }))
			}
			bindAll(m)
			first := findings(t, m.Validate())
			assert.Equal(t, test.want, first)
			assert.Equal(t, first, findings(t, m.Validate()), "the same at every call")
		})
	}
}

func bindAll(m *fsm.Manager[*agent]) {
	for _, s := range m.Statuses() {
		m.Bind(s)
	}
}

// Validate and a diagram of rows make no state. Of a constructor only the edges are
// checked, until its state is made.
func TestValidateMakesNoState(t *testing.T) {
	type row = fsm.Row[*agent]
	m := fsm.Table("Kind", []row{{Status: "A"}, {Status: fsm.Finish, RoundEnd: true}},
		fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: fsm.Finish, By: fsm.ByModel})
	require.NotContains(t, m.Mermaid(), "A --> [*]")
	require.Contains(t, m.Mermaid(), "FINISH --> [*]")
	assert.Empty(t, m.StateMap())
	m.State("A")
	assert.Len(t, m.StateMap(), 1)

	c := m.With(fsm.Edge{From: "A", To: "B", By: fsm.ByModel}, fsm.Edge{From: fsm.Finish, To: "B", By: fsm.BySystem}, fsm.Edge{From: "A", To: "D", By: fsm.BySystem})
	require.NoError(t, c.Register("B", newPlain("B")))
	require.NoError(t, c.Register("C", newPlain("C")))
	require.NoError(t, c.AddState("D", &plain{name: "D", end: true}))
	assert.Equal(t, []string{"fsm: Kind: C: nothing leads to it"}, findings(t, c.Validate()))
	assert.Len(t, c.StateMap(), 1, "what was given as it is")
	bindAll(c)
	assert.Equal(t, []string{
		"fsm: Kind: B: it does not end, and no edge leads out of it",
		"fsm: Kind: C: it does not end, and no edge leads out of it",
		"fsm: Kind: C: nothing leads to it",
		"fsm: Kind: FINISH: it ends, and yet an edge leads on to B, which does not",
	}, findings(t, c.Validate()))
	assert.Nil(t, findings(t, c.With(fsm.Edge{From: "A", To: "C", By: fsm.ByModel}, fsm.Edge{From: "B", To: "A", By: fsm.BySystem}).Validate()), "a copy has states of its own")
}

// A table that was right is looked at again when it has another state, or one that is made by then.
func TestValidateAgain(t *testing.T) {
	type row = fsm.Row[*agent]
	table := func() *fsm.Manager[*agent] {
		return fsm.Table("Kind", []row{{Status: "A"}, {Status: fsm.Finish, RoundEnd: true}},
			fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: fsm.Finish, By: fsm.ByModel})
	}
	m := table()
	require.NoError(t, m.Validate())
	require.NoError(t, m.AddState("B", &plain{name: "B"}))
	assert.Equal(t, []string{"fsm: Kind: B: it does not end, and no edge leads out of it", "fsm: Kind: B: nothing leads to it"}, findings(t, m.Validate()))

	m = table().With(fsm.Edge{From: "A", To: "B", By: fsm.ByModel})
	require.NoError(t, m.Register("B", newPlain("B")))
	require.NoError(t, m.Validate(), "nobody knows yet whether B ends")
	m.State("B")
	assert.Equal(t, []string{"fsm: Kind: B: it does not end, and no edge leads out of it"}, findings(t, m.Validate()))
}

// named is a state with another name than its registration.
type named struct{ *plain }

func (*named) Name() fsm.Status { return "another" }

// ERROR needs a state in which a fault can happen, and a state one that is there.
func TestValidateReachesErrorByFaultOnly(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind", fsm.Edge{To: "END", By: fsm.BySystem})
	require.NoError(t, m.AddState("END", &plain{name: "END", end: true}))
	require.NoError(t, m.AddState(fsm.Error, &plain{name: fsm.Error, end: true}))
	assert.Equal(t, []string{"fsm: Kind: ERROR: nothing leads to it"}, findings(t, m.Validate()))

	m = fsm.NewManager[*agent]("Kind", fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: "END", By: fsm.BySystem})
	require.NoError(t, m.Register("A", func() fsm.State[*agent] { return nil }))
	require.NoError(t, m.AddState("END", &plain{name: "END", end: true}))
	bindAll(m)
	assert.Equal(t, []string{"fsm: Kind: A: its constructor returns nil or panics"}, findings(t, m.Validate()))
}

// silent says nothing about success: it has no method IsSuccess.
type silent struct {
	name fsm.Status
	end  bool
}

func (s silent) Name() fsm.Status                     { return s.name }
func (s silent) Handle(context.Context, *agent) error { return nil }
func (s silent) NextState(a *agent) fsm.Status        { return a.Decision().To }
func (s silent) NextAgent(a *agent) fsm.Agent         { return a }
func (s silent) IsRoundEnd() bool                     { return s.end }
func (s silent) IsSubtaskEnd() bool                   { return s.end }

// Success is what the end of a table says it is, in a row or in a state of one's own;
// what cannot be a success is found.
func TestSuccess(t *testing.T) {
	const none = "fsm: Kind: no end is a success: register FINISH, or set Success in the row of a state that ends"
	type row = fsm.Row[*agent]
	for name, c := range map[string]struct {
		end  fsm.State[*agent]
		want bool
		says []string
	}{
		"FINISH":                      {row{Status: fsm.Finish, RoundEnd: true}.State(), true, nil},
		"FINISH of one's own":         {silent{fsm.Finish, true}, true, nil},
		"DONE, marked":                {row{Status: "DONE", RoundEnd: true, Success: true}.State(), true, nil},
		"DONE, marked, of a sub-task": {row{Status: "DONE", SubtaskEnd: true, Success: true}.State(), true, nil},
		"a state that says so":        {&plain{name: "END", end: true}, true, nil},
		"DONE, not marked":            {row{Status: "DONE", RoundEnd: true}.State(), false, []string{none}},
		"a state that does not say":   {silent{"DONE", true}, false, []string{none}},
		"FAIL, marked": {row{Status: fsm.Fail, RoundEnd: true, Success: true}.State(), false, []string{
			none, "fsm: Kind: FAIL: it is marked as a success, which it never is"}},
		"DONE, marked, which goes on": {row{Status: "DONE", Success: true}.State(), false, []string{
			none, "fsm: Kind: DONE: it does not end, and no edge leads out of it", "fsm: Kind: DONE: it is marked as a success, and does not end"}},
	} {
		t.Run(name, func(t *testing.T) {
			end := c.end.Name()
			m := fsm.NewManager[*agent]("Kind", fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: end, By: fsm.BySystem})
			register(t, m, "A")
			require.NoError(t, m.AddState(end, c.end))
			assert.Equal(t, c.want, m.Bind(end).IsSuccess())
			bindAll(m)
			assert.Equal(t, c.says, findings(t, m.Validate()))
		})
	}
}
