// Package person asks whoever sits at the terminal, for the programs of the examples.
package person

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/people"
)

// Console is where a program was called.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // somebody sits at In
}

// Standard is the console of this process.
func Standard() Console {
	return Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Terminal: isTerminal(os.Stdin)}
}

// Consent is what the flag -confirm says.
type Consent string

// What it may say.
const (
	Ask Consent = "ask"
	Yes Consent = "yes"
	No  Consent = "no"
)

// Known reports whether it says one of them.
func (c Consent) Known() bool { return c == Ask || c == Yes || c == No }

// isTerminal reports whether a file may be one: a device that is not the empty one.
// Of the few others nobody reads an answer either.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Person is the people.User of a program: whoever sits at the terminal.
type Person struct {
	Console
	Confirm Consent

	once  sync.Once
	asked atomic.Int64 // questions
	lines chan line
}

// line is what was typed, and after how many questions.
type line struct {
	text  string
	after int64
}

// Ask answers as -confirm says, or asks. The question is printed in any case. Only
// what has a command can be approved: that is what an answer of -confirm is about.
func (p *Person) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	switch {
	case q.Command == nil && (p.Confirm != Ask || !p.Terminal):
		fmt.Fprintf(p.Out, "  %s\n", q.Text)
		return people.Answer{}, fmt.Errorf("%w: %s", people.ErrNobody, q.Text)
	case p.Confirm == Yes:
		return p.answered(q, "yes", "-confirm is yes"), nil
	case p.Confirm == No:
		return p.answered(q, "no", "-confirm is no"), nil
	case !p.Terminal:
		return p.answered(q, "no", "there is no terminal to ask on, and -confirm is not yes"), nil
	}
	p.once.Do(p.read)
	number := p.asked.Add(1)
	choice := "[y/N]"
	if q.Command == nil {
		choice = ">"
	}
	fmt.Fprintf(p.Out, "%s %s ", q.Text, choice)
	for {
		select {
		case l, more := <-p.lines:
			if more && l.after != number {
				continue // typed before the question
			}
			approved := strings.EqualFold(l.text, "y") || strings.EqualFold(l.text, "yes")
			return people.Answer{Text: l.text, Approved: approved}, nil
		case <-ctx.Done():
			fmt.Fprintln(p.Out)
			return people.Answer{}, context.Cause(ctx)
		}
	}
}

// answered prints a question with the answer that nobody had to give.
func (p *Person) answered(q people.Question, word, why string) people.Answer {
	fmt.Fprintf(p.Out, "  %s\n  -> %s (%s)\n", q.Text, word, why)
	return people.Answer{Text: why, Approved: word == "yes"}
}

// read starts the one reader of the program. A read from a terminal cannot be
// cancelled, so it does not belong to a question: it ends with the program.
func (p *Person) read() {
	p.lines = make(chan line, 1)
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(p.In); scan.Scan(); {
			p.lines <- line{strings.TrimSpace(scan.Text()), p.asked.Load()}
		}
	}()
}
