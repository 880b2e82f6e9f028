package tables

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

// Rule plays the model of an agent that has the tools of [Tools]: it lists all tables, extracts the one that the
// request means, and finishes with the result. The error is why it cannot.
func Rule(p *fakemodel.Prompt, request string) (fakemodel.Reply, error) {
	if last, ok := p.Last(); ok && last.Status == desktop.Failure {
		return fakemodel.Reply{}, errors.New(last.Error)
	}
	var known []Summary
	var extracted json.RawMessage
	next := 1
	for _, act := range p.Done() {
		if act.Tool == "extract_table" {
			extracted = act.Output
		}
		if act.Tool != "list_tables" || act.Status == desktop.Failure { // it was repeated then
			continue
		}
		var listed page
		if err := json.Unmarshal(act.Output, &listed); err != nil || len(listed.Items) == 0 && next > 1 {
			return fakemodel.Reply{}, fmt.Errorf("tables: cannot read the list of tables: %s", act.Output)
		}
		known, next = append(known, listed.Items...), listed.Next
	}
	if next > 0 {
		return fakemodel.Act("I have to see all tables.", fakemodel.Action{Function: "list_tables", Args: map[string]any{"from": next}}), nil
	}
	at, err := Choose(request, known)
	switch {
	case err != nil:
		return fakemodel.Reply{}, err
	case extracted != nil:
		return fakemodel.Reply{Status: fsm.Finish, Result: fakemodel.Ref(extracted, ""), Comment: known[at].report()}, nil
	}
	return fakemodel.Act("I know which table it is.", fakemodel.Action{Function: "extract_table", Args: map[string]any{"number": known[at].Number}}), nil
}

// report says what a chart of the table shows and leaves out.
func (s *Summary) report() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %d rows, %d series.", s.shown(), s.Rows, len(s.drawn()))
	for i, c := range s.Columns {
		if !slices.Contains(s.drawn(), i) {
			fmt.Fprintf(&text, " The column %q is not drawn: %s.", c.Name, cmp.Or(c.Why, "it has another unit"))
		}
	}
	return text.String()
}

var (
	asksForChart = regexp.MustCompile(`(?i)\b(bars?|barcharts?|charts?|graphs?|diagrams?)\b`)
	otherChart   = regexp.MustCompile(`(?i)\b(pie|line|area|scatter|radar|bubble|donut|doughnut)[- ]?(chart|graph|diagram|plot)`)
)

// CheckRequest refuses a request for something other than a bar chart.
func CheckRequest(request string) error {
	if other := otherChart.FindString(request); other != "" || !asksForChart.MatchString(request) {
		return fmt.Errorf("tables: can only draw bar charts of tables, and %q asks for something else", request)
	}
	return nil
}
