package durable

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// savedAs reads what an agent saves from its JSON form.
func savedAs(t testing.TB, text string) fsm.Saved {
	t.Helper()
	var s fsm.Saved
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return s
}

// What is recorded of an agent is what became of what it saves.
func TestDiff(t *testing.T) {
	for name, c := range map[string]struct{ was, is, want string }{
		"nothing":              {`{"state":{"a":1},"logs":{"m":{"items":[1]}}}`, `{"state":{"a":1},"logs":{"m":{"items":[1]}}}`, `null`},
		"a new agent":          {`{}`, `{"state":{"a":1},"logs":{"m":{"items":[1]}}}`, `{"state":{"a":1},"logs":{"m":{"add":[1]}}}`},
		"a new agent of null":  {`{}`, `{"state":null}`, `{"state":null}`},
		"an empty agent":       {`{}`, `{}`, `null`},
		"another state":        {`{"state":{"a":1}}`, `{"state":{"b":null}}`, `{"state":{"b":null}}`},
		"no state any more":    {`{"state":{"a":1}}`, `{}`, `{"state":null}`},
		"added":                {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"items":[1,2,3,4]}}}`, `{"logs":{"m":{"keep":2,"add":[3,4]}}}`},
		"added and dropped":    {`{"logs":{"m":{"dropped":5,"items":[1,2]}}}`, `{"logs":{"m":{"dropped":6,"items":[2,3]}}}`, `{"logs":{"m":{"dropped":6,"keep":7,"add":[3]}}}`},
		"dropped":              {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"dropped":1,"items":[2]}}}`, `{"logs":{"m":{"dropped":1,"keep":2}}}`},
		"all dropped":          {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"dropped":2}}}`, `{"logs":{"m":{"dropped":2,"keep":2}}}`},
		"dropped before seen":  {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"dropped":4,"items":[5]}}}`, `{"logs":{"m":{"dropped":4,"keep":4,"add":[5]}}}`},
		"begun anew":           {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"items":[3]}}}`, `{"logs":{"m":{"add":[3]}}}`},
		"begun anew, as long":  {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"items":[1,3]}}}`, `{"logs":{"m":{"keep":1,"add":[3]}}}`},
		"begun anew, the same": {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"items":[1,2]}}}`, `null`},
		"shorter":              {`{"logs":{"m":{"items":[1,2]}}}`, `{"logs":{"m":{"items":[1]}}}`, `{"logs":{"m":{"keep":1}}}`},
		"fewer dropped":        {`{"logs":{"m":{"dropped":3,"items":[4]}}}`, `{"logs":{"m":{"dropped":1,"items":[4]}}}`, `{"logs":{"m":{"dropped":1,"keep":1,"add":[4]}}}`},
		"a log that goes":      {`{"logs":{"m":{"items":[1]},"n":{}}}`, `{"logs":{"n":{}}}`, `{"logs":{"m":null}}`},
		"a worker":             {`{}`, `{"workers":{"w":{"state":1}}}`, `{"workers":{"w":{"state":1}}}`},
		"one that has nothing": {`{}`, `{"workers":{"w":{}}}`, `{"workers":{"w":{}}}`},
		"of a worker":          {`{"workers":{"v":{"state":1},"w":{"state":1}}}`, `{"workers":{"v":{"state":1},"w":{"state":2}}}`, `{"workers":{"w":{"state":2}}}`},
		"of a worker's worker": {`{"workers":{"v":{"workers":{"w":{"state":{"a":1}}}}}}`, `{"workers":{"v":{"workers":{"w":{"state":{"a":2}}}}}}`, `{"workers":{"v":{"workers":{"w":{"state":{"a":2}}}}}}`},
		"a worker that goes":   {`{"workers":{"v":{"state":1}}}`, `{}`, `{"workers":{"v":null}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var told, taken known
			along := func(text string) *records.Data {
				d := told.diff(savedAs(t, text))
				raw, err := json.Marshal(d)
				require.NoError(t, err)
				var read *records.Data
				require.NoError(t, json.Unmarshal(raw, &read))
				require.NoError(t, taken.apply(read))
				requireSame(t, savedAs(t, text), taken.saved())
				return d
			}
			along(c.was)
			raw, err := json.Marshal(along(c.is))
			require.NoError(t, err)
			assert.JSONEq(t, c.want, string(raw))
			assert.Nil(t, told.diff(savedAs(t, c.is)), "it is told once")
			assert.Nil(t, taken.diff(savedAs(t, c.is)), "who read the records knows it, too")
		})
	}
}

// requireSame compares but for what no agent can tell apart: null and no State, an empty log and none.
func requireSame(t testing.TB, want, got fsm.Saved) {
	t.Helper()
	a, err := json.Marshal(normal(want))
	require.NoError(t, err)
	b, err := json.Marshal(normal(got))
	require.NoError(t, err)
	require.JSONEq(t, string(a), string(b))
}

func normal(s fsm.Saved) fsm.Saved {
	n := fsm.Saved{State: s.State, Logs: map[string]fsm.Log{}, Workers: map[string]fsm.Saved{}}
	if len(n.State) == 0 {
		n.State = json.RawMessage("null")
	}
	for name, log := range s.Logs {
		if log.Dropped != 0 || len(log.Items) > 0 {
			n.Logs[name] = log
		}
	}
	for name, worker := range s.Workers {
		n.Workers[name] = normal(worker)
	}
	return n
}

// Whatever an agent saves after each step, who reads the records knows it; what was read stays as it
// was while more is read.
func TestDiffWhateverIsSaved(t *testing.T) {
	for seed := 0; seed < 200; seed += sample.Raced(8) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var told, taken known
		var s fsm.Saved
		var before []fsm.Saved
		var texts []string
		for range 40 {
			s = another(r, s, 2)
			raw, err := json.Marshal(told.diff(s))
			require.NoError(t, err)
			var read *records.Data
			require.NoError(t, json.Unmarshal(raw, &read))
			require.NoError(t, taken.apply(read))
			got := taken.saved()
			requireSame(t, s, got)
			text, err := json.Marshal(got)
			require.NoError(t, err)
			before, texts = append(before, got), append(texts, string(text))
		}
		for i, s := range before {
			text, err := json.Marshal(s)
			require.NoError(t, err)
			require.Equal(t, texts[i], string(text), "seed %d, %d", seed, i)
		}
	}
}

// another returns what an agent may save next.
func another(r *rand.Rand, s fsm.Saved, depth int) fsm.Saved {
	n := fsm.Saved{State: s.State, Logs: map[string]fsm.Log{}, Workers: map[string]fsm.Saved{}}
	if r.IntN(2) == 0 {
		n.State = json.RawMessage([]string{`{}`, `7`, `null`, ``, fmt.Sprintf(`{"a":%d}`, r.IntN(3)), fmt.Sprintf(`{"a":%d,"b":{"c":null}}`, r.IntN(3))}[r.IntN(6)])
	}
	for _, name := range []string{"x", "y"} {
		log := s.Logs[name]
		switch r.IntN(5) {
		case 0: // it goes, or does not come
			continue
		case 1:
			log = fsm.Log{Dropped: r.IntN(3)}
		case 2:
			if k := r.IntN(len(log.Items) + 1); k > 0 {
				log = fsm.Log{Dropped: log.Dropped + k, Items: log.Items[k:]}
			}
		}
		for range r.IntN(3) {
			log.Items = append(slices.Clip(log.Items), json.RawMessage(fmt.Sprint(r.IntN(2))))
		}
		n.Logs[name] = log
	}
	for _, name := range []string{"v", "w"} {
		if depth > 0 && r.IntN(4) > 0 {
			n.Workers[name] = another(r, s.Workers[name], depth-1)
		}
	}
	return n
}

// What a record cannot mean is an error.
func TestApplyRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"a gap":             `{"logs":{"m":{"keep":3,"add":[1]}}}`,
		"dropped ones":      `{"logs":{"d":{"dropped":1,"keep":3}}}`,
		"before the first":  `{"logs":{"m":{"dropped":-1}}}`,
		"less than dropped": `{"logs":{"m":{"dropped":2,"keep":1}}}`,
		"a worker's":        `{"workers":{"v":{"logs":{"m":{"keep":1}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var k known
			k.diff(savedAs(t, `{"state":7,"logs":{"m":{"items":[1,2]},"d":{"dropped":2,"items":[3]}},"workers":{"v":{"state":{}}}}`))
			var d *records.Data
			require.NoError(t, json.Unmarshal([]byte(text), &d))
			assert.Error(t, k.apply(d))
		})
	}
}

// FuzzApply: whatever stands in a record, it is an error or what an agent may have saved.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"state":{"a":1},"logs":{"m":{"dropped":1,"keep":1,"add":[1]}}}`))
	f.Add([]byte(`{"logs":{"m":{"keep":2,"add":[3]},"d":null},"workers":{"v":null,"x":{"state":7}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var d *records.Data
		if json.Unmarshal(raw, &d) != nil {
			return
		}
		var k known
		k.diff(savedAs(t, `{"state":{"b":1},"logs":{"m":{"items":[1,2]},"d":{"dropped":2,"items":[3]}},"workers":{"v":{"state":{}}}}`))
		if k.apply(d) != nil {
			return
		}
		text, err := json.Marshal(k.saved())
		require.NoError(t, err)
		require.Nil(t, k.diff(savedAs(t, string(text))), "%s", text)
	})
}
