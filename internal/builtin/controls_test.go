package builtin_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// controls returns the section controls of a tree, and the note at its end.
func controls(t *testing.T, tree []desktop.Control) (shown []desktop.Control, leftOut string) {
	t.Helper()
	text := section(t, "controls", tree)
	require.NoError(t, json.Unmarshal([]byte(text), &shown))
	var notes []struct {
		LeftOut string `json:"left_out"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &notes))
	raw, err := json.Marshal(shown)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(raw), promptsize.Section)
	return shown, notes[len(notes)-1].LeftOut
}

func cells() []desktop.Control {
	return many(2_000, func(i int) desktop.Control {
		return desktop.Control{ID: strconv.Itoa(i), Name: fmt.Sprint("cell ", i), Type: "Edit"}
	})
}

// However large the window is: a dialog in front of it is shown with its buttons, since the agent
// has to answer it.
func TestADialogIsShownWithItsButtons(t *testing.T) {
	button := desktop.Control{ID: "ok", Name: "OK", Type: "Button"}
	group := desktop.Control{ID: "g", Type: "Group", Children: []desktop.Control{{ID: "h", Type: "Group", Children: []desktop.Control{button}}}}
	tall := desktop.Control{ID: "top", Type: "Window", Children: cells()}
	for name, c := range map[string]struct {
		tree []desktop.Control
		room bool // for something else
	}{
		"first":                 {append([]desktop.Control{{ID: "d", Type: "Dialog", Children: []desktop.Control{button}}}, cells()...), true},
		"last":                  {append(cells(), desktop.Control{ID: "d", Type: "Dialog", Children: []desktop.Control{button}}), true},
		"its button is deep":    {append(cells(), desktop.Control{ID: "d", Type: "Sheet", Children: []desktop.Control{group}}), true},
		"a window with a tree":  {[]desktop.Control{tall, {ID: "d", Type: "AlertDialog", Children: []desktop.Control{group}}}, true},
		"the second of dialogs": {append(cells(), desktop.Control{ID: "c", Type: "Popup"}, desktop.Control{ID: "d", Type: "Dialog", Children: []desktop.Control{group}}), true},
		"it fills the bound":    {append(cells(), desktop.Control{ID: "d", Type: "Dialog", Children: append([]desktop.Control{button}, cells()...)}), false},
	} {
		t.Run(name, func(t *testing.T) {
			shown, leftOut := controls(t, c.tree)
			_, found := builtin.FindControl(shown, "ok")
			assert.True(t, found, "the button of the dialog")
			_, found = builtin.FindControl(shown, "0")
			assert.True(t, found || !c.room, "what is left goes to the others")
			assert.Contains(t, leftOut, "controls were left out")
		})
	}
}

// One huge control does not hide the others.
func TestAHugeControlHidesNoOther(t *testing.T) {
	words, long := many(20_000, strconv.Itoa), strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		huge  desktop.Control
		shown bool
	}{
		"many actions":   {desktop.Control{ID: "huge", Actions: words}, true},
		"many states":    {desktop.Control{ID: "huge", State: words}, true},
		"a long action":  {desktop.Control{ID: "huge", Actions: []string{long}}, true},
		"a long state":   {desktop.Control{ID: "huge", State: []string{long}}, true},
		"a long type":    {desktop.Control{ID: "huge", Type: long}, true},
		"a long id":      {desktop.Control{ID: long}, false}, // part of an id is another one
		"and its inside": {desktop.Control{ID: long, Children: []desktop.Control{{ID: "huge"}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			tree := []desktop.Control{c.huge, {ID: "ok", Name: "OK", Type: "Button", State: []string{"focused"}, Actions: []string{"press"}}}
			shown, leftOut := controls(t, tree)
			ok, found := builtin.FindControl(shown, "ok")
			assert.True(t, found)
			assert.Equal(t, tree[1], ok, "it is as it was")
			_, found = builtin.FindControl(shown, "huge")
			assert.Equal(t, c.shown, found)
			assert.Equal(t, c.shown, leftOut == "")
			assert.Equal(t, "19999", words[19_999], "the desktop's own")
		})
	}
}

// Each control that fits into what those before it leave is shown, whatever its texts are, and as
// it is. The bound counts what is written.
func TestEachControlThatFitsIsShown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"cell ", "ü", "<&>", "\"", "\\", "\n", "\x01", "\xff", "\u2028", "界"}
	text := func() string {
		var s strings.Builder
		for range random.IntN(12) {
			s.WriteString(pieces[random.IntN(len(pieces))])
		}
		return s.String()
	}
	tree := many(2_000, func(i int) desktop.Control {
		c := desktop.Control{ID: strconv.Itoa(i), Name: text(), Type: text(), Value: text()}
		if i%3 == 0 {
			c.State, c.Actions, c.Bounds = []string{text(), text()}, []string{text()}, [4]int{i, 0, 10, 10}
		}
		if i%100 == 99 {
			c.Value = strings.Repeat("x", promptsize.Output)
		}
		return c
	})
	var want []json.RawMessage
	room := promptsize.Section - 128
	for i := range tree {
		raw, err := plainjson.Encode(tree[i])
		require.NoError(t, err)
		if needs := len(raw) + len(`,"children":[]`); needs <= room {
			room -= needs
			want = append(want, raw)
		}
	}
	left, err := plainjson.Encode(map[string]string{"left_out": fmt.Sprintf("%d of %d controls were left out", len(tree)-len(want), len(tree))})
	require.NoError(t, err)
	whole, err := plainjson.Encode(append(want, left))
	require.NoError(t, err)
	var shown, all any
	require.NoError(t, json.Unmarshal([]byte(section(t, "controls", tree)), &shown))
	require.NoError(t, json.Unmarshal(whole, &all))
	assert.Equal(t, all, shown)
}
