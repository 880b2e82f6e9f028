package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/plan"
)

func ids(p plan.Plan) []string {
	var list []string
	for _, e := range p {
		list = append(list, e.ID)
	}
	return list
}

func TestRevise(t *testing.T) {
	graph := func(t *testing.T) plan.Plan { // a has finished, b has failed, c waits for it, d is ready
		t.Helper()
		p := drafted(t, item("a"), item("b", "a"), item("c", "b"), item("d"))
		return lost(t, done(t, p, "a"), "b")
	}
	for name, tc := range map[string]struct {
		draft   plan.Draft
		ids     []string
		dropped []string
		ready   []string
	}{
		"none":                  {nil, []string{"a", "b", "c", "d"}, nil, []string{"d"}},
		"empty":                 {plan.Draft{}, []string{"a"}, []string{"b", "c", "d"}, nil},
		"again":                 {plan.Draft{item("b", "a"), item("c", "b")}, []string{"a", "b", "c"}, []string{"d"}, []string{"b"}},
		"without it":            {plan.Draft{item("c"), item("d")}, []string{"a", "c", "d"}, []string{"b"}, []string{"c", "d"}},
		"other words":           {plan.Draft{{ID: "b", Task: "try another way", DependsOn: []string{"a"}}, item("c", "b")}, []string{"a", "b", "c"}, []string{"d"}, []string{"b"}},
		"with what is finished": {plan.Draft{item("d"), {ID: "a", Task: " DO  A "}, item("e", "a", "d")}, []string{"d", "a", "e"}, []string{"b", "c"}, []string{"d"}},
		"only its id":           {plan.Draft{{ID: "a"}, item("e", "a")}, []string{"a", "e"}, []string{"b", "c", "d"}, []string{"e"}},
		"on what is finished":   {plan.Draft{item("e", "a")}, []string{"a", "e"}, []string{"b", "c", "d"}, []string{"e"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := graph(t)
			next, err := p.Revise(tc.draft)
			require.NoError(t, err)
			assert.Equal(t, slices.Concat(tc.ids, tc.dropped), ids(next))
			assert.Equal(t, tc.dropped, ids(next.Dropped()))
			assert.Len(t, next.Show(), len(tc.ids), "what was dropped is in no prompt")
			assert.Equal(t, tc.ready, next.Ready())
			e, ok := next.Entry("a")
			require.True(t, ok)
			assert.Equal(t, plan.Entry{Item: item("a"), Status: plan.Finished, Subtask: "subtask of a"}, e, "what has finished stays as it is")
			assert.Equal(t, graph(t), p, "a plan is a value")
			again, err := next.Revise(tc.draft)
			require.NoError(t, err)
			assert.Equal(t, next, again, "the same draft once more changes nothing")
		})
	}
}

func TestReviseRefuses(t *testing.T) {
	p := done(t, drafted(t, item("a"), item("b", "a")), "a").Assign("b", "subtask_2")
	for name, tc := range map[string]struct {
		draft plan.Draft
		is    error
		text  string
	}{
		"another task":       {plan.Draft{{ID: "a", Task: "something else"}}, plan.ErrSettled, `"a" stands for another task already`},
		"being worked on":    {plan.Draft{{ID: "b", Task: "something else"}}, plan.ErrSettled, `"b"`},
		"texts":              {plan.Draft{{Task: "mail it"}}, plan.ErrNoID, `"mail it" has no id`},
		"a blank text":       {plan.Draft{{}}, plan.ErrNoID, `"" has no id`},
		"cycle":              {plan.Draft{item("c", "d"), item("d", "c")}, plan.ErrCycle, "c → d → c"},
		"finished twice":     {plan.Draft{{ID: "a"}, {ID: "a", Task: "x"}}, plan.ErrDuplicate, `"a" is the id of two items`},
		"on what it dropped": {plan.Draft{item("c", "q")}, plan.ErrUnknown, `"c" depends on an item that is not in the plan: q`},
	} {
		t.Run(name, func(t *testing.T) {
			next, err := p.Revise(tc.draft)
			assert.ErrorIs(t, err, tc.is)
			assert.ErrorContains(t, err, tc.text)
			assert.Nil(t, next)
		})
	}
	next, err := p.Revise(plan.Draft{})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, ids(next), "what is being worked on stays")
	assert.Empty(t, next.Dropped())

	open := drafted(t, item("a"))
	_, err = open.Revise(plan.Draft{{Task: "just do it"}})
	assert.ErrorIs(t, err, plan.ErrNoID, "texts do not talk a graph away")
}

// Who writes the id of what has finished in another way does not get it done again.
func TestIDsThatReadAlike(t *testing.T) {
	p := done(t, drafted(t, item("a"), item("b", "a"), item("c")), "a")
	for _, id := range []string{"A", "ａ", "\u3000Ａ"} {
		_, err := p.Pick(id)
		require.ErrorContains(t, err, `"a" has finished`, id)
		next, err := p.Revise(plan.Draft{{ID: id, Task: "do a"}, {ID: "B", Task: "do b", DependsOn: []string{id}}, item("d", "B", "b")})
		require.NoError(t, err, id)
		assert.Equal(t, []string{"a", "b", "d", "c"}, ids(next), "written as it was first")
		assert.Equal(t, []string{"b"}, next.Ready())
		assert.Equal(t, []string{"b"}, next[2].DependsOn)
		_, err = next.Pick(id)
		require.ErrorContains(t, err, `"a" has finished`, id)
		_, err = p.Revise(plan.Draft{{ID: id, Task: "do something else"}})
		require.ErrorIs(t, err, plan.ErrSettled, id)
		_, err = p.Revise(plan.Draft{{ID: id, Task: "do a"}, item("a")})
		require.ErrorIs(t, err, plan.ErrDuplicate, id)
	}
	for _, id := range []string{"a\u200b", "a\u00ad", "\u2800a", "a\ufe0f", "a\u3164", "\u202ea", "a\nb"} {
		_, err := p.Revise(plan.Draft{{ID: id, Task: "do a"}})
		require.ErrorIs(t, err, plan.ErrInvisible, "%q", id)
		require.NotContains(t, err.Error(), id, "what is wrong can be seen")
		_, err = p.Pick(id)
		require.ErrorContains(t, err, "the Plan has no item", "%q", id)
	}
	next, err := drafted(t, item("étape 1", "ÉTAPE  1 bis"), item("étape 1 bis")).Revise(nil)
	require.NoError(t, err)
	e, err := next.Pick("ÉTAPE 1 BIS")
	require.NoError(t, err)
	assert.Equal(t, "étape 1 bis", e.ID)
}

// What a draft leaves out stays as a record, which binds nobody.
func TestDropped(t *testing.T) {
	p := lost(t, drafted(t, item("a"), item("b", "a"), item("c")), "a")
	p, err := p.Revise(plan.Draft{item("c")})
	require.NoError(t, err)
	assert.Equal(t, plan.Plan{
		{Item: item("c"), Status: plan.Planned},
		{Item: item("a"), Status: plan.Dropped, Subtask: "subtask of a"},
		{Item: item("b", "a"), Status: plan.Dropped},
	}, p)
	require.NoError(t, p.Check())
	assert.Equal(t, []string{"c"}, p.Unfinished())
	assert.Equal(t, 1, p.Planned())
	raw, err := json.Marshal(p)
	require.NoError(t, err)
	var again plan.Plan
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, p, again)

	_, err = p.Pick("a")
	require.ErrorContains(t, err, `"a" was dropped: write a Plan with it; or write "c" into CurrentSubTask`)
	_, err = p.Revise(plan.Draft{item("d", "b")})
	require.ErrorIs(t, err, plan.ErrUnknown, "nothing waits for it")

	back, err := p.Revise(plan.Draft{item("c"), {ID: "d", Task: "Do  b"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"c", "d"}, back.Ready(), "it may come back, under any id")
	assert.Equal(t, []string{"a"}, ids(back.Dropped()))
	back, err = p.Revise(plan.Draft{item("c"), {ID: "b", Task: "something else"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"c", "b"}, back.Ready())
	assert.Equal(t, []string{"a", "b"}, ids(back.Dropped()), "its id for something else does not do it")
	back, err = done(t, back, "b").Revise(plan.Draft{item("c")})
	require.NoError(t, err)
	assert.Equal(t, []string{"b", "c", "a", "b"}, ids(back))
	assert.Equal(t, "something else", back[0].Task)
	assert.Equal(t, plan.Finished, back[0].Status)

	p, err = p.Revise(plan.Draft{})
	require.NoError(t, err)
	assert.False(t, p.Enforced(), "nothing is left that binds")
	assert.Equal(t, []string{"a", "b", "c"}, slices.Sorted(slices.Values(ids(p.Dropped()))))
	p, err = p.Revise(plan.Draft{{Task: "mail it"}})
	require.NoError(t, err, "texts over a record are notes as ever")
	assert.Equal(t, []string{"mail it"}, p.Texts()[:1])
	require.NoError(t, p.Check())
	p, err = p.Revise(nil)
	require.NoError(t, err)
	assert.Len(t, p, 4, "without a draft the plan stays")
}

// Who numbers a plan anew hides nothing: an item is its task, unless only its words are new.
func TestReviseRenumbered(t *testing.T) {
	named := func(id, task, app string) plan.Item { return plan.Item{ID: id, Task: task, Application: app} }
	p := drafted(t, named("1", "extract", ""), named("2", "draw", "word"), named("3", "mail", ""))
	for name, tc := range map[string]struct {
		draft   plan.Draft
		dropped []string
	}{
		"the same":            {plan.Draft{named("1", "extract", ""), named("2", "draw", "word"), named("3", "mail", "")}, nil},
		"moved":               {plan.Draft{named("1", "Mail", ""), named("2", "extract", ""), named("3", "draw", "Word")}, nil},
		"moved, one left out": {plan.Draft{named("1", "mail", ""), named("2", "extract", "")}, []string{"draw"}},
		"other ids":           {plan.Draft{named("a", "extract", ""), named("b", "draw", "word")}, []string{"mail"}},
		"other words":         {plan.Draft{named("1", "extract the table", ""), named("2", "draw", "excel"), named("3", "mail", "")}, nil},
		"words and ids":       {plan.Draft{named("a", "extract the table", ""), named("2", "mail", "")}, []string{"extract", "draw"}},
		"the id of another":   {plan.Draft{named("1", "draw", "word"), named("2", "sign", "")}, []string{"extract", "mail"}},
		"elsewhere":           {plan.Draft{named("1", "extract", ""), named("4", "draw", "excel"), named("3", "mail", "")}, []string{"draw"}},
	} {
		t.Run(name, func(t *testing.T) {
			next, err := p.Revise(tc.draft)
			require.NoError(t, err)
			assert.Equal(t, tc.dropped, tasks(next.Dropped()))
			again, err := next.Revise(tc.draft)
			require.NoError(t, err)
			assert.Equal(t, next, again)
		})
	}
}

func tasks(p plan.Plan) []string {
	if len(p) == 0 {
		return nil
	}
	return p.Texts()
}

func TestReviseNotes(t *testing.T) {
	p := plan.Notes("a", "b")
	next, err := p.Revise(nil)
	require.NoError(t, err)
	assert.Equal(t, p, next, "no draft says nothing of them")
	next, err = p.Revise(plan.Draft{{Task: " c "}})
	require.NoError(t, err)
	assert.Equal(t, plan.Notes(" c "), next, "as they were written")
	next, err = p.Revise(plan.Draft{item("x")})
	require.NoError(t, err)
	assert.True(t, next.Enforced(), "notes become a graph at any time")
}

func TestPick(t *testing.T) {
	p := drafted(t,
		plan.Item{ID: "Read", Task: "Read the  table"}, plan.Item{ID: "draw", Task: "draw it", DependsOn: []string{"Read", "lost"}},
		plan.Item{ID: "save-1", Task: "save the file"}, plan.Item{ID: "save-2", Task: "Save the file", DependsOn: []string{"draw"}},
		plan.Item{ID: "lost", Task: "look for it"}, plan.Item{ID: "over", Task: "open it"}, plan.Item{ID: "open it", Task: "close it"},
		plan.Item{ID: "busy", Task: "work"})
	p = lost(t, done(t, p, "over"), "lost").Assign("busy", "subtask_9")
	for text, id := range map[string]string{
		"Read": "Read", " Read ": "Read", "read": "Read", "read THE table": "Read", "save-1": "save-1",
		"open it": "open it", "Open IT": "open it",
	} {
		e, err := p.Pick(text)
		require.NoError(t, err, text)
		assert.Equal(t, id, e.ID, text)
	}
	const (
		alone = ` one of "Read", "save-1", "open it" into CurrentSubTask`
		ready = `: write` + alone + `, or change the Plan`
	)
	for text, want := range map[string]string{
		"":              `the Plan has no item ""` + ready,
		"something":     `the Plan has no item "something"` + ready,
		"save the file": `"save the file" may mean "save-1", "save-2": write one of these ids into CurrentSubTask`,
		"draw":          `"draw" waits for "Read", "lost" (failed)` + ready,
		"lost":          `"lost" has failed: write a Plan with it, to try it again, or without it; or write` + alone,
		"over":          `"over" has finished` + ready,
		"busy":          `"busy" is being worked on` + ready,
	} {
		_, err := p.Pick(text)
		assert.EqualError(t, err, want)
	}
	p = done(t, p, "save-1")
	_, err := p.Pick("save the file")
	assert.ErrorContains(t, err, `"save-2" waits for "draw"`, "the one that has finished is not meant")

	var d plan.Draft
	for i := range 30 {
		d = append(d, item(fmt.Sprint(i)))
	}
	_, err = drafted(t, d...).Pick(strings.Repeat("x", 1000))
	assert.ErrorContains(t, err, `"19" and 10 more`)
	assert.Less(t, len(err.Error()), 500)
	_, err = plan.Notes("a").Pick("a")
	assert.ErrorContains(t, err, "and no item is ready: change the Plan")
}
