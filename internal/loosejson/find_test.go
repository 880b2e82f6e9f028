package loosejson_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/replycases"
)

// cases are those of a file of testdata, which a new case needs no Go for. Package replycases says how it is written.
func cases(t *testing.T, file string) []replycases.Case {
	t.Helper()
	all, err := replycases.Read("testdata")
	require.NoError(t, err)
	all = slices.DeleteFunc(all, func(c replycases.Case) bool { return c.File != file })
	require.NotEmpty(t, all)
	return all
}

func TestFind(t *testing.T) {
	for _, c := range cases(t, "find.txt") {
		t.Run(c.Name, func(t *testing.T) {
			v, _, err := loosejson.Find(c.Reply)
			require.NoError(t, err)
			assert.Equal(t, `{"a":1}`, string(v.Append(nil)))
		})
	}
}

func TestFindRefuses(t *testing.T) {
	deep := replycases.Case{Name: "too deep", Reply: strings.Repeat(`{"a":`, 200), FedBack: "nested more than"}
	for _, c := range append(cases(t, "refused.txt"), deep) {
		t.Run(c.Name, func(t *testing.T) {
			_, _, err := loosejson.Find(c.Reply)
			require.ErrorContains(t, err, c.FedBack)
		})
	}
}

// What the model quotes is not the reply, wherever it stands, and hides none.
func TestFindHidesNothing(t *testing.T) {
	for _, c := range cases(t, "hidden.txt") {
		t.Run(c.Name, func(t *testing.T) {
			v, _, err := loosejson.Find(c.Reply)
			require.Error(t, err, "%s", v.Append(nil))
		})
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"x {\"a\":1} y", "[{}]", "<think></think>{}", `"{\"a\":1}"`, "{{a}} {\"b\":2}", "[\"{\"", "{'a':1}{\"a\":1,}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, _, err := loosejson.Find(text)
		if err != nil {
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			work, _ := loosejson.FindWork(text)
			require.LessOrEqual(t, work, mostWork*(len(text)+1))
			return
		}
		require.Equal(t, loosejson.Object, v.Kind)
		out := string(v.Append(nil))
		again, _, err := loosejson.Find("So: ```json\n" + out + "\n```") // the same in another wrapping
		require.NoError(t, err)
		require.True(t, loosejson.Equal(v, again))
		_, notes, err := loosejson.Find(out)
		require.NoError(t, err)
		require.Empty(t, notes, "%q is clean", out)
		work, err := loosejson.FindWork(text)
		require.NoError(t, err)
		require.LessOrEqual(t, work, mostWork*(len(text)+1))
	})
}
