package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		env    map[string]string
		args   []string
		status int
		says   string
	}{
		"help":               {nil, []string{"-h"}, 0, "-confirm"},
		"argument":           {nil, []string{"go"}, 2, `what is "go"?`},
		"unknown":            {nil, []string{"-fast"}, 2, "-fast"},
		"confirm":            {nil, []string{"-confirm", "maybe"}, 2, "not ask, yes or no"},
		"no run":             {nil, []string{"-runs", "0"}, 2, "must be 1 at least"},
		"a key and no model": {map[string]string{"OPENAI_API_KEY": "k"}, nil, 2, "say with -model"},
		"a URL and no model": {map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, nil, 2, "say with -model"},
		"model of nowhere":   {nil, []string{"-model", "m"}, 2, "says where it is"},
		"gullible model":     {map[string]string{"OPENAI_API_KEY": "k"}, []string{"-model", "m", "-gullible"}, 2, "-gullible"},
		"no parts":           {nil, []string{"-parts", "nowhere", "-out", t.TempDir()}, 1, "internal/realparts/install.sh"},
		"record":             {nil, []string{"-jsonl", t.TempDir()}, 1, "-jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, variable := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL"} {
				t.Setenv(variable, c.env[variable])
			}
			var errs bytes.Buffer
			status := run(t.Context(), c.args, console{in: strings.NewReader(""), out: io.Discard, err: &errs})
			assert.Equal(t, c.status, status)
			assert.Contains(t, errs.String(), c.says)
			if c.status == 2 {
				assert.Equal(t, 1, strings.Count(errs.String(), "\n"), "one line, which says what is wrong: %s", errs.String())
			}
		})
	}
}

func TestPerson(t *testing.T) {
	act := people.Question{Text: "Send?", Command: &desktop.Command{ToolName: "click_input"}}
	for name, c := range map[string]struct {
		confirm  consent
		terminal bool
		q        people.Question
		typed    string
		approved bool
	}{
		"yes":                        {yes, false, act, "", true},
		"no":                         {no, true, act, "y\n", false},
		"no terminal":                {ask, false, act, "y\n", false},
		"yes, to nothing in special": {yes, false, people.Question{Text: "Go on?"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			p := &person{console: console{in: strings.NewReader(c.typed), out: &out, terminal: c.terminal}, confirm: c.confirm}
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
		p := &person{console: console{in: in, out: writerFunc(func(b []byte) {
			if strings.HasSuffix(string(b), "[y/N] ") {
				go func() { _, _ = io.WriteString(write, typed+"\n") }()
			}
		}), terminal: true}, confirm: ask}
		a, err := p.Ask(t.Context(), people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.NoError(t, err)
		assert.Equal(t, approved, a.Approved, typed)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.out = io.Discard
		_, err = p.Ask(ctx, people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, write.Close())
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
