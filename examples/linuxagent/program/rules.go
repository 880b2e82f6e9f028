package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

// Rules play the model: a rule for each agent.
var Rules = fakemodel.New(fakemodel.Rules{fakemodel.Host: host, inTerminal: shell, inWorkbook: writeAnswer})

// plan is enforced, because it has objects: the host cannot assign the second item before the first has finished.
var plan = []fakemodel.Item{
	{ID: "find", Task: "Find the file with the highest total of the column that the request names.", Application: inTerminal},
	{ID: "write", Task: "Write the result into the workbook and save it.", Application: inWorkbook, DependsOn: []string{"find"}},
}

func host(p *fakemodel.Prompt) fakemodel.Reply {
	done := len(p.Previous)
	switch {
	case done > 0 && p.Previous[done-1].Status != string(fsm.Finish):
		return fakemodel.Fail("%s", p.Previous[done-1].Reason)
	case done == len(plan):
		return fakemodel.Reply{Status: fsm.Finish, Comment: p.Previous[0].Reason + " " + p.Previous[1].Reason}
	}
	reply := p.Assign(plan[done].Application, plan[done].ID)
	if done == 0 && reply.Status != fsm.Fail {
		reply.Plan = plan
	}
	return reply
}

func writeAnswer(p *fakemodel.Prompt) fakemodel.Reply {
	last, ok := p.Last()
	var at saved
	switch {
	case !ok:
		return fakemodel.Call("write_rows", map[string]any{"rows": fakemodel.Ref(p.Result(inTerminal), "rows")})
	case last.Status == desktop.Failure:
		return fakemodel.Fail("%s", last.Error)
	case last.Tool == "write_rows":
		return fakemodel.Call("save_workbook", nil)
	}
	if err := json.Unmarshal(last.Output, &at); err != nil {
		return fakemodel.Fail("save_workbook: %v", err)
	}
	return fakemodel.Reply{Status: fsm.Finish, Comment: "It is in the sheet " + sheet + " of " + at.File + "."}
}

// place is where the numbers of a file are.
type place struct {
	column    int // from 1
	separator rune
}

// shell finds the file with the highest total. What a file contains goes into no command line.
func shell(p *fakemodel.Prompt) fakemodel.Reply {
	s := &script{done: p.Done()}
	files := s.files()
	column, named := columnOf(p)
	places, columns := map[place][]string{}, []string{}
	const cut = 250
	head := fmt.Sprintf(`test -f "$f" && head -n 1 -- "$f" | head -c %d | tr -d '\n'`, cut)
	s.each(files, 5, head, "I have to know the columns of each file.", func(file, line string) {
		names, separator := header(line, len(line) >= cut)
		columns = append(columns, names...)
		at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), column) })
		if at < 0 {
			s.leave(file, "it has no such column")
			return
		}
		key := place{at + 1, separator}
		places[key] = append(places[key], file)
	})
	slices.Sort(columns)
	columns = slices.Compact(columns)
	switch {
	case s.next.Status != "":
		return s.next
	case !named:
		return fakemodel.Reply{Status: fsm.Pending, Comment: "no column is named", Questions: []string{fmt.Sprintf("The total of which column? There are: %.300q", columns)}}
	}
	var best []string
	highest, count := 0.0, 0
	for _, key := range slices.SortedFunc(maps.Keys(places), func(a, b place) int { return a.column - b.column }) {
		why := fmt.Sprintf("It totals column %d of each file. It runs nothing else and writes nothing.", key.column)
		s.each(places[key], 30, total(key), why, func(file, printed string) {
			var sum float64
			var numbers, others int
			if _, err := fmt.Sscanf(printed, "%g %d %d", &sum, &numbers, &others); err != nil || numbers == 0 || math.IsInf(sum, 0) {
				s.leave(file, "it has no numbers there")
				return
			}
			if others > 0 {
				s.leave(file, fmt.Sprintf("%d cells that are no numbers", others))
			}
			if count++; len(best) == 0 || sum > highest {
				best, highest = nil, sum
			}
			if sum == highest {
				best = append(best, file)
			}
		})
	}
	switch {
	case s.next.Status != "":
		return s.next
	case len(best) == 0:
		return fakemodel.Fail("no CSV file has numbers in a column %q; there are: %.300q", column, columns)
	}
	slices.Sort(best)
	rows := [][]any{{"File", "Total of " + column}}
	for _, file := range best {
		rows = append(rows, []any{file, highest})
	}
	text := fmt.Sprintf("%q has the highest total of %q: %v (of %d files).", best, column, highest, count)
	if len(s.left) > 0 {
		text += " Left out: " + strings.Join(s.left[:min(5, len(s.left))], "; ") + "."
	}
	return fakemodel.Reply{Status: fsm.Finish, Result: map[string]any{"rows": rows}, Comment: text}
}

// files lists the CSV files. No name has a slash, so two of them stand between names.
func (s *script) files() (files []string) {
	const pattern = "./*.[cC][sS][vV]"
	printed, _ := s.run("printf '%s//' "+pattern, "I have to know which files there are.")
	for name := range strings.SplitSeq(strings.TrimSuffix(printed, "//"), "//") {
		odd := func(r rune) bool {
			return r == utf8.RuneError || r != '\n' && r != '\t' && r != ' ' && (unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
		}
		switch {
		case name == pattern || name == "":
		case strings.ContainsFunc(name, odd):
			s.leave(strings.TrimPrefix(name, "./"), "its name has characters that no command line may have")
		default:
			files = append(files, strings.TrimPrefix(name, "./"))
		}
	}
	return files
}
