package builtin_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// A list is saved as it is, whatever was saved before; what was returned stays what it was.
func TestListIsSavedAsItIs(t *testing.T) {
	var l builtin.List[string]
	var saved []fsm.Log
	lists := [][]string{nil, {"a"}, {"a", "b"}, {"c", "d"}, {"c"}, {"c", "e", "f"}, {}, {"<"}}
	for i := range lists {
		log, err := l.Save(lists[i])
		require.NoError(t, err)
		saved = append(saved, log)
	}
	for i, log := range saved {
		list, err := builtin.LoadList[string](log)
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint(lists[i]), fmt.Sprint(list))
	}
	_, err := builtin.LoadList[string](fsm.Log{Dropped: 1, Items: []json.RawMessage{json.RawMessage(`"b"`)}})
	require.ErrorContains(t, err, "the first 1 items of a list are missing")
	_, err = builtin.LoadList[string](fsm.Log{Items: []json.RawMessage{json.RawMessage(`"a"`), json.RawMessage("7")}})
	require.ErrorContains(t, err, "item 2 of a list: ")
}
