package rules

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/fsm"
)

// Result is what the terminal's part hands on.
type Result struct {
	Column string  `json:"column"`
	Rows   [][]any `json:"rows"` // a header, then each file with the highest total
}

// inTerminal works through its script until it comes to a line that was not run yet.
func inTerminal(p *prompt) (d linux.Decision) {
	s := &script{done: p.Done()}
	files := s.list()
	headers := s.headers(files)
	if s.stopped() {
		return s.next
	}
	if len(files) == 0 {
		return giveUp("there are no CSV files in this folder")
	}
	column, named := columnOf(p)
	if !named {
		return linux.Decision{
			Status: fsm.Pending, Comment: "the request names no column",
			Questions: []string{"The total of which column? There are: " + strings.Join(shown(all(headers)), ", ")},
		}
	}
	sums := s.totals(columns(headers, column, s))
	if s.stopped() {
		return s.next
	}
	return s.answer(column, headers, sums)
}

func giveUp(reason string) linux.Decision { return linux.Decision{Status: fsm.Fail, Comment: reason} }

// columnOf returns the column that the request, or else the person, names.
func columnOf(p *prompt) (string, bool) {
	if _, rest, found := strings.Cut(p.Request, "total of "); found {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			name, err := strconv.Unquote(quoted)
			return name, err == nil
		}
	}
	if n := len(p.Answers); n > 0 {
		return strings.TrimSpace(p.Answers[n-1].Answer), true
	}
	return "", false
}

// answer is the file with the highest total, or several with the same.
func (s *script) answer(column string, headers []header, sums []sum) linux.Decision {
	var best []sum
	for _, f := range sums {
		switch {
		case len(best) == 0 || f.value > best[0].value:
			best = []sum{f}
		case f.value == best[0].value:
			best = append(best, f)
		}
	}
	switch {
	case len(best) == 0 && s.stderr != "":
		return giveUp(broken + s.stderr)
	case len(best) == 0:
		reason := fmt.Sprintf("no file has numbers in a column %q", column)
		if names := shown(all(headers)); len(names) > 0 {
			reason += "; there are: " + strings.Join(names, ", ")
		}
		return giveUp(reason + s.asides())
	}
	result := Result{Column: column, Rows: [][]any{{"File", "Total of " + column}}}
	var names []string
	for _, f := range best {
		result.Rows = append(result.Rows, []any{f.name, json.Number(f.text)})
		names = append(names, strconv.Quote(f.name))
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return giveUp("rules: " + err.Error())
	}
	text := fmt.Sprintf("%s has the highest total of %q: %s (of %d files).", names[0], column, best[0].text, len(sums))
	if len(names) > 1 {
		text = fmt.Sprintf("%s have the same, highest total of %q: %s (of %d files).", strings.Join(names, " and "), column, best[0].text, len(sums))
	}
	return linux.Decision{Status: fsm.Finish, Result: raw, Comment: text + s.asides()}
}

// asides is what a reader of the answer must know besides.
func (s *script) asides() string {
	const most = 5
	notes := s.notes
	if len(notes) == 0 {
		return ""
	}
	if more := len(notes) - most; more > 0 {
		notes = append(notes[:most:most], fmt.Sprintf("and %d more", more))
	}
	return " Left out: " + strings.Join(notes, "; ") + "."
}
