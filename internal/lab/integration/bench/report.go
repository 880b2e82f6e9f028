package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// report is everything that was measured.
type report struct {
	Turns    int
	Loops    map[workload]map[string]figures // by side
	Machines map[string]figures
}

// columns are the steps of the runs. What a peer sends grows with the square of N.
func columns(isEncoded bool) []int {
	if isEncoded {
		return []int{10, 100}
	}
	return []int{10, 100, 1000}
}

// transitions that each machine makes: whole cycles of the host, and its end.
const transitions = 1_000_000/paceCycle*paceCycle + 1

// measureAll measures everything, turn by turn.
func measureAll(ctx context.Context, log io.Writer, turns, most int) (*report, error) {
	r := &report{Turns: turns, Loops: map[workload]map[string]figures{}, Machines: map[string]figures{}}
	for turn := range turns {
		fmt.Fprintf(log, "turn %d of %d\n", turn+1, turns)
		for _, isEncoded := range []bool{true, false} {
			for _, n := range columns(isEncoded) {
				if n > most {
					continue
				}
				if err := r.loopTurn(ctx, turn, workload{isEncoded, n}); err != nil {
					return nil, err
				}
			}
		}
		if err := walkTurn(ctx, transitions, func(name string, c cost) { add(r.Machines, name, turn, c) }); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// loopTurn lets each side run the workload. The first side changes with the turn.
func (r *report) loopTurn(ctx context.Context, turn int, w workload) error {
	sides := loops()
	if turn%2 == 1 {
		slices.Reverse(sides)
	}
	if r.Loops[w] == nil {
		r.Loops[w] = map[string]figures{}
	}
	for _, side := range sides {
		c, err := measure(ctx, side, w)
		if err != nil {
			return err
		}
		add(r.Loops[w], side.Name, turn, c)
	}
	return nil
}

func add(to map[string]figures, name string, turn int, c cost) {
	if to[name] == nil {
		to[name] = figures{}
	}
	to[name][turn] = c
}

// order is the order in which tables are printed.
var order = []string{"measured", "steps", "transitions"}

// tables are the Markdown for docs/comparison.md, by the word of their marker.
func (r *report) tables() map[string]string {
	return map[string]string{"measured": r.measured(), "steps": r.steps(), "transitions": r.transitions()}
}

func (r *report) measured() string {
	return fmt.Sprintf("Measured with %s on %s/%s, %s; medians of %d turns.\n",
		strings.Replace(runtime.Version(), "go", "Go ", 1), runtime.GOOS, runtime.GOARCH, time.Now().Format("January 2006"), r.Turns)
}

// steps has a table for each form of the workload. A cell is CPU time, allocations and bytes.
func (r *report) steps() string {
	var text strings.Builder
	for _, isEncoded := range []bool{true, false} {
		head := []string{"**" + form(isEncoded) + "**"}
		for _, n := range columns(isEncoded) {
			head = append(head, "N = "+grouped(n))
		}
		var rows [][]string
		for _, side := range loops() {
			row := []string{label(side.Name)}
			for _, n := range columns(isEncoded) {
				row = append(row, cell(r.Loops[workload{isEncoded, n}][side.Name]))
			}
			at := r.Loops[workload{isEncoded, 100}]
			rows = append(rows, append(row, times(at[side.Name].ratio(at[einoAgent]))))
		}
		text.WriteString(table(append(head, "CPU at N = 100, Eino = 1"), rows) + "\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func (r *report) transitions() string {
	var rows [][]string
	for _, m := range machines() {
		f := r.Machines[m.Name]
		c := f.median()
		rows = append(rows, []string{label(m.Name), count(c.CPU), fmt.Sprintf("%.0f", c.Allocs), times(f.ratio(r.Machines[bareStep]))})
	}
	return table([]string{"", "ns", "allocations", "CPU, by hand = 1"}, rows)
}

// cell is a cost: µs, allocations, KB.
func cell(f figures) string {
	if len(f) == 0 {
		return "–"
	}
	c := f.median()
	return fmt.Sprintf("%s / %s / %s", count(c.CPU/1e3), count(c.Allocs), count(c.Bytes/1e3))
}

// modules are what a peer is, by the beginning of its name.
var modules = []struct{ name, module, url string }{
	{"Eino", "github.com/cloudwego/eino", "https://github.com/cloudwego/eino"},
	{"stateless", "github.com/qmuntal/stateless", "https://github.com/qmuntal/stateless"},
	{"looplab/fsm", "github.com/looplab/fsm", "https://github.com/looplab/fsm"},
}

// label is a name with a link and the version that was measured.
func label(name string) string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range modules {
		rest, isPeer := strings.CutPrefix(name, m.name)
		for _, dep := range info.Deps {
			if isPeer && dep.Path == m.module {
				return fmt.Sprintf("[%s](%s) %s%s", m.name, m.url, strings.TrimPrefix(dep.Version, "v"), rest)
			}
		}
	}
	return name
}

func table(head []string, rows [][]string) string {
	var text strings.Builder
	text.WriteString("| " + strings.Join(head, " | ") + " |\n" + strings.Repeat("|---", len(head)) + "|\n")
	for _, cells := range rows {
		text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return text.String()
}

// times is a ratio, – if there is none.
func times(ratio float64) string {
	if ratio == 0 {
		return "–"
	}
	return count(ratio)
}

// count is a number without digits that say nothing.
func count(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.2g", n)
	}
	return grouped(int(n + 0.5))
}

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
