package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/people"
)

// replace runs the program where its file exists, and reports whether it was
// replaced.
func replace(t *testing.T, c console, args ...string) (outcome, bool) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "sales.xlsx")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	o := quickstartWith(t, c, append([]string{"-out", path}, args...)...)
	assert.Equal(t, []string{"sales.xlsx"}, files(t, dir))
	assert.Contains(t, o.positions, "AppAgent/Excel/sales.xlsx:CONFIRM")
	assert.Contains(t, o.errors, path+" exists and would be replaced")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(content) == "old" {
		return o, false
	}
	_, err = xlsxtest.Open(path)
	require.NoError(t, err)
	return o, true
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	typed := func(text string) console { return console{in: strings.NewReader(text), terminal: true} }
	tests := []struct {
		name   string
		c      console
		args   []string
		yes    bool
		reason string
	}{
		{"yes", console{}, []string{"-confirm", "yes"}, true, ""},
		{"no", console{}, []string{"-confirm", "no"}, false, "-confirm is no"},
		{"no, whatever is typed", typed("y\n"), []string{"-confirm", "no"}, false, "-confirm is no"},
		{"ask without a terminal", console{in: strings.NewReader("y\n")}, []string{"-confirm", "ask"}, false, "no terminal"},
		{"the default without a terminal", console{}, nil, false, "no terminal"},
		{"asked: no", typed("n\n"), nil, false, "not approved: save_workbook: n"},
		{"asked: nothing", typed("\n"), nil, false, "not approved"},
		{"asked: nobody there", typed(""), nil, false, "not approved"},
		{"asked: something else", typed("yes, but\n"), nil, false, "yes, but"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o, replaced := replace(t, tt.c, tt.args...)
			assert.Equal(t, tt.yes, replaced)
			if tt.yes {
				assert.Equal(t, 0, o.status, o.errors)
				return
			}
			assert.Equal(t, 1, o.status)
			assert.Contains(t, o.errors, "FAIL: not approved: save_workbook")
			assert.Contains(t, o.errors, tt.reason)
			assert.Equal(t, "HostAgent:FAIL", o.positions[len(o.positions)-1])
		})
	}
}

// person types an answer when a question is printed.
type person struct {
	bytes.Buffer
	keys  *io.PipeWriter
	types string
}

func (p *person) Write(text []byte) (int, error) {
	if bytes.HasSuffix(text, []byte("[y/N] ")) {
		go io.WriteString(p.keys, p.types) // the reader of the program takes it
	}
	return p.Buffer.Write(text)
}

func TestAskedYes(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"y\n", "YES\n"} {
		in, keys := io.Pipe()
		t.Cleanup(func() { keys.Close() })
		p := &person{keys: keys, types: word}
		path := filepath.Join(t.TempDir(), "sales.xlsx")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		var out bytes.Buffer
		require.Equal(t, 0, run(t.Context(), []string{"-out", path}, console{in: in, out: &out, err: p, terminal: true}), p.String())
		assert.Contains(t, out.String(), "CONFIRM")
		_, err := xlsxtest.Open(path)
		assert.NoError(t, err)
	}
}

// A question that nobody answers ends with its context, and what is typed then
// is no answer to the next one.
func TestTypedAhead(t *testing.T) {
	t.Parallel()
	k := &keyboard{late: make(chan struct{}), waiting: make(chan struct{}), asked: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	user := &terminal{confirm: ask, console: console{in: k, terminal: true, err: asking(func() { cancel(gone) })}}
	_, err := user.Ask(ctx, people.Question{Text: "First?"})
	require.ErrorIs(t, err, gone)

	close(k.late)
	<-k.waiting
	user.err = asking(func() { close(k.asked) })
	answer, err := user.Ask(t.Context(), people.Question{Text: "Second?"})
	require.NoError(t, err)
	assert.Equal(t, people.Answer{Text: "no"}, answer)
}

// keyboard types yes when it is late, and no when it is asked.
type keyboard struct {
	late, waiting, asked chan struct{}
	reads                int
}

func (k *keyboard) Read(text []byte) (int, error) {
	k.reads++
	switch k.reads {
	case 1:
		<-k.late
		return copy(text, "yes\n"), nil
	case 2:
		close(k.waiting)
		<-k.asked
		return copy(text, "no\n"), nil
	}
	return 0, io.EOF
}

// asking does something when a question is printed.
type asking func()

func (f asking) Write(text []byte) (int, error) {
	if bytes.HasSuffix(text, []byte("[y/N] ")) {
		f()
	}
	return len(text), nil
}

// A new file needs nobody's word.
func TestNothingToConfirm(t *testing.T) {
	t.Parallel()
	o := quickstart(t, "-out", filepath.Join(t.TempDir(), "sales.xlsx"), "-confirm", "no")
	assert.Equal(t, 0, o.status, o.errors)
	assert.NotContains(t, strings.Join(o.positions, " "), "CONFIRM")
}

func TestIsTerminal(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	assert.False(t, isTerminal(null))
	file, err := os.Open("main.go")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, isTerminal(file))
	assert.False(t, isTerminal(nil))
}
