package progress_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/progress"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var update = flag.Bool("update", false, "write testdata")

// golden compares text with a file in testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), text)
}

func TestPlain(t *testing.T) {
	var out bytes.Buffer
	p := progress.New(&out, &progress.Options{Currency: "$", Elapsed: true})
	for _, s := range story() {
		p.Step(s)
	}
	p.Clear() // does nothing to plain lines
	require.NoError(t, p.Done(storyResult()))
	golden(t, "progress.txt", out.String())
}

// screen is the last line of a terminal: what stands there after all that was
// written, and the lines above it.
type screen struct {
	above  []string
	line   []rune
	cursor int
}

func (s *screen) Write(p []byte) (int, error) {
	for _, r := range string(p) {
		switch r {
		case '\r':
			s.cursor = 0
		case '\n':
			s.above = append(s.above, s.String())
			s.line, s.cursor = nil, 0
		default:
			for range progress.Width(string(r)) { // a wide letter takes two cells
				for s.cursor >= len(s.line) {
					s.line = append(s.line, ' ')
				}
				s.line[s.cursor] = r
				s.cursor++
			}
		}
	}
	return len(p), nil
}

// String is what is to be seen.
func (s *screen) String() string {
	var b strings.Builder
	for i := 0; i < len(s.line); i += progress.Width(string(s.line[i])) {
		b.WriteRune(s.line[i])
	}
	return strings.TrimRight(b.String(), " ")
}

func TestLive(t *testing.T) {
	var text strings.Builder
	for _, width := range []int{-1, 80, 40, 12} {
		term := &screen{}
		p := progress.New(term, &progress.Options{Mode: progress.Live, Width: width, Currency: "$", Elapsed: true})
		fmt.Fprintf(&text, "width %d\n", width)
		for _, s := range story() {
			p.Step(s)
			fmt.Fprintf(&text, "%s|\n", term)
			assert.LessOrEqual(t, progress.Width(term.String()), max(width-1, -1000*width))
			assert.Equal(t, progress.Width(term.String()), term.cursor, "the cursor is behind the line")
		}
		p.Clear()
		assert.Empty(t, term.String(), "it is wiped")
		p.Step(story()[1])
		assert.NotEmpty(t, term.String(), "and comes back")
		require.NoError(t, p.Done(storyResult()))
		assert.Empty(t, term.String())
		require.Len(t, term.above, 1, "of all that only the outcome stays")
		fmt.Fprintln(&text, term.above[0])
	}
	golden(t, "live.txt", text.String())
}

// A line takes one Write, so that those of others do not come in between.
func TestWritesWholeLines(t *testing.T) {
	for _, mode := range []progress.Mode{progress.Live, progress.Plain} {
		w := &counting{}
		p := progress.New(w, &progress.Options{Mode: mode})
		for _, s := range story() {
			p.Step(s)
		}
		assert.Equal(t, len(story()), w.calls)
	}
}

type counting struct{ calls, failAt int }

var errFull = errors.New("the disk is full")

func (c *counting) Write(p []byte) (int, error) {
	c.calls++
	if c.calls == c.failAt {
		return 0, errFull
	}
	return len(p), nil
}

// A write that fails ends the writing, not the round.
func TestWriteFails(t *testing.T) {
	for _, mode := range []progress.Mode{progress.Live, progress.Plain} {
		w := &counting{failAt: 2}
		p := progress.New(w, &progress.Options{Mode: mode})
		res := run(&round.Options{Observe: p.Step})
		assert.Equal(t, round.Finished, res.Outcome)
		require.ErrorIs(t, p.Done(res), errFull)
		require.ErrorIs(t, p.Done(res), errFull)
		assert.Equal(t, 2, w.calls, "nothing is written behind a gap")
	}
	p := progress.New(nil, nil)
	p.Step(story()[0])
	assert.NoError(t, p.Done(round.Result{}))
}

func TestBounds(t *testing.T) {
	three := round.Step{Agent: "A", To: fsm.Continue, NextAgent: "A", Calls: 1, Usage: llm.Usage{InputTokens: 1}}
	for _, c := range []struct {
		max  int
		want []string
	}{
		{0, []string{"step 1 of 50,", "step 2 of 50,", "step 3 of 50,"}},
		{2, []string{"step 1 of 2,", "step 2 of 2,", "step 3,"}}, // it was raised
		{-1, []string{"step 1,", "step 2,", "step 3,"}},
	} {
		var out bytes.Buffer
		p := progress.New(&out, &progress.Options{MaxSteps: c.max})
		for seq := range 3 {
			three.Seq = seq + 1
			p.Step(three)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, 3)
		for i, line := range lines {
			assert.Contains(t, line, c.want[i])
		}
		assert.Contains(t, lines[0], "1 token")
		assert.NotContains(t, lines[0], "cost", "nothing has a price")

		out.Reset()
		three.Seq = 1
		p.Step(three)
		assert.Contains(t, out.String(), c.want[0], "the next round of a session counts anew")
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		res  round.Result
		want string
	}{
		{round.Result{Agent: "A", Status: fsm.Continue}, "UNFINISHED at A:CONTINUE; 0 steps, 0 tokens\n"},
		{round.Result{Outcome: round.Finished, Agent: "A", Status: fsm.Finish, Answer: "42", Reason: "done", Steps: 1, Cost: 2},
			"FINISH at A:FINISH; 1 step, 0 tokens, cost 2.00\n"},
		{round.Result{Outcome: round.OverBudget, Agent: "A", Status: fsm.Continue, Reason: "MaxSteps of 2"},
			"BUDGET at A:CONTINUE; 0 steps, 0 tokens: MaxSteps of 2\n"},
		{round.Result{Outcome: round.Failed, Agent: "A", Status: fsm.Fail, Reason: strings.Repeat("no ", 1000)},
			"FAIL at A:FAIL; 0 steps, 0 tokens: " + strings.Repeat("no ", 1000)[:299] + "…\n"},
	} {
		var out bytes.Buffer
		require.NoError(t, progress.New(&out, nil).Done(c.res))
		assert.Equal(t, c.want, out.String())
	}
}

// What is no terminal gets plain lines, also where it is a file or a device.
func TestWithoutTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	p := progress.New(file, nil)
	p.Step(story()[0])
	require.NoError(t, p.Done(round.Result{}))
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.NotContains(t, string(text), "\r")

	read, write, err := os.Pipe()
	require.NoError(t, err)
	p = progress.New(write, nil)
	p.Step(story()[0])
	require.NoError(t, write.Close())
	text, err = io.ReadAll(read)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "\r")
	require.NoError(t, read.Close())
	p.Step(story()[1]) // to a closed file
	assert.Error(t, p.Done(round.Result{}))

	var none *os.File
	p = progress.New(none, nil)
	assert.Error(t, p.Done(round.Result{}))
}

// The width is that of the environment, where none is given.
func TestColumns(t *testing.T) {
	for columns, want := range map[string]int{"30": 29, "": 79, "-3": 79, "wide": 79} {
		t.Setenv("COLUMNS", columns)
		term := &screen{}
		p := progress.New(term, &progress.Options{Mode: progress.Live})
		p.Step(round.Step{Seq: 1, Agent: "A", NextAgent: strings.Repeat("x", 200), To: fsm.Continue})
		assert.Equal(t, want, progress.Width(term.String()), columns)
		assert.Contains(t, term.String(), "…:CONTINUE  step 0 of 50"[:min(len("…:CONTINUE"), want)])
	}
}

func TestConcurrently(t *testing.T) {
	var out bytes.Buffer
	p := progress.New(&out, nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, s := range story() {
				p.Step(s)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 4*len(story()), strings.Count(out.String(), "\n"))
}
