package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// table counts what happened in the runs of a store.
type table struct {
	title   string
	calm    *history
	started time.Time

	mu      sync.Mutex
	runs    int
	workers int
	kills   [allWindows]int // by where they fell
	random  [allWindows]int // those of them that were aimed at no window
	aimed   bool
	extra   int // model calls
	doubles int

	struck  int // processes of a service that were killed, and stopped
	frozen  int
	answers int // that counted; as many came second
	most    int // model calls that kills may cost
}

func newTable(title string, calm *history) *table {
	return &table{title: title, calm: calm, started: time.Now()}
}

// add counts a run.
func (t *table) add(h *history) { t.addTo(h, t.calm) }

// addTo counts a run that is like another one when it is not disturbed.
func (t *table) addTo(h, calm *history) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	t.workers += len(h.Kills) + len(h.Appends)
	for _, k := range h.Kills {
		w := k.at.window(h.Desk)
		t.kills[w]++
		if k.aimed != nil {
			if t.aimed = true; k.aimed.window == allWindows {
				t.random[w]++
			}
		}
	}
	t.extra += h.extra(calm)
	together := 1
	if f := formOf(h.Run); f != nil {
		together = f.calls
	}
	t.most += together * len(h.Kills)
	t.doubles += h.doubles()
}

// print writes the table.
func (t *table) print(out io.Writer) error {
	took := time.Since(t.started).Seconds()
	acts, _ := t.calm.acts()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %d runs in %.0f s; undisturbed: %d steps, %d model calls, %d acts\n",
		t.title, t.runs, took, t.calm.End.Transitions, t.calm.calls(), len(acts))
	var rows strings.Builder
	sum, random := 0, 0
	cells := func(name any, n, random int) {
		fmt.Fprintf(&rows, "%v\t%d\t", name, n)
		if t.aimed {
			fmt.Fprintf(&rows, "%d\t", random)
		}
		fmt.Fprintln(&rows)
	}
	fmt.Fprint(&rows, "window\tkills\t")
	if t.aimed {
		fmt.Fprint(&rows, "not aimed at it\t")
	}
	fmt.Fprintln(&rows)
	for i, n := range t.kills {
		cells(window(i), n, t.random[i])
		sum, random = sum+n, random+t.random[i]
	}
	cells("all", sum, random)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := io.WriteString(w, rows.String()); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if t.struck > 0 {
		fmt.Fprintf(&b, "processes killed: %d, stopped for a while: %d; answers: %d, and as many that came second: %d\n", t.struck, t.frozen, t.answers, t.answers)
	} else {
		fmt.Fprintf(&b, "workers: %d\n", t.workers)
	}
	fmt.Fprintf(&b, "model calls more than undisturbed: %d (at most %d); acts executed twice: %d\n", t.extra, t.most, t.doubles)
	_, err := io.WriteString(out, b.String())
	return err
}
