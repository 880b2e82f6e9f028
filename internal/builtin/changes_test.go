package builtin_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// kind is the data of a kind of agent.
type kind struct {
	Count int    `json:"count"`
	Note  string `json:"note,omitempty"`
	builtin.Data
}

func (k *kind) rest() kind {
	r := *k
	r.Memory.Items, r.Answers = nil, nil
	return r
}

func common(k *kind) *builtin.Data { return &k.Data }

// follow applies what the first told to the second, through JSON.
func follow(t *testing.T, told *builtin.Told, first, second *kind) {
	t.Helper()
	c, err := told.Diff(first.rest(), &first.Data)
	require.NoError(t, err)
	raw, err := json.Marshal(&c)
	require.NoError(t, err)
	c, err = builtin.DecodeSnapshot[builtin.Changes](raw)
	require.NoError(t, err)
	*second, err = builtin.Apply(&c, second.rest(), &second.Data, common)
	require.NoError(t, err)
	requireSame(t, first, second)
}

func requireSame(t *testing.T, first, second *kind) {
	t.Helper()
	want, err := json.Marshal(first)
	require.NoError(t, err)
	got, err := json.Marshal(second)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func known(t *testing.T, k *kind) *builtin.Told {
	t.Helper()
	told := &builtin.Told{}
	require.False(t, told.Known())
	require.NoError(t, told.Reset(k.rest(), &k.Data))
	require.True(t, told.Known())
	return told
}

// A memory that is cut, at any pace, comes over whole; so do answers that are
// forgotten and given anew.
func TestChangesOfAMemoryThatIsCut(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 3))
		var first, second kind
		told := known(t, &first)
		for i := range 30 {
			for range r.IntN([]int{2, 20, 450}[r.IntN(3)]) {
				first.Memory.Add(acting.Memo{Note: fmt.Sprint(i, r.Int())})
			}
			if first.Count = r.IntN(3); r.IntN(2) == 0 {
				first.Note = strings.Repeat("x", r.IntN(3))
			}
			if r.IntN(5) == 0 {
				first.Answers = nil
			}
			for range r.IntN(3) {
				first.Answers = append(first.Answers, acting.Entry{ID: fmt.Sprint(r.IntN(2)), Question: "q"})
			}
			follow(t, told, &first, &second)
		}
		assert.Positive(t, first.Memory.Dropped)
		assert.Len(t, second.Memory.Items, acting.MaxMemory)
	}
}

// A snapshot may be younger than the changes that were taken last before it.
func TestChangesBehindAYoungerSnapshot(t *testing.T) {
	for _, steps := range []int{1, 150, 199, 200, 201, 450} {
		var first kind
		told := known(t, &first)
		for i := range steps {
			first.Memory.Add(acting.Memo{Note: fmt.Sprint(i)})
			first.Answers = append(first.Answers, acting.Entry{ID: fmt.Sprint(i)})
		}
		raw, err := json.Marshal(&first)
		require.NoError(t, err)
		second, err := builtin.DecodeSnapshot[kind](raw)
		require.NoError(t, err)
		first.Memory.Add(acting.Memo{Note: "last"})
		follow(t, told, &first, &second)
	}
}

func TestChangesThatDoNotFit(t *testing.T) {
	var k kind
	for i := range acting.MaxMemory + 5 {
		k.Memory.Add(acting.Memo{Note: fmt.Sprint(i)})
	}
	k.Answers = []acting.Entry{{ID: "a"}}
	before, err := json.Marshal(&k)
	require.NoError(t, err)
	for name, tc := range map[string]struct{ text, want string }{
		"no version":      {`{}`, "version 0"},
		"newer version":   {`{"version":2}`, "version 2"},
		"wrong type":      {`{"version":1,"set":{"count":"x"}}`, "cannot unmarshal"},
		"memory: a gap":   {`{"version":1,"memory":{"from":206,"add":[{}]}}`, "missing"},
		"memory: before":  {`{"version":1,"memory":{"from":-1,"add":[{}]}}`, "missing"},
		"memory: older":   {`{"version":1,"memory":{"from":200,"add":[{}],"dropped":5}}`, "older"},
		"memory: shorter": {`{"version":1,"memory":{"from":205,"add":[{}],"dropped":4}}`, "older"},
		"memory: none":    {`{"version":1,"memory":{"from":0,"dropped":9223372036854775807,"add":[{}]}}`, "older"},
		"answers: a gap":  {`{"version":1,"answers":{"from":2}}`, "missing"},
		"answers: before": {`{"version":1,"answers":{"from":-1}}`, "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := builtin.DecodeSnapshot[builtin.Changes]([]byte(tc.text))
			require.NoError(t, err)
			_, err = builtin.Apply(&c, k.rest(), &k.Data, common)
			require.ErrorContains(t, err, tc.want)
			after, err := json.Marshal(&k)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after))
		})
	}
}

// A copy that is told more leaves the other one as it was.
func TestToldIsAValue(t *testing.T) {
	var k kind
	told := known(t, &k)
	copied := *told
	k.Note = "x"
	for _, one := range []*builtin.Told{told, &copied} {
		c, err := one.Diff(k.rest(), &k.Data)
		require.NoError(t, err)
		assert.Equal(t, `"x"`, string(c.Set["note"]))
		assert.False(t, c.Empty())
		c, err = one.Diff(k.rest(), &k.Data)
		require.NoError(t, err)
		assert.True(t, c.Empty())
	}
}

func TestTail(t *testing.T) {
	var g builtin.Grown[string]
	list := []string{"a", "b"}
	for _, tc := range []struct {
		next []string
		want *builtin.Tail[string]
	}{
		{nil, nil},
		{list, &builtin.Tail[string]{From: 0, Add: []string{"a", "b"}}},
		{list, nil},
		{append(list, "c"), &builtin.Tail[string]{From: 2, Add: []string{"c"}}},
		{[]string{"a", "x"}, &builtin.Tail[string]{From: 1, Add: []string{"x"}}},
		{[]string{"a"}, &builtin.Tail[string]{From: 1, Add: []string{}}},
		{nil, &builtin.Tail[string]{From: 0}},
	} {
		got := g.Diff(tc.next)
		assert.Equal(t, tc.want, got)
		g.Keep(tc.next)
	}
	old := append(make([]string, 0, 9), "a", "b", "c")
	cut, err := (&builtin.Tail[string]{From: 1, Add: []string{"x"}}).Apply(old)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "x"}, cut)
	assert.Equal(t, []string{"a", "b", "c"}, old, "what was there is not written over")
}
