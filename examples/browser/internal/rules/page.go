package rules

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

// agent is the agent of a site with the page that it sees.
type agent struct {
	*fakemodel.Prompt

	job  Job
	page []desktop.Control // in the order of the page, without nesting
}

func flat(list []desktop.Control) (all []desktop.Control) {
	for _, c := range list {
		all = append(append(all, c), flat(c.Children)...)
	}
	return all
}

// find returns the first control of a type whose name matches.
func (a *agent) find(kind, name string) (desktop.Control, bool) {
	pattern := regexp.MustCompile("^(" + name + ")$")
	for _, c := range a.page {
		if c.Type == kind && pattern.MatchString(c.Name) {
			return c, true
		}
	}
	return desktop.Control{}, false
}

// says returns what follows a text at the beginning of a control.
func (a *agent) says(begin string) (rest string, found bool) {
	for _, c := range a.page {
		for _, text := range []string{c.Name, c.Value} {
			if rest, found := strings.CutPrefix(text, begin); found {
				return rest, true
			}
		}
	}
	return "", false
}

// rows reads the first table that has all these columns. The desktop shows a row as one text with bars.
func (a *agent) rows(columns ...string) (rows []map[string]string, found bool) {
	var header []string
	for _, c := range a.page {
		if c.Type != "row" {
			if c.Type == "table" {
				header = nil
			}
			continue
		}
		cells := strings.Split(c.Value, " |") // an empty cell has no space behind its bar
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if header == nil {
			header = cells
			continue
		}
		if slices.ContainsFunc(columns, func(name string) bool { return !slices.Contains(header, name) }) {
			continue
		}
		row := map[string]string{}
		for i, name := range header[:min(len(header), len(cells))] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows, len(rows) > 0
}

// number reads 7 and 1,204; -1 for anything else.
func number(text string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

func click(c desktop.Control) fakemodel.Action {
	return fakemodel.Action{Function: desktop.ClickInput, ControlLabel: c.ID, ControlText: c.Name}
}

func fill(c desktop.Control, text string) fakemodel.Action {
	return fakemodel.Action{Function: desktop.SetEditText, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"text": text}}
}

func acts(observation string, list ...fakemodel.Action) fakemodel.Reply {
	return fakemodel.Reply{Status: fsm.Continue, Observation: observation, Actions: list}
}

// open opens the start of the site, at most four times in a sub-task.
func (a *agent) open(url string) fakemodel.Reply {
	if a.did(navigate, "") > 3 {
		return fakemodel.Fail("the site does not show what is needed: %s", a.LastError)
	}
	return fakemodel.Call(navigate, map[string]any{"url": url})
}

// The tools of a browser that are not well-known ones.
const (
	navigate      = "navigate"
	selectOption  = "select_option"
	dismissDialog = "dismiss_dialog"
	inTime        = "no answer came in time" // in the error of a command that a server does not answer
)

// did counts the acts with a tool, on a control of that name if there is one, that succeeded.
func (a *agent) did(tool, name string) (n int) {
	for _, act := range a.Done() {
		if act.Tool == tool && act.Status == "" && (name == "" || control(act.Parameters) == name) {
			n++
		}
	}
	return n
}

// control is the name of the control that a command acted on.
func control(parameters json.RawMessage) string {
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(parameters, &p) // a command without a control has none
	return p.Name
}

// notes returns the observations of this sub-task, oldest first.
func (a *agent) notes() (list []string) {
	for _, memo := range a.Steps() {
		var said struct {
			Observation string `json:"observation"`
		}
		if json.Unmarshal(memo.Decision, &said) == nil && said.Observation != "" {
			list = append(list, said.Observation)
		}
	}
	return list
}

// obstacle handles what can stand before any page: a dialog, and acts that fail again and again.
func (a *agent) obstacle() (fakemodel.Reply, bool) {
	failures, last := 0, ""
	for _, act := range slices.Backward(a.Done()) {
		if act.Status != desktop.Failure {
			break
		}
		if failures++; failures == 1 {
			last = act.Error
		}
	}
	if failures > 4 || failures > 1 && strings.Contains(last, inTime) {
		return fakemodel.Fail("nothing succeeds any more: %s", last), true
	}
	if slices.ContainsFunc(a.page, func(c desktop.Control) bool { return c.ID == "dialog" }) {
		return fakemodel.Act("A dialog is open.", fakemodel.Action{Function: dismissDialog, ControlLabel: "dialog"}), true
	}
	return fakemodel.Reply{}, false
}
