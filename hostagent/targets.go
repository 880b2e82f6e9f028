package hostagent

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/budget"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// Target is an entry of the section windows of a host's prompt, from which ASSIGN
// chooses. Models that are rules, and tests, read it with llm.FindSection.
type Target struct {
	ID      string `json:"id"` // what ControlLabel refers to: the place in the list
	Title   string `json:"title"`
	Root    string `json:"root"` // the program
	Process string `json:"process,omitempty"`
	Running bool   `json:"running"` // no: it is launched when it is chosen
}

// target is one entry of the list that the model chooses from.
type target struct {
	Target

	window  desktop.Window
	program *Program
}

// targets lists the windows.
func targets(windows []desktop.Window) []target {
	list := make([]target, len(windows))
	for i, w := range windows {
		list[i] = target{
			Target: Target{ID: strconv.Itoa(i), Title: w.Title, Root: w.Root, Process: w.Process, Running: true},
			window: w,
		}
	}
	return list
}

// withPrograms adds the programs that do not run.
func withPrograms(list []target, programs []Program) []target {
	running := map[string]bool{}
	for i := range list {
		running[strings.ToLower(list[i].Root)] = true
	}
	for i := range programs {
		if p := &programs[i]; !running[strings.ToLower(p.Name)] {
			list = append(list, target{Target: Target{ID: strconv.Itoa(len(list)), Title: p.Name, Root: p.Name}, program: p})
		}
	}
	return list
}

// targetOf finds the entry that a decision means: by its id, else by a title or
// program that only one entry has.
func targetOf(list []target, label, text string) (*target, error) {
	if label == "" && text == "" {
		return nil, errors.New("no application is chosen: write the id of an entry of the section windows into ControlLabel")
	}
	var named []*target
	for i := range list {
		if t := &list[i]; text != "" && (sameName(t.Title, text) || sameName(t.Root, text)) {
			named = append(named, t)
		}
	}
	if label == "" {
		if len(named) == 1 {
			return named[0], nil
		}
		return nil, fmt.Errorf("%d entries of the section windows are called %q: write an id into ControlLabel; there are %s", len(named), text, listed(list))
	}
	for i := range list {
		t := &list[i]
		if t.ID != label {
			continue
		}
		if len(named) == 1 && named[0] != t {
			return nil, fmt.Errorf("ControlLabel %s is %q, but ControlText %q is entry %s", label, t.Title, text, named[0].ID)
		}
		return t, nil
	}
	return nil, fmt.Errorf("ControlLabel %q is not an id of the section windows; there are %s", label, listed(list))
}

// sameName compares names as people do who copy one: without case, and with any
// spaces.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// listed names the entries, the first ones of a long list.
func listed(list []target) string {
	var names []string
	for i := range list {
		if i == budget.Applications {
			names = append(names, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s %q", list[i].ID, clip.Name(list[i].Title, budget.Title)))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// program returns the entry of that name, in any case of letters, or nil.
func program(apps []Program, name string) *Program {
	for i := range apps {
		if strings.EqualFold(apps[i].Name, name) {
			return &apps[i]
		}
	}
	return nil
}
