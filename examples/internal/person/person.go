// Package person is the command line of the examples: [Main] runs a program, and [Person] asks at its terminal.
package person

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/people"
)

// Consent is the value of the flag -confirm: a flag.Value.
type Consent string

// The values of -confirm.
const (
	Ask Consent = "ask"
	Yes Consent = "yes"
	No  Consent = "no"
)

func (c *Consent) String() string { return string(*c) }

// Set reads the flag.
func (c *Consent) Set(value string) error {
	if *c = Consent(value); *c != Ask && *c != Yes && *c != No {
		return errors.New("it must be ask, yes or no")
	}
	return nil
}

// Person is the people.User of a program.
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

// Ask answers as -confirm says, or asks at the terminal. -confirm is about commands, so other questions are only asked.
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

// answered prints a question with the answer of a flag.
func (p *Person) answered(q people.Question, word, why string) people.Answer {
	fmt.Fprintf(p.Out, "  %s\n  -> %s (%s)\n", q.Text, word, why)
	return people.Answer{Text: why, Approved: word == "yes"}
}

// read starts the only reader of the terminal. It ends with the program, because a read cannot be cancelled.
func (p *Person) read() {
	p.lines = make(chan line, 1)
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(p.In); scan.Scan(); {
			p.lines <- line{strings.TrimSpace(scan.Text()), p.asked.Load()}
		}
	}()
}
