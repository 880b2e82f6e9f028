package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var trees = []string{
	`[]`, ` [ ] `, `[{}]`, `[{"id":"1"}]`, `[{"id":"1"},{"id":"2"}]`,
	`[{"id":"1","name":"a","type":"Edit","value":"v","state":["on"],"actions":["press","expand"],"bounds":[1,-2,30,400],"children":[{"id":"2","children":[{"id":"3"},{"id":"4"}]},{"id":"5"}]},{"id":"6"}]`,
	` [ { "id" : "1" , "state" : [ ] , "children" : [ ] , "bounds" : [ 0 , 0 , 0 , 0 ] } , { "actions" : [ "a" , "b" ] } ] `,
	`[{"id":"ü 界","name":"\u00e9\n\"x\\ud800","value":"\ud83d\ude00"}]`, "[{\"id\":\"\xff\"}]", "[{\"id\":\"\u2028\"}]",
	`[{"\u0069d":"1"}]`, `[{"bounds":[-0,2,3,4]}]`,
	// What encoding/json reads in its own way, or does not.
	`[{"ID":"1"}]`, `[{"id":1}]`, `[{"id":null}]`, `[{"id":"1","id":"2"}]`, `[{"children":[{"id":"1","name":"a"}],"children":[{"id":"2"}]}]`,
	`[{"className":"x"}]`, `[{"bounds":[1,2]}]`, `[{"bounds":[1,2,3,4,5]}]`, `[{"bounds":[01,2,3,4]}]`, `[{"bounds":[1.5,2,3,4]}]`, `[{"bounds":[1e2,2,3,4]}]`,
	`[{"bounds":[-,2,3,4]}]`, `[{"bounds":[12345678901,2,3,4]}]`, `[{"bounds":[99999999999999999999,2,3,4]}]`,
	`[{"id":"1",}]`, `[{"id":"1"},]`, `[,{"id":"1"}]`, `[{"id":"1"}`, `[{"id":"1"}] x`, `[{"id":"1"}][]`, `[{"id" "1"}]`, `[{"id":"1" "name":"2"}]`, `[{"id":"1"`, `[{"id":"`, `[{"id":"\`, `[{"id":"\x"}]`,
	"[{\"id\":\"a\tb\"}]", `[null]`, `[1]`, `null`, ``, ` `, `{`, `{"id":"1"}`, `[[]]`, `[{"state":"on"}]`, `[{"state":[1]}]`, `[{"state":null}]`, `[{"children":null}]`,
}

// checkTree says whether the list was read in the short way, which must be that of encoding/json.
func checkTree(t *testing.T, text string) bool {
	t.Helper()
	got, ok := readTree(text)
	if ok {
		want := []Control{}
		require.NoError(t, json.Unmarshal([]byte(text), &want), "%s", text)
		require.Equal(t, want, got, "%s", text)
	}
	return ok
}

func TestReadTree(t *testing.T) {
	for i, text := range trees {
		assert.Equal(t, i < 12, checkTree(t, text), "%s", text)
		want, got := []Control{}, []Control{}
		wantErr, gotErr := json.Unmarshal([]byte(text), &want), read(text, &got)
		assert.Equal(t, fmt.Sprint(want, wantErr), fmt.Sprint(got, gotErr), "%s", text)
	}
	deep := strings.Repeat(`[{"id":"1","children":`, deepestTree+1) + `[]` + strings.Repeat(`}]`, deepestTree+1)
	assert.False(t, checkTree(t, deep), "who is so deep is read with a bound")
}

// What one control has does not grow into what another has.
func TestReadTreeIsApart(t *testing.T) {
	list, ok := readTree(`[{"state":["a"],"actions":["b"],"children":[{"id":"1"}]},{"state":["c"],"children":[{"id":"2"}]}]`)
	require.True(t, ok)
	_ = append(list[0].State, "X")
	_ = append(list[0].Actions, "X")
	_ = append(list[0].Children, Control{ID: "X"})
	assert.Equal(t, []string{"b"}, list[0].Actions)
	assert.Equal(t, []string{"c"}, list[1].State)
	assert.Equal(t, "2", list[1].Children[0].ID)
}

func FuzzReadTree(f *testing.F) {
	for _, text := range trees {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkTree(t, text) })
}
