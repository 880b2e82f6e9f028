package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// table counts what happened in the runs of a stage.
type table struct {
	title   string
	calm    *history
	started time.Time

	mu      sync.Mutex
	runs    int
	kills   [windowCount]int // by where they fell
	extra   int              // model calls
	most    int              // model calls that kills may cost
	doubles int
	answers int
	struck  int // drivers that were killed, and stopped
	frozen  int
}

func newTable(title string, calm *history) *table {
	return &table{title: title, calm: calm, started: time.Now()}
}

// add counts a run that is like calm if it is not disturbed.
func (t *table) add(s *settings, h, calm *history) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	for _, at := range h.Kills {
		t.kills[at.window(h.Log)]++
	}
	extra := h.calls() - calm.calls()
	t.extra += extra
	t.most += formOf(h.Run).calls * len(h.Kills)
	t.doubles += h.doubles()
	t.answers += len(h.Given)
	if s.verbose {
		_, _ = fmt.Fprintf(s.out, "%s: %s: %s; %+d model calls\n", t.title, h.Run, h.killed(), extra) // the table is what counts
	}
}

// print writes the table.
func (t *table) print(out io.Writer) error {
	acts, _ := t.calm.acts()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %d runs in %.0f s; undisturbed: %d steps, %d model calls, %d acts\n",
		t.title, t.runs, time.Since(t.started).Seconds(), t.calm.End.Transitions, t.calm.calls(), len(acts))
	for i, n := range t.kills {
		fmt.Fprintf(&b, "killed %-14s %d\n", window(i).String()+":", n)
	}
	fmt.Fprintf(&b, "drivers killed from outside: %d, stopped for a while: %d; answers: %d, and as many that came second\n", t.struck, t.frozen, t.answers)
	fmt.Fprintf(&b, "model calls more than undisturbed: %d (at most %d); acts executed twice: %d\n", t.extra, t.most, t.doubles)
	_, err := io.WriteString(out, b.String())
	return err
}
