package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/plan"
)

func TestCheck(t *testing.T) {
	for name, tc := range map[string]struct {
		draft plan.Draft
		want  []string
		is    []error
	}{
		"nothing":           {nil, nil, nil},
		"notes":             {plan.Draft{{Task: "a"}, {}}, nil, nil},
		"chain":             {plan.Draft{item("c", "b"), item("b", "a"), item("a")}, nil, nil},
		"diamond":           {plan.Draft{item("d", "b", "c"), item("b", "a"), item("c", "a"), item("a")}, nil, nil},
		"blank dependency":  {plan.Draft{item("b", "")}, nil, nil},
		"text among":        {plan.Draft{item("a"), {Task: "then mail it"}}, []string{`"then mail it" has no id`}, []error{plan.ErrNoID}},
		"no id":             {plan.Draft{{Task: "x", Application: "word"}}, []string{`"x" has no id`}, []error{plan.ErrNoID}},
		"no task":           {plan.Draft{{ID: "a", Task: "  "}}, []string{`"a" has no task`}, []error{plan.ErrNoTask}},
		"duplicate":         {plan.Draft{item("a"), item(" a ")}, []string{`"a" is the id of two items`}, []error{plan.ErrDuplicate}},
		"unknown":           {plan.Draft{item("a", "z")}, []string{`"a" depends on an item that is not in the plan: z`}, []error{plan.ErrUnknown}},
		"unknown of no id":  {plan.Draft{{Task: "x", DependsOn: []string{"z"}}}, []string{`"x" depends on an item that is not in the plan: z`, `"x" has no id`}, []error{plan.ErrUnknown, plan.ErrNoID}},
		"other case":        {plan.Draft{item("a"), item("b", "A", "a", "Ａ ")}, nil, nil},
		"twice, other case": {plan.Draft{item("a"), item("A")}, []string{`"A" is the id of two items`}, []error{plan.ErrDuplicate}},
		"twice, kelvin":     {plan.Draft{item("k"), item("\u212a")}, []string{"\"\u212a\" is the id of two items"}, []error{plan.ErrDuplicate}},
		"invisible":         {plan.Draft{item("a"), item("a\u200b")}, []string{`"a\u200b" has a character in its id that nobody sees`}, []error{plan.ErrInvisible}},
		"on an invisible":   {plan.Draft{item("a"), item("b", "a\ufe0f")}, []string{`"b" depends on an item that is not in the plan: "a\ufe0f"`}, []error{plan.ErrUnknown}},
		"itself":            {plan.Draft{item("a", "a")}, []string{`"a" depends on itself: a → a`}, []error{plan.ErrCycle}},
		"two":               {plan.Draft{item("b", "a"), item("a", "b")}, []string{`"a" depends on itself: a → b → a`}, []error{plan.ErrCycle}},
		"shortest":          {plan.Draft{item("a", "b", "d"), item("b", "c"), item("c", "a"), item("d", "a")}, []string{`"a" depends on itself: a → d → a`}, []error{plan.ErrCycle}},
		"all at once":       {plan.Draft{item("b", "z"), item("a", "a"), {Task: "note"}, item("a")}, []string{`"note" has no id`, `"a" depends on itself: a → a`, `"a" is the id of two items`, `"b" depends on an item that is not in the plan: z`}, []error{plan.ErrCycle, plan.ErrDuplicate, plan.ErrNoID, plan.ErrUnknown}},
		"a cycle, long ids": {plan.Draft{item(strings.Repeat("x", 500), strings.Repeat("x", 500))}, []string{`"(500 bytes)" depends on itself: (500 bytes) → (500 bytes)`}, []error{plan.ErrCycle}},
	} {
		t.Run(name, func(t *testing.T) {
			err := tc.draft.Check()
			if tc.want == nil {
				require.NoError(t, err)
				return
			}
			var e *plan.Error
			require.ErrorAs(t, err, &e)
			texts := make([]string, len(e.Findings))
			for i, f := range e.Findings {
				texts[i] = f.Error()
			}
			assert.Equal(t, tc.want, texts)
			assert.Equal(t, strings.Join(tc.want, "; "), err.Error())
			for _, is := range tc.is {
				assert.ErrorIs(t, err, is)
			}
			var f *plan.Finding
			require.ErrorAs(t, err, &f)
		})
	}
}

// What an observer restores was not checked by Revise.
func TestCheckOfAPlan(t *testing.T) {
	p := drafted(t, item("a"), item("b", "a"))
	require.NoError(t, p.Check())
	p[0].DependsOn = []string{"b"}
	assert.ErrorIs(t, p.Check(), plan.ErrCycle)
}

func TestALongCycleIsNotWrittenOut(t *testing.T) {
	var d plan.Draft
	const n = 20_000
	for i := range n {
		d = append(d, item(fmt.Sprintf("i%05d", i), fmt.Sprintf("i%05d", (i+1)%n)))
	}
	err := d.Check()
	require.ErrorIs(t, err, plan.ErrCycle)
	assert.Contains(t, err.Error(), `"i00000" depends on itself: i00000 → i00001 → `)
	assert.True(t, strings.HasSuffix(err.Error(), "→ … → i00000"), err.Error())
	var e *plan.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Findings, 1)
	assert.Len(t, e.Findings[0].Path, n+1)
}

// The order in which a planner writes its items changes neither what is found nor
// how it is said.
func TestFindingsDoNotDependOnTheOrder(t *testing.T) {
	d := plan.Draft{item("a", "b"), item("b", "c"), item("c", "a", "q"), item("d", "d"), item("e", "f"), item("f", "e")}
	want := d.Check().Error()
	for range d {
		d = append(slices.Clone(d[1:]), d[0])
		assert.Equal(t, want, d.Check().Error())
	}
}
