package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// console is where the program was called.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // somebody sits at in
}

// show prints a position.
func (c console) show(agent string, status fsm.Status) { fmt.Fprintf(c.out, "%s:%s\n", agent, status) }

// isTerminal reports whether a file may be one: a device that is not the empty
// one. Of the few others nobody reads an answer either.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// terminal is the people.User of the program.
type terminal struct {
	console
	confirm consent

	once  sync.Once
	asked atomic.Int64 // questions
	lines chan line
}

// line is what was typed, and after how many questions.
type line struct {
	text  string
	after int64
}

// Ask answers as -confirm says, or asks. The question is printed in any case.
func (t *terminal) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	switch {
	case t.confirm == yes:
		return t.answered(q, "yes", "-confirm is yes"), nil
	case t.confirm == no:
		return t.answered(q, "no", "-confirm is no"), nil
	case !t.terminal:
		return t.answered(q, "no", "there is no terminal to ask on, and -confirm is not yes"), nil
	}
	t.once.Do(t.read)
	number := t.asked.Add(1)
	fmt.Fprintf(t.err, "%s [y/N] ", q.Text)
	for {
		select {
		case l, more := <-t.lines:
			if more && l.after != number {
				continue // typed before the question
			}
			approved := strings.EqualFold(l.text, "y") || strings.EqualFold(l.text, "yes")
			return people.Answer{Text: l.text, Approved: approved}, nil
		case <-ctx.Done():
			fmt.Fprintln(t.err)
			return people.Answer{}, context.Cause(ctx)
		}
	}
}

// answered prints a question with the answer that nobody had to give.
func (t *terminal) answered(q people.Question, word, why string) people.Answer {
	fmt.Fprintf(t.err, "%s %s (%s)\n", q.Text, word, why)
	return people.Answer{Text: why, Approved: word == "yes"}
}

// read starts the one reader of the program. A read from a terminal cannot be
// cancelled, so it does not belong to a question: it ends with the program.
func (t *terminal) read() {
	t.lines = make(chan line, 1)
	go func() {
		defer close(t.lines)
		for scan := bufio.NewScanner(t.in); scan.Scan(); {
			t.lines <- line{strings.TrimSpace(scan.Text()), t.asked.Load()}
		}
	}()
}

// askBeforeReplacing is the program's policies.Func. The one thing that needs a
// person's word is replacing a file; without overwrite Excel keeps it.
func askBeforeReplacing(path string) policies.Func {
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if overwrite, _ := cmd.Parameters["overwrite"].(bool); overwrite && tool.Name == office.Save {
			return policies.Verdict{Action: policies.Confirm, Reason: path + " exists and would be replaced"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}
