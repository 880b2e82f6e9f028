package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// complete is a call of the model.
func (w *world) complete(r *http.Request) (*llm.Response, error) {
	var req llm.Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return nil, err
	}
	run := r.PathValue("run")
	w.add(run, event{What: evCall})
	w.wait(r.Context(), waitBefore)
	text, err := think(&req)
	w.add(run, event{What: evReply})
	return &llm.Response{Text: text, Model: "thinker", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, err
}

// think decides by what it is shown alone: of an act that may or may not have happened, it looks what is there.
func think(req *llm.Request) (string, error) {
	var part string
	if found, err := sectionOf(req, "part", &part); found || err != nil {
		return "this is " + part, err
	}
	var subtask struct {
		Text string `json:"text"`
	}
	found, err := sectionOf(req, "subtask", &subtask)
	switch {
	case err != nil:
		return "", err
	case found:
		return appThinks(req, subtask.Text)
	}
	return hostThinks(req)
}

// fillTable is the task whose acts are rows, four of them by one decision.
const fillTable = "fill the table"

func hostThinks(req *llm.Request) (string, error) {
	var tasks []struct {
		Task   string `json:"task"`
		Status string `json:"status"`
	}
	if _, err := sectionOf(req, "previous_subtasks", &tasks); err != nil {
		return "", err
	}
	closed := map[string]string{}
	for _, t := range tasks {
		closed[t.Task] = t.Status
	}
	assign := func(label, task string) string {
		return fmt.Sprintf(`{"Status":"ASSIGN","ControlLabel":%q,"CurrentSubTask":%q}`, label, task)
	}
	_, answered := llm.FindSection(req, "answers")
	switch {
	case !answered:
		return `{"Status":"PENDING","Questions":["Which colour?","Which size?"]}`, nil
	case closed[fillTable] != "FINISH":
		return assign("0", fillTable), nil
	case closed["write the report"] == "":
		return assign("1", "write the report"), nil
	case closed["write it again"] != "FINISH":
		return assign("1", "write it again"), nil
	}
	return `{"Status":"FINISH","Result":"all is done","Open":{"subtask_2":"done: written again"}}`, nil
}

func appThinks(req *llm.Request, task string) (string, error) {
	var controls []desktop.Control
	if _, err := sectionOf(req, "controls", &controls); err != nil {
		return "", err
	}
	value := map[string]int{}
	for _, c := range controls {
		n, err := strconv.Atoi(c.Value)
		if err != nil {
			return "", err
		}
		value[c.ID] = n
	}
	_, answered := llm.FindSection(req, "answers")
	act := func(tool, args string) string {
		return fmt.Sprintf(`{"Status":"CONTINUE","Function":%q,"Args":{%s}}`, tool, args)
	}
	row := func(n int) string { return fmt.Sprintf(`{"Function":"add_row","Args":{"n":"%d"}}`, n) }
	switch {
	case len(controls) == 0:
		return `{"Status":"FAIL","Comment":"nothing is shown"}`, nil
	case task == fillTable && value["rows"] >= 4 && value["rows"] < 8: // what is left of a list of four
		var list []string
		for n := value["rows"] + 1; n <= 8; n++ {
			list = append(list, row(n))
		}
		return `{"Status":"CONTINUE","Actions":[` + strings.Join(list, ",") + `]}`, nil
	case task == fillTable && value["rows"] < allRows:
		return act("add_row", fmt.Sprintf(`"n":"%d"`, value["rows"]+1)), nil
	case task == fillTable:
		return fmt.Sprintf(`{"Status":"FINISH","Result":{"rows":%d},%s}`, value["rows"], seen), nil
	case task == "write the report" && value["lines"] == 3:
		return `{"Status":"FAIL","Comment":"the paper is used up"}`, nil
	case task == "write it again" && value["lines"] >= 6 && !answered:
		return `{"Status":"PENDING","Questions":["Which title?"]}`, nil
	case value["lines"] < allLines:
		return act("add_line", fmt.Sprintf(`"text":"line %d"`, value["lines"]+1)), nil
	case value["published"] == 0:
		return act("publish", ""), nil
	}
	return `{"Status":"FINISH","Result":"published",` + seen + `}`, nil
}

// seen is what an agent says of acts in doubt, as many as there may be: it goes by what is shown.
const seen = `"Open":{"act_1":"done: seen","act_2":"done: seen","act_3":"done: seen","act_4":"done: seen","act_5":"done: seen","act_6":"done: seen"}`

func sectionOf(req *llm.Request, name string, v any) (found bool, err error) {
	raw, found := llm.FindSection(req, name)
	if !found {
		return false, nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return true, fmt.Errorf("crash: section %q: %w", name, err)
	}
	return true, nil
}
