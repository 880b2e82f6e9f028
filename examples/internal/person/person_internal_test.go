package person

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// A terminal is a device from which somebody may read.
func TestIsTerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "typed"))
	require.NoError(t, err)
	assert.False(t, isTerminal(file), "a file")
	require.NoError(t, file.Close())
	assert.False(t, isTerminal(file), "a file that is closed")
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	assert.False(t, isTerminal(null), "the empty device")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	defer write.Close()
	assert.False(t, isTerminal(read), "a pipe")
	if device, err := os.Open("/dev/zero"); err == nil { // stands for a terminal, which a test does not have
		defer device.Close()
		assert.True(t, isTerminal(device), "another device")
	}
}

// The first line of a program, but not of a subcommand, says who plays the model.
func TestFirstLine(t *testing.T) {
	t.Parallel()
	program := func(_ context.Context, args []string, c Console, _ llm.Model) int {
		_, err := fmt.Fprintln(c.Out, args)
		require.NoError(t, err)
		return 3
	}
	for want, args := range map[string][]string{
		"Rules play the model.\n[]\n":   {},
		"Rules play the model.\n[-a]\n": {"-a"},
		"[serve -a]\n":                  {"serve", "-a"},
	} {
		var out bytes.Buffer
		assert.Equal(t, 3, run(t.Context(), args, Console{Out: &out}, program, nil, "Rules play the model."))
		assert.Equal(t, want, out.String())
	}
}

// What was typed before a question is no answer to it.
func TestTypedBefore(t *testing.T) {
	t.Parallel()
	in, write := io.Pipe()
	typed := make(chan string, 1)
	defer func() { assert.NoError(t, write.Close()) }()
	p := &Person{Console: Console{In: in, Out: asked(func() {
		text := <-typed
		go func() { _, _ = io.WriteString(write, text) }()
	}), Terminal: true}, Confirm: Ask}
	q := people.Question{Text: "Replace it?", Command: &desktop.Command{}}

	typed <- "n\ny\n"
	answer, err := p.Ask(t.Context(), q)
	require.NoError(t, err)
	assert.False(t, answer.Approved)

	early := <-p.lines
	assert.Equal(t, line{"y", 1}, early)
	p.lines <- early
	typed <- "no\n"
	answer, err = p.Ask(t.Context(), q)
	require.NoError(t, err)
	assert.Equal(t, people.Answer{Text: "no"}, answer)
}

// asked calls a func when a question was printed.
type asked func()

func (f asked) Write(b []byte) (int, error) {
	if strings.HasSuffix(string(b), "[y/N] ") {
		f()
	}
	return len(b), nil
}
