package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// tables are the Markdown for docs/comparison.md, by the word of their marker. With goals
// the table of own lines says what they must come to.
func (r *report) tables(goals bool) map[string]string {
	return map[string]string{
		"steps":       r.steps(),
		"transitions": r.transitions(),
		"own":         r.own(goals),
		"measured":    r.measured(),
	}
}

// order is the order in which tables are printed.
var order = []string{"measured", "steps", "transitions", "own"}

func (r *report) measured() string {
	return fmt.Sprintf("Measured with %s on %s/%s, %s; medians of %s.\n",
		strings.Replace(runtime.Version(), "go", "Go ", 1), runtime.GOOS, runtime.GOARCH, time.Now().Format("January 2006"), choose(r.Turns == 1, "one turn", fmt.Sprintf("%d turns", r.Turns)))
}

// steps has one table for each form of the workload. A cell is CPU time, allocations and bytes.
func (r *report) steps() string {
	var text strings.Builder
	for _, form := range []workload{
		{Realistic: true, Encoded: true}, {Realistic: true}, {Encoded: true}, {},
	} {
		var rows [][]string
		head := []string{"**" + choose(form.Realistic, "realistic", "small") + ", " + choose(form.Encoded, "encoded", "bare") + "**"}
		var ns []workload
		for _, n := range columns(form.Encoded) {
			w := workload{form.Realistic, form.Encoded, n}
			if r.Loops[w] != nil {
				ns = append(ns, w)
				head = append(head, "N = "+grouped(n))
			}
		}
		if len(ns) == 0 {
			continue
		}
		head = append(head, "CPU at N = 100, Eino = 1")
		for _, side := range loops() {
			row, takesPart := []string{label(side.Name)}, false
			for _, w := range ns {
				f := r.Loops[w][side.Name]
				row, takesPart = append(row, cell(f)), takesPart || len(f) > 0
			}
			if !takesPart {
				continue
			}
			at := workload{form.Realistic, form.Encoded, 100}
			rows = append(rows, append(row, times(r.Loops[at][side.Name].ratio(r.Loops[at][einoAgent]))))
		}
		text.WriteString(table(head, rows) + "\n")
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

// whyRound explains a goal that is missed: 3.3, of a step of a Round against a loop by hand.
const whyRound = "A step of a Round costs more than its goal: it finds the transition in the agent's table, asks the context whether the run has ended, " +
	"and counts for its bounds. The loop by hand does none of this."

// own are the lines that a change of this library is judged by.
func (r *report) own(goals bool) string {
	at := func(realistic, isEncoded bool, n int, side string) figures {
		return r.Loops[workload{realistic, isEncoded, n}][side]
	}
	memory := func(f figures) string {
		c := f.median()
		return fmt.Sprintf("%s allocations, %s KB", count(c.Allocs), kilo(c.Bytes))
	}
	allocs := func(f figures) string { return count(f.median().Allocs) }
	ms := func(name string) string { return count(r.Own[name].median().CPU / 1e6) }
	rows := [][]string{
		{"a step of an AppAgent, small", memory(at(false, false, 100, appAgent)), "80, 14"},
		{"a step of an AppAgent, realistic", memory(at(true, false, 100, appAgent)), "140, 45"},
		{"a step of a HostAgent, small; realistic: allocations", allocs(at(false, false, 100, hostAgent)) + "; " + allocs(at(true, false, 100, hostAgent)), "130; 220"},
		{"a request for two applications, small", memory(r.Own[lineBoth]), ""},
		{"a request for two applications, realistic", memory(r.Own[lineBothReal]), "1,400, 300"},
		{"CPU of an AppAgent's step against Eino's, realistic and encoded", times(at(true, true, 100, appAgent).ratio(at(true, true, 100, einoAgent))), "0.35"},
		{"… realistic and bare", times(at(true, false, 100, appAgent).ratio(at(true, false, 100, einoAgent))), ""},
		{"… small and bare", times(at(false, false, 100, appAgent).ratio(at(false, false, 100, einoAgent))), "1"},
		{"CPU of an AppAgent's step, N = 5,000 against 100, small; realistic", times(at(false, false, 5000, appAgent).ratio(at(false, false, 100, appAgent))) + "; " +
			times(at(true, false, 5000, appAgent).ratio(at(true, false, 100, appAgent))), "1.1"},
		{"… of a HostAgent's", times(at(false, false, 5000, hostAgent).ratio(at(false, false, 100, hostAgent))) + "; " +
			times(at(true, false, 5000, hostAgent).ratio(at(true, false, 100, hostAgent))), "1.1"},
		{"CPU of a step of a Round against a loop by hand; allocations", times(r.Machines[roundStep].ratio(r.Machines[bareStep])) + "; " +
			fmt.Sprintf("%.0f", r.Machines[roundStep].median().Allocs), "3.3; 0"},
		{"a realistic step, ms", ms(lineUsual), ""},
		{"… beside a blackboard of 100,000 values", ms(lineBoard), "1"},
		{"… with 1,000 tools", ms(lineTools), "2"},
		{"… with 2,000 controls", ms(lineControls), "2"},
		{"CPU of one of 500 sub-tasks against one of 10", times(r.Own[lineManyTasks].ratio(r.Own[lineTasks])), "2"},
		{"a round that waits for its model, KiB", fmt.Sprintf("%.0f", r.Waiting/1024), "45"},
		{"quickstart: KB to the model, with schemas; of it new", kilo(float64(r.Quickstart.Read)) + "; " + kilo(float64(r.Quickstart.New)), "60; 20"},
		{"prompt of a realistic step in which one control changes, KB", kilo(r.Prompts.Bytes), ""},
		{"… share that the step before's began with, mean of steps 20 to 200", fmt.Sprintf("%.0f %%", 100*r.Prompts.Share), "60 %"},
	}
	head := []string{"agentfsm alone", "measured", "goal"}
	if !goals {
		head = head[:2]
		for i := range rows {
			rows[i] = rows[i][:2]
		}
		return table(head, rows)
	}
	return table(head, rows) + "\n" + whyRound + "\n"
}

// cell is a line's cost: µs, allocations, KB.
func cell(f figures) string {
	if len(f) == 0 {
		return "–"
	}
	c := f.median()
	return fmt.Sprintf("%s / %s / %s", count(c.CPU/1e3), count(c.Allocs), kilo(c.Bytes))
}

// modules are what a peer is, by the beginning of its name.
var modules = []struct{ name, module, url string }{
	{"Eino", "github.com/cloudwego/eino", "https://github.com/cloudwego/eino"},
	{"ADK for Go", "google.golang.org/adk/v2", "https://github.com/google/adk-go"},
	{"langgraphgo", "github.com/smallnest/langgraphgo", "https://github.com/smallnest/langgraphgo"},
	{"stateless", "github.com/qmuntal/stateless", "https://github.com/qmuntal/stateless"},
	{"looplab/fsm", "github.com/looplab/fsm", "https://github.com/looplab/fsm"},
}

// label is a name with a link and the version that was measured.
func label(name string) string {
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(name, m.name); ok {
			return fmt.Sprintf("[%s](%s) %s%s", m.name, m.url, version(m.module), rest)
		}
	}
	return name
}

// version of a module in this program.
func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == module {
				return strings.TrimPrefix(dep.Version, "v")
			}
		}
	}
	return "?"
}

func table(head []string, rows [][]string) string {
	var text strings.Builder
	row := func(cells []string) { text.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(head)
	text.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, cells := range rows {
		row(cells)
	}
	return text.String()
}

// times is a ratio, – where there is none.
func times(ratio float64) string {
	switch {
	case ratio == 0:
		return "–"
	case ratio < 10:
		return fmt.Sprintf("%.2g", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

// count is a number without digits that say nothing.
func count(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.2g", n)
	}
	return grouped(int(n + 0.5))
}

// kilo is bytes in KB of 1,000.
func kilo(bytes float64) string {
	if bytes < 9950 {
		return fmt.Sprintf("%.1f", bytes/1e3)
	}
	return grouped(int(bytes/1e3 + 0.5))
}

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
