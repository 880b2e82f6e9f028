package hostagent

import (
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// shownTarget is an entry of the section windows of a host's prompt, from which ASSIGN chooses.
type shownTarget struct {
	ID      string `json:"id"` // what ControlLabel refers to: the place in the list
	Title   string `json:"title"`
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

// targets lists the windows.
func targets(windows []desktop.Window) []target {
	list := make([]target, len(windows))
	for i, w := range windows {
		list[i] = target{
			shownTarget: shownTarget{ID: strconv.Itoa(i), Title: w.Title, Root: w.Root, Process: w.Process, Running: true},
			window:      w,
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
