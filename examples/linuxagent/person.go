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

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// console is where the program was called.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // somebody sits at in
}

// show prints a position.
func (c console) show(agent string, status fsm.Status) {
	fmt.Fprintf(c.out, "%s:%s\n", visible(agent), status)
}

// isTerminal reports whether a file may be one: a device that is not the empty one.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// person is the people.User of the program: whoever sits at the console, or the
// flag -confirm in their place.
type person struct {
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

// Ask approves as -confirm says, or asks. A question that is no approval can only be
// answered by somebody who is there.
func (p *person) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	approval := q.Command != nil
	switch {
	case approval && p.confirm != ask:
		return p.answered(q, p.confirm == yes, "-confirm is "+string(p.confirm)), nil
	case approval && !p.terminal:
		return p.answered(q, false, "there is no terminal to ask on, and -confirm is not yes"), nil
	case !p.terminal:
		fmt.Fprintln(p.err, layout(q))
		return people.Answer{}, people.ErrNobody
	}
	p.once.Do(p.read)
	number := p.asked.Add(1)
	fmt.Fprint(p.err, prompt(q))
	for {
		select {
		case l, more := <-p.lines: // no more: nobody is there, which is a no
			if more && l.after != number {
				continue // typed before the question
			}
			return people.Answer{Text: l.text, Approved: strings.EqualFold(l.text, "y") || strings.EqualFold(l.text, "yes")}, nil
		case <-ctx.Done():
			fmt.Fprintln(p.err)
			return people.Answer{}, context.Cause(ctx)
		}
	}
}

// answered prints a question with the answer that nobody had to give.
func (p *person) answered(q people.Question, approved bool, why string) people.Answer {
	word := "no"
	if approved {
		word = "yes"
	}
	fmt.Fprintf(p.err, "%s%s (%s)\n", prompt(q), word, why)
	return people.Answer{Text: why, Approved: approved}
}

// prompt is a question, up to where the answer is typed.
func prompt(q people.Question) string {
	if !q.Approval {
		return layout(q) + " "
	}
	return layout(q) + "\nAllow it? [y/N] "
}

// read starts the one reader of the program. A read from a terminal cannot be
// cancelled, so it does not belong to a question: it ends with the program.
func (p *person) read() {
	p.lines = make(chan line, 1)
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(p.in); scan.Scan(); {
			p.lines <- line{strings.TrimSpace(scan.Text()), p.asked.Load()}
		}
	}()
}
