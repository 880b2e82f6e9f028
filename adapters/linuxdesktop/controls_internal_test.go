package linuxdesktop

import (
	"encoding/json"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/desktop"
)

const usable = atspi.Showing | atspi.Sensitive | atspi.Enabled

func object(id, role, name string, inside ...*atspi.Node) *atspi.Node {
	return &atspi.Node{Ref: ref("1." + id), Role: role, Name: name, States: usable, Bounds: image.Rect(110, 220, 150, 240), Count: len(inside), Children: inside}
}

func with(n *atspi.Node, change func(*atspi.Node)) *atspi.Node { change(n); return n }

// lines are controls, one in a line, with what is inside further to the right.
func lines(list []desktop.Control) string {
	var b strings.Builder
	var add func([]desktop.Control, string)
	add = func(list []desktop.Control, indent string) {
		for _, c := range list {
			raw, _ := json.Marshal([]any{c.Type, c.Name, c.Value, c.State})
			b.WriteString(indent + string(raw) + "\n")
			add(c.Children, indent+" ")
		}
	}
	add(list, "")
	return b.String()
}

func TestOutline(t *testing.T) {
	cells := make([]*atspi.Node, atspi.ShownCells+1)
	for i := range cells {
		cells[i] = object("9", "table cell", "x")
	}
	bar := object("20", "tool bar", "Standard", object("21", "push button", "New"), object("22", "panel", "", object("23", "combo box", "Font")))
	for name, test := range map[string]struct {
		n    *atspi.Node
		want string
	}{
		"boxes vanish":     {object("1", "panel", "", object("2", "filler", "", object("3", "push button", "OK"))), `["push button","OK","",null]`},
		"a named group":    {object("1", "panel", "Size", object("2", "entry", "W"), object("3", "entry", "H")), "[\"panel\",\"Size\",\"\",null]\n [\"entry\",\"W\",\"\",null]\n [\"entry\",\"H\",\"\",null]"},
		"a named box of 1": {object("1", "panel", "Size", object("2", "entry", "W")), `["entry","W","",null]`},
		"a folded bar":     {bar, `["tool bar","Standard","New | Font [+]",null]`},
		"an empty bar":     {object("1", "status bar", ""), ""},
		"a password":       {with(object("1", "password text", "PIN"), func(n *atspi.Node) { n.Text = "1234" }), `["password text","PIN","***",null]`},
		"a label's name":   {with(object("1", "entry", ""), func(n *atspi.Node) { n.Label, n.Text = "Name:", "a\nb" }), `["entry","Name","a b",null]`},
		"a large table":    {with(object("1", "table", "Files", cells...), func(n *atspi.Node) { n.Rows, n.Columns = 121, 1 }), `["table","Files","121 rows, 1 columns; read_table reads it",null]`},
		"a small table": {with(object("1", "table", "T", object("2", "table cell", "A1", with(object("3", "paragraph", ""), func(n *atspi.Node) { n.Text = "North" })),
			with(object("4", "table cell", ""), func(n *atspi.Node) { n.Bounds = image.Rectangle{} })), func(n *atspi.Node) { n.Rows, n.Columns = 1, 2 }),
			"[\"table\",\"T\",\"1 rows, 2 columns\",null]\n [\"table cell\",\"A1\",\"North\",null]"},
		"states":           {with(object("1", "check box", "Bold"), func(n *atspi.Node) { n.States = atspi.Showing | atspi.Checked | atspi.Focused }), `["check box","Bold","",["focused","checked","disabled"]]`},
		"off the screen":   {with(object("1", "push button", "OK"), func(n *atspi.Node) { n.Bounds = image.Rectangle{} }), `["push button","OK","",["offscreen"]]`},
		"a bar that tells": {object("1", "alert", "Infobar"), `["notification","Infobar","",null]`},
		"a combo box":      {object("1", "combo box", "Font", with(object("2", "text", ""), func(n *atspi.Node) { n.Text = "Sans" })), "[\"combo box\",\"Font\",\"Sans\",null]\n [\"text\",\"\",\"Sans\",null]"},
		"an empty label":   {object("1", "label", ""), ""},
		"texts of a page": {object("1", "section", "", object("2", "static", "Price: "), object("3", "section", "", object("4", "static", "42"))),
			"[\"static\",\"Price:\",\"\",null]\n[\"static\",\"42\",\"\",null]"},
		"an item that says its text": {with(object("1", "list item", "", object("2", "static", "Milk"), object("3", "section", "", object("4", "static", "two"))),
			func(n *atspi.Node) { n.Text = "Milk\ufffc" }), "[\"list item\",\"\",\"Milk\",null]\n [\"static\",\"two\",\"\",null]"},
		"a raised part": {with(object("1", "paragraph", "", object("2", "static", "10"), with(object("3", "superscript", "", object("4", "static", "3")),
			func(n *atspi.Node) { n.Text = "3" }), object("5", "static", " m")), func(n *atspi.Node) { n.Text = "10\ufffc m" }), `["paragraph","","10³ m",null]`},
		"a deleted part": {with(object("1", "paragraph", "", with(object("2", "content deletion", ""), func(n *atspi.Node) { n.Text = "10" }),
			with(object("3", "content insertion", ""), func(n *atspi.Node) { n.Text = "25" })), func(n *atspi.Node) { n.Text = "\ufffc\ufffc" }), `["paragraph","","25",null]`},
		"a link in a text": {with(object("1", "paragraph", "", with(object("2", "link", "here"), func(n *atspi.Node) { n.Text = "here" })), func(n *atspi.Node) { n.Text = "Look \ufffc." }),
			"[\"paragraph\",\"\",\"Look here.\",null]\n [\"link\",\"here\",\"\",null]"},
	} {
		t.Run(name, func(t *testing.T) {
			o := &outline{call: &call{Desktop: &Desktop{session: &session{unfolded: map[string]bool{}}}}, origin: image.Pt(100, 200), seen: map[string]shown{}, id: 7}
			list := o.list([]*atspi.Node{test.n})
			assert.Equal(t, test.want, strings.TrimSuffix(lines(list), "\n"))
			for id, s := range o.seen {
				assert.EqualValues(t, 7, s.window, id)
			}
		})
	}
}

func TestOutlineUnfolded(t *testing.T) {
	d := &Desktop{session: &session{unfolded: map[string]bool{"1.1": true}}}
	o := &outline{call: &call{Desktop: d}, origin: image.Pt(100, 200), seen: map[string]shown{}}
	list := o.list([]*atspi.Node{object("1", "tool bar", "Standard", object("2", "push button", "New"))})
	require.Len(t, list, 1)
	assert.Equal(t, "[\"tool bar\",\"Standard\",\"\",null]\n [\"push button\",\"New\",\"\",null]\n", lines(list))
	assert.Equal(t, [4]int{10, 20, 40, 20}, list[0].Bounds, "in the picture of the window")

	show := func(id string) (desktop.Result, error) {
		return (&call{Desktop: o.Desktop, args: arguments{ID: id}}).showControls(t.Context())
	}
	res, err := show("1.1")
	require.EqualError(t, err, `the control "1.1" has nothing to show`, "no look has shown it")
	assert.Empty(t, res)
	o.shown = o.seen
	_, err = show("1.1")
	require.NoError(t, err)
	assert.False(t, d.unfolded["1.1"])
	_, err = show("1.2")
	require.Error(t, err, "a button")
}

func TestDiffer(t *testing.T) {
	picture := func(change ...image.Point) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 20, 20))
		for _, p := range change {
			img.Pix[img.PixOffset(p.X, p.Y)] = 255
		}
		return img
	}
	assert.False(t, differ(picture(), picture()))
	assert.False(t, differ(picture(), picture(image.Pt(3, 1), image.Pt(3, 9))), "a cursor")
	assert.True(t, differ(picture(), picture(image.Pt(3, 1), image.Pt(9, 1))))
	assert.True(t, differ(picture(), picture(image.Pt(3, 1), image.Pt(12, 15))))
	assert.True(t, differ(picture(), image.NewRGBA(image.Rect(0, 0, 20, 19))))
}
