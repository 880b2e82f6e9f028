package person_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/people"
)

func TestPerson(t *testing.T) {
	act := people.Question{Text: "Send?", Command: &desktop.Command{ToolName: "click_input"}}
	for name, c := range map[string]struct {
		confirm  person.Consent
		terminal bool
		q        people.Question
		typed    string
		approved bool
	}{
		"yes":         {person.Yes, false, act, "", true},
		"no":          {person.No, true, act, "y\n", false},
		"no terminal": {person.Ask, false, act, "y\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			p := &person.Person{Console: person.Console{In: strings.NewReader(c.typed), Out: &out, Terminal: c.terminal}, Confirm: c.confirm}
			a, err := p.Ask(t.Context(), c.q)
			require.NoError(t, err)
			assert.Equal(t, c.approved, a.Approved)
			assert.Contains(t, out.String(), c.q.Text)
		})
	}
}

// TestPersonTypes is somebody at the terminal, whose answer comes behind the question.
func TestPersonTypes(t *testing.T) {
	for typed, approved := range map[string]bool{"y": true, "YES": true, "": false, "n": false, "yeah": false} {
		in, write := io.Pipe()
		p := &person.Person{Console: person.Console{In: in, Out: writerFunc(func(b []byte) {
			if strings.HasSuffix(string(b), "[y/N] ") {
				go func() { _, _ = io.WriteString(write, typed+"\n") }()
			}
		}), Terminal: true}, Confirm: person.Ask}
		a, err := p.Ask(t.Context(), people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.NoError(t, err)
		assert.Equal(t, approved, a.Approved, typed)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.Out = io.Discard
		_, err = p.Ask(ctx, people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, write.Close())
	}
}

// A question without a command is asked at a terminal only, and any text is an answer.
func TestPersonAnswers(t *testing.T) {
	t.Parallel()
	in, write := io.Pipe()
	var out bytes.Buffer
	p := &person.Person{Console: person.Console{In: in, Out: writerFunc(func(b []byte) {
		out.Write(b)
		go func() { _, _ = io.WriteString(write, "  that of 2024 \n") }()
	}), Terminal: true}, Confirm: person.Ask}
	a, err := p.Ask(t.Context(), people.Question{Text: "Which table?"})
	require.NoError(t, err)
	assert.Equal(t, people.Answer{Text: "that of 2024"}, a)
	assert.Equal(t, "Which table? > ", out.String())
	require.NoError(t, write.Close())
}

// An input that has ended is a no.
func TestPersonIsGone(t *testing.T) {
	t.Parallel()
	p := &person.Person{Console: person.Console{In: strings.NewReader(""), Out: io.Discard, Terminal: true}, Confirm: person.Ask}
	for range 2 {
		a, err := p.Ask(t.Context(), people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.NoError(t, err)
		assert.Equal(t, people.Answer{}, a)
	}
}

// Who is not asked reads why.
func TestPersonSaysWhy(t *testing.T) {
	t.Parallel()
	act := &desktop.Command{ToolName: "click_input"}
	for name, c := range map[string]struct {
		confirm  person.Consent
		terminal bool
		command  *desktop.Command
		want     string
	}{
		"yes":         {person.Yes, true, act, "  Send?\n  -> yes (-confirm is yes)\n"},
		"no":          {person.No, false, act, "  Send?\n  -> no (-confirm is no)\n"},
		"no terminal": {person.Ask, false, act, "  Send?\n  -> no (there is no terminal to ask on, and -confirm is not yes)\n"},
	} {
		var out bytes.Buffer
		p := &person.Person{Console: person.Console{Out: &out, Terminal: c.terminal}, Confirm: c.confirm}
		a, err := p.Ask(t.Context(), people.Question{Text: "Send?", Command: c.command})
		require.NoError(t, err, name)
		assert.Equal(t, c.want, out.String(), name)
		assert.Equal(t, strings.Contains(c.want, "-> yes"), a.Approved, name)
		assert.Contains(t, c.want, "("+a.Text+")", name)
	}
}

// That nobody is there is no answer to a question.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		confirm  person.Consent
		terminal bool
	}{{person.Yes, true}, {person.No, true}, {person.Yes, false}, {person.Ask, false}} {
		var out bytes.Buffer
		p := &person.Person{Console: person.Console{Out: &out, Terminal: c.terminal}, Confirm: c.confirm}
		a, err := p.Ask(t.Context(), people.Question{Text: "Which table?"})
		require.ErrorIs(t, err, people.ErrNobody)
		require.ErrorContains(t, err, "Which table?")
		assert.Empty(t, a)
		assert.Equal(t, "  Which table?\n", out.String())
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	wrong := errors.New("no such folder")
	for args, c := range map[string]struct {
		check  error
		status int
		says   string
	}{
		"-confirm yes": {nil, 0, ""}, "-h": {nil, 0, "whether to do it"}, "-confirm YES": {nil, 2, "ask, yes or no"},
		"-x": {nil, 2, "-x"}, "a": {nil, 2, `what is "a"?`}, "-confirm no": {wrong, 2, "program: no such folder (-h lists the flags)\n"},
	} {
		flags := flag.NewFlagSet("program", flag.ContinueOnError)
		confirm := person.Ask
		flags.Var(&confirm, "confirm", "whether to do it")
		var errs bytes.Buffer
		status, ok := person.Parse(flags, strings.Fields(args), person.Console{Err: &errs}, func() error { return c.check })
		assert.Equal(t, c.status, status, args)
		assert.Equal(t, c.says == "", ok, args)
		assert.Contains(t, errs.String(), c.says, args)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
