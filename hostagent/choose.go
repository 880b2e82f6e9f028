package hostagent

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// choose returns the window, or the program that does not run yet, that gets the sub-task of an
// ASSIGN; or an error for the model. Nobody else chooses one. It chooses from t.targets, which the
// prompt shows as the section windows:
//
//   - the entry whose id is ControlLabel;
//   - without ControlLabel the only entry that ControlText names, by its title or its program. A name in
//     other letters or spaces, such as EXCEL for excel, is noted as a repair;
//   - where it names none, the only one whose title it begins, or is a part of: "Microsoft Word"
//     means "Microsoft Word - Document1", which is noted as a repair;
//   - none where the two contradict each other.
//
// A call that selects a window says the same by its arguments id and name.
//
// What follows is elsewhere: pick asks a binding plan about the choice, reach selects the window or
// launches the program, awaitLaunched finds its window, and assign hands the sub-task over.
func (t *turn) choose(d *decision) (chosen *target, guessed bool, err error) {
	if strings.TrimSpace(d.CurrentSubTask) == "" {
		return nil, false, errors.New("ASSIGN needs a CurrentSubTask")
	}
	label, other := strings.TrimSpace(d.ControlLabel), ""
	if selects(d.Function) {
		if label, err = agree(label, d.Args["id"]); err != nil {
			return nil, false, err
		}
		other = text(d.Args["name"])
	}
	name := orElse(strings.TrimSpace(d.ControlText), strings.TrimSpace(other))
	if label == "" {
		chosen, err = similar(t.targets, name)
		if err != nil {
			return nil, false, err
		}
		if chosen != nil { // the call may contradict it
			chosen, err = targetOf(t.targets, chosen.ID, chosen.Title, other)
			return chosen, true, err
		}
	}
	if chosen, err = targetOf(t.targets, label, d.ControlText, other); err != nil {
		return nil, false, err
	}
	return chosen, label == "" && name != chosen.Title && name != chosen.Root, nil
}

// similar returns the entry that a name means which no entry has, nil where none may be meant.
func similar(list []target, name string) (*target, error) {
	if name == "" || len(named(list, name)) > 0 {
		return nil, nil //nolint:nilnil // there is nothing to guess
	}
	var found []int
	for i := range list {
		if partOf(name, list[i].Title) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil //nolint:nilnil // likewise
	case 1:
		return &list[found[0]], nil
	}
	return nil, fmt.Errorf("%q may mean the entry %s of the section windows: write the id into ControlLabel", name, ids(list, found))
}

// separators stand between the parts of a title: the document and the program.
var separators = strings.NewReplacer(" – ", " - ", " — ", " - ", " | ", " - ")

// partOf reports whether a name is a part of a title, or its first words.
func partOf(name, title string) bool {
	for part := range strings.SplitSeq(separators.Replace(title), " - ") {
		if builtin.SameText(part, name) {
			return true
		}
	}
	words, first := strings.Fields(title), strings.Fields(name)
	return len(first) < len(words) && builtin.SameText(strings.Join(words[:len(first)], " "), name)
}

// window returns the running window that a call means, which selects or closes it.
func (t *turn) window(d *decision) (desktop.Window, error) {
	label, name, other := text(d.Args["id"]), "", text(d.Args["name"])
	if d.Status != Assign { // else the two fields are about another one
		var err error
		if label, err = agree(strings.TrimSpace(d.ControlLabel), d.Args["id"]); err != nil {
			return desktop.Window{}, err
		}
		name = d.ControlText
	}
	chosen, err := targetOf(t.targets, label, name, other)
	switch {
	case err != nil:
		return desktop.Window{}, fmt.Errorf("%s: %w", d.Function, err)
	case !chosen.Running && selects(d.Function):
		return desktop.Window{}, fmt.Errorf("%s: %q is not running: call %s first", d.Function, chosen.Root, desktop.LaunchApplication)
	case !chosen.Running:
		return desktop.Window{}, fmt.Errorf("%s: %q is not running: there is nothing to close", d.Function, chosen.Root)
	}
	return chosen.window, nil
}

// targetOf finds what a decision means in the list: by its id, else by a title or
// program that only one entry has. other is its second name, in the arguments.
func targetOf(list []target, label, name, other string) (*target, error) {
	if name, other = strings.TrimSpace(name), strings.TrimSpace(other); name == "" {
		name, other = other, ""
	}
	if label == "" && name == "" {
		return nil, errors.New("no application is chosen: write the id of an entry of the section windows into ControlLabel")
	}
	if len(list) == 0 {
		return nil, errors.New("the section windows is empty: open an application with a tool first")
	}
	found := named(list, name)
	chosen := slices.IndexFunc(list, func(t target) bool { return t.ID == label })
	switch {
	case label == "" && len(found) == 1:
		chosen = found[0]
	case label == "" && len(found) == 0:
		return nil, fmt.Errorf("no entry of the section windows is called %q: write an id into ControlLabel; %s", name, listed(list))
	case label == "":
		return nil, fmt.Errorf("%d entries of the section windows are called %q: write an id into ControlLabel; %s", len(found), name, listed(list))
	case chosen < 0:
		return nil, fmt.Errorf("ControlLabel %q is no id of the section windows; %s", label, listed(list))
	}
	t := &list[chosen]
	// A name that no entry has says nothing: models write what a window looks like.
	if len(found) > 0 && !slices.Contains(found, chosen) {
		return nil, fmt.Errorf("the id %q is the entry %q, but the title %q is the entry %s: write id and title of one entry", label, t.Title, name, ids(list, found))
	}
	if found = named(list, other); len(found) > 0 && !slices.Contains(found, chosen) {
		return nil, fmt.Errorf("the entry %q is chosen, but the argument \"name\" %q is the entry %s: name one entry in both", t.ID, other, ids(list, found))
	}
	return t, nil
}

// named returns the places of the entries with that title or program.
func named(list []target, name string) []int {
	var found []int
	for i := range list {
		if t := &list[i]; name != "" && (builtin.SameText(t.Title, name) || builtin.SameText(t.Root, name)) {
			found = append(found, i)
		}
	}
	return found
}

// ids names the entries at these places, the first ones of many.
func ids(list []target, places []int) string {
	var words []string
	for _, i := range places[:min(len(places), promptsize.Listed)] {
		words = append(words, strconv.Quote(list[i].ID))
	}
	return strings.Join(words, " or ")
}

// agree returns the id that a decision means, by its field and by its call.
func agree(label string, id any) (string, error) {
	given := strings.TrimSpace(text(id))
	if label != "" && given != "" && label != given {
		return "", fmt.Errorf("ControlLabel is %q, but the argument \"id\" is %q: write the same id of the section windows into both", label, given)
	}
	return orElse(label, given), nil
}

// listed names the entries, the first ones of a long list.
func listed(list []target) string {
	var names []string
	for i := range list {
		if i == promptsize.Applications {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		names = append(names, fmt.Sprintf("%q (%q)", list[i].ID, clip.Name(list[i].Title, promptsize.Title)))
	}
	return "the ids are " + strings.Join(names, ", ")
}
