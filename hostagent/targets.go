package hostagent

import (
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// shownTarget is an entry of the section windows of a host's prompt, from which ASSIGN chooses.
type shownTarget struct {
	ID      string `json:"id"` // what ControlLabel refers to: the place in the list
	Title   string `json:"title"`
	About   string `json:"description,omitempty"`
	Root    string `json:"root"` // the program
	Process string `json:"process,omitempty"`
	Running bool   `json:"running"` // no: it is launched when it is chosen
}

// target is one entry of the list that the model chooses from.
type target struct {
	shownTarget

	window  desktop.Window
	program *Program
}

// targets lists the windows. One that belongs to another is part of that.
func targets(windows []desktop.Window) []target {
	belongs := belonging(windows)
	list := make([]target, 0, len(windows))
	for _, w := range windows {
		if belongs(w) {
			continue
		}
		list = append(list, target{
			shownTarget: shownTarget{ID: strconv.Itoa(len(list)), Title: w.Title, About: w.Description, Root: w.Root, Process: w.Process, Running: true},
			window:      w,
		})
	}
	return list
}

// belonging tells which windows are part of another one of the list. Those that own each other
// in a circle are not: none of them would be left.
func belonging(windows []desktop.Window) func(desktop.Window) bool {
	owners := map[string]string{}
	for _, w := range windows {
		owners[w.ID] = w.Owner
	}
	return func(w desktop.Window) bool {
		last := w.ID
		for range promptsize.Owners {
			owner := owners[last]
			if _, listed := owners[owner]; !listed {
				return last != w.ID
			}
			if owner == w.ID {
				return false
			}
			last = owner
		}
		return true
	}
}

// withPrograms adds the programs that do not run.
func withPrograms(list []target, programs []Program) []target {
	running := map[string]bool{}
	for i := range list {
		running[strings.ToLower(list[i].Root)] = true
	}
	for i := range programs {
		if p := &programs[i]; !running[strings.ToLower(p.Name)] {
			list = append(list, target{shownTarget: shownTarget{ID: strconv.Itoa(len(list)), Title: p.Name, Root: p.Name}, program: p})
		}
	}
	return list
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
