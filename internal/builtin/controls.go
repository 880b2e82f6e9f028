package builtin

import (
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// fitControls keeps as much of a tree as there is room for, and says at the end how many controls
// were left out. The dialogs at its top come first, each with all that is inside: an agent must
// answer a dialog before it does anything else. Then come the outermost controls. One that does not
// fit is left out with what is inside of it; smaller ones after it may still fit.
func fitControls(tree []desktop.Control, limit int) []any {
	f := fitting{room: limit - noteSize}
	nodes := make([]*shownControl, len(tree))
	var others []*shownControl // that are no dialogs
	for i := range tree {
		if commands.IsDialog(tree[i]) {
			nodes[i] = f.show(&tree[i])
			f.fill(nodes[i : i+1])
		}
	}
	for i := range tree {
		if !commands.IsDialog(tree[i]) {
			nodes[i] = f.show(&tree[i])
			others = append(others, nodes[i])
		}
	}
	f.fill(others)
	var list []any
	for _, c := range built(nodes) {
		list = append(list, c)
	}
	if all := count(tree); all > f.kept {
		list = append(list, map[string]any{"left_out": fmt.Sprintf("%d of %d controls were left out", all-f.kept, all)})
	}
	return list
}

// fitting is what is left of the bound of a tree.
type fitting struct {
	room, kept int
}

type shownControl struct {
	desktop.Control // without what is inside
	inside          []desktop.Control
	shown           []*shownControl // of inside; nil: left out
}

// show takes the room for a control without what is inside; nil: there is not enough.
func (f *fitting) show(c *desktop.Control) *shownControl {
	n := &shownControl{Control: *c, inside: c.Children}
	n.Children = nil
	n.Name, n.Value = clip.Text(c.Name, promptsize.Output), clip.Text(c.Value, promptsize.Output)
	n.Type, n.State, n.Actions = clip.Text(c.Type, promptsize.Name), fewWords(c.State), fewWords(c.Actions)
	needs := size(n.Control) + len(`,"children":[]`)
	if needs > f.room {
		return nil
	}
	f.room -= needs
	f.kept++
	return n
}

// fill shows what is inside of controls, the outermost first.
func (f *fitting) fill(queue []*shownControl) {
	for queue = slices.Clone(queue); len(queue) > 0; queue = queue[1:] {
		outer := queue[0]
		if outer == nil {
			continue
		}
		for i := range outer.inside {
			n := f.show(&outer.inside[i])
			outer.shown = append(outer.shown, n)
			queue = append(queue, n)
		}
	}
}

func built(nodes []*shownControl) (list []desktop.Control) {
	for _, n := range nodes {
		if n != nil {
			n.Children = built(n.shown)
			list = append(list, n.Control)
		}
	}
	return list
}

// fewWords returns the first states or actions of a control, each of some length.
func fewWords(all []string) []string {
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
