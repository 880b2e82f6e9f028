package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
)

// fitControls keeps as much of a tree as there is room for, and says at the end how many controls
// were left out. The dialogs at its top come first, each with all that is inside: an agent must
// answer a dialog before it does anything else. Then come the outermost controls. One that does not
// fit is left out with what is inside of it; smaller ones after it may still fit.
func fitControls(tree []desktop.Control, limit int, whole *wholes) plainjson.Text {
	f := fitting{room: limit - noteSize, whole: whole}
	f.encoder = json.NewEncoder(&f.text)
	f.encoder.SetEscapeHTML(false)
	nodes := make([]*shownControl, len(tree))
	var others []*shownControl // that are no dialogs
	for i := range tree {
		if commands.IsDialog(tree[i]) {
			nodes[i] = f.show(&tree[i])
			f.fill(nodes[i : i+1])
		}
	}
	for i := range tree {
		if commands.IsDialog(tree[i]) {
			continue
		}
		if nodes[i] = f.show(&tree[i]); nodes[i] != nil {
			others = append(others, nodes[i])
		}
	}
	f.fill(others)
	list := append(make([]byte, 0, limit), '[')
	for _, n := range nodes {
		if n != nil {
			list = append(f.appendTo(list, n), ',')
		}
	}
	if all := count(tree); all > f.kept {
		list = fmt.Appendf(list, `{"left_out":"%d of %d controls were left out"},`, all-f.kept, all)
	}
	return append(bytes.TrimSuffix(list, []byte(",")), ']')
}

// leastOf is the sum of least in a tree, as far as the first control beyond limit.
func leastOf(tree []desktop.Control, limit int) (n int) {
	for i := range tree {
		n += least(&tree[i])
		if n += leastOf(tree[i].Children, limit-n); n > limit {
			break
		}
	}
	return n
}

// fitting is what is left of the bound of a tree, and what was written of it.
type fitting struct {
	room, kept int
	text       bytes.Buffer
	encoder    *json.Encoder // into text
	control    desktop.Control
	whole      *wholes
}

type shownControl struct {
	from, to int               // where the control is written, without what is inside
	inside   []desktop.Control // of the desktop's tree
	shown    []*shownControl   // of inside, without those that are left out
}

// show writes a control without what is inside, if there is room for it; nil: there is not enough.
func (f *fitting) show(c *desktop.Control) *shownControl {
	const inside = len(`,"children":[]`)
	if least(c)+inside > f.room {
		return nil // as most of a large tree: nothing is written to be thrown away
	}
	f.control = *c
	f.control.Children = nil
	f.control.Name, f.control.Value = f.cut(c.ID, "name", c.Name), f.cut(c.ID, "value", c.Value)
	f.control.Type = clip.Text(c.Type, promptsize.Name)
	f.control.State, f.control.Actions = fewWords(c.State), fewWords(c.Actions)
	from := f.text.Len()
	_ = f.encoder.Encode(&f.control)  // a Buffer has no errors, and such a control none either
	f.text.Truncate(f.text.Len() - 1) // a line break
	if text := section.Escape(f.text.Bytes()[from:]); len(text) != f.text.Len()-from {
		f.text.Truncate(from)
		f.text.Write(text)
	}
	n := &shownControl{from: from, to: f.text.Len(), inside: c.Children}
	needs := n.to - n.from + inside
	if needs > f.room {
		f.text.Truncate(from)
		return nil
	}
	f.room -= needs
	f.kept++
	return n
}

// least is a bound below what show writes of a control: a text that is not cut has at least its
// bytes.
func least(c *desktop.Control) int {
	n := len(`{"id":""}`) + len(c.ID)
	text := func(text string, limit int, frame string) {
		if text != "" && len(text) <= limit {
			n += len(frame) + len(text)
		}
	}
	text(c.Name, promptsize.Output, `,"name":""`)
	text(c.Type, promptsize.Name, `,"type":""`)
	text(c.Value, promptsize.Output, `,"value":""`)
	for _, words := range [][]string{c.State, c.Actions} {
		for _, word := range words[:min(len(words), promptsize.ControlWords)] {
			text(word, promptsize.Name, `"",`)
		}
	}
	return n
}

// cut cuts a name or a value.
func (f *fitting) cut(control, member, text string) string {
	if len(text) <= promptsize.Output {
		return text
	}
	path := f.whole.child(f.whole.child(f.whole.child("prompt", "controls"), control), member)
	return clip.Ref(text, promptsize.Output, f.whole.text(path, text))
}

// fill shows what is inside of controls, the outermost first.
func (f *fitting) fill(queue []*shownControl) {
	for queue = slices.Clone(queue); len(queue) > 0; queue = queue[1:] {
		outer := queue[0]
		if outer == nil {
			continue
		}
		for i := range outer.inside {
			if n := f.show(&outer.inside[i]); n != nil {
				outer.shown = append(outer.shown, n)
				queue = append(queue, n)
			}
		}
	}
}

// appendTo appends a control with what is shown of its inside.
func (f *fitting) appendTo(out []byte, n *shownControl) []byte {
	text := f.text.Bytes()[n.from:n.to]
	if len(n.shown) == 0 {
		return append(out, text...)
	}
	out = append(append(out, text[:len(text)-1]...), `,"children":[`...)
	for i, inner := range n.shown {
		if i > 0 {
			out = append(out, ',')
		}
		out = f.appendTo(out, inner)
	}
	return append(out, "]}"...)
}

// fewWords returns the first states or actions of a control, each of some length.
func fewWords(all []string) []string {
	long := func(word string) bool { return len(word) > promptsize.Name }
	if len(all) <= promptsize.ControlWords && !slices.ContainsFunc(all, long) {
		return all // as mostly
	}
	words := slices.Clone(all[:min(len(all), promptsize.ControlWords)])
	for i := range words {
		words[i] = clip.Text(words[i], promptsize.Name)
	}
	if len(words) < len(all) {
		words = append(words, fmt.Sprintf("… [cut: %d in all]", len(all)))
	}
	return words
}

func count(tree []desktop.Control) int {
	n := len(tree)
	for i := range tree {
		n += count(tree[i].Children)
	}
	return n
}
