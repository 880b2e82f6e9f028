package linuxdesktop

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

func ref(id string) atspi.Ref {
	r, _ := atspi.ParseID(id)
	return r
}

var (
	whole = image.Rect(0, 20, 1280, 1024)
	small = image.Rect(400, 300, 800, 500)
)

func TestJoin(t *testing.T) {
	a := x11.Window{ID: 1, Title: "a.odt - Writer", Bounds: whole, Active: true}
	b := x11.Window{ID: 2, Title: "b.ods - Calc", Bounds: whole}
	save := x11.Window{ID: 3, Title: "Save", Bounds: small, Dialog: true}
	confirm := x11.Window{ID: 4, Title: "Confirm File Format", Bounds: small, Dialog: true}
	frameA := frame{ref: ref("9.1"), name: "a.odt - Writer", role: "frame", bounds: whole, active: true}
	frameB := frame{ref: ref("9.2"), name: "b.ods - Calc", role: "frame", bounds: whole}
	frameSave := frame{ref: ref("9.3"), name: "Save", role: "file chooser", bounds: small}
	question := frame{ref: ref("9.4"), name: "Question", role: "alert", bounds: small, active: true}

	for name, test := range map[string]struct {
		windows []x11.Window
		frames  []frame
		want    map[x11.WindowID]joined
	}{
		"two maximised windows of one process": {
			[]x11.Window{a, b}, []frame{frameB, frameA},
			map[x11.WindowID]joined{1: {frameA.ref, true}, 2: {frameB.ref, true}},
		},
		"a title that the tree does not have yet is not sure": {
			[]x11.Window{a}, []frame{{ref: ref("9.1"), role: "frame", bounds: whole}},
			map[x11.WindowID]joined{1: {ref("9.1"), false}},
		},
		"a dialog whose object is not there yet does not get that of another": {
			[]x11.Window{save, confirm}, []frame{frameSave},
			map[x11.WindowID]joined{3: {frameSave.ref, true}},
		},
		"a dialog with another title in the tree": {
			[]x11.Window{save, confirm}, []frame{question, frameSave},
			map[x11.WindowID]joined{3: {frameSave.ref, true}, 4: {question.ref, false}},
		},
		"two documents of one name at one place are not sure": {
			[]x11.Window{{ID: 1, Title: "x", Bounds: whole}, {ID: 2, Title: "x", Bounds: whole}},
			[]frame{{ref: ref("9.1"), name: "x", role: "frame", bounds: whole}, {ref: ref("9.2"), name: "x", role: "frame", bounds: whole}},
			map[x11.WindowID]joined{1: {ref("9.1"), false}, 2: {ref("9.2"), false}},
		},
		"another place and another title": {
			[]x11.Window{a}, []frame{frameSave}, map[x11.WindowID]joined{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, join(test.windows, test.frames))
		})
	}
}

func TestFamily(t *testing.T) {
	s := scene{
		{ID: 1, Above: 0}, {ID: 2, Owner: 1, Above: 3}, {ID: 3, Owner: 2, Modal: true, Above: 2}, {ID: 4, Above: 1},
		{ID: 5, Owner: 6}, {ID: 6, Owner: 5}, {ID: 7, Owner: 7}, {ID: 8, Owner: 99},
	}
	ids := func(list []x11.Window) (out []x11.WindowID) {
		for _, w := range list {
			out = append(out, w.ID)
		}
		return out
	}
	assert.Equal(t, []x11.WindowID{2, 3, 1}, ids(s.family(1)), "the topmost first")
	assert.Equal(t, []x11.WindowID{4}, ids(s.family(4)))
	assert.Equal(t, []x11.WindowID{7}, ids(s.family(7)), "it owns itself")
	assert.Equal(t, []x11.WindowID{8}, ids(s.family(8)), "its owner is not there")
	assert.ElementsMatch(t, []x11.WindowID{5, 6}, ids(s.family(5)), "they own each other")
	assert.Equal(t, []x11.WindowID{3, 2, 1}, ids(s.owners(s[2])))
	assert.EqualValues(t, 3, s.modal(1).ID)
	assert.Nil(t, s.modal(4))
}

func TestWindowID(t *testing.T) {
	s := scene{{ID: 0x1a00003}}
	w, err := s.named("0x1a00003")
	require.NoError(t, err)
	assert.Equal(t, s[0], w)
	for _, id := range []string{"", "1a00003", "0x1A00003", "0x01a00003", "0x1a00004"} {
		_, err := s.named(id)
		require.Error(t, err, id)
	}
}
