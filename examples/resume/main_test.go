package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

var update = flag.Bool("update", false, "write testdata/story.txt")

// With these variables the test binary is the program, which stands still behind the
// second one's records, such as "result 3".
const (
	asProgram = "RESUME_TEST_PROGRAM"
	holdsAt   = "RESUME_TEST_HOLD"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	p := program{out: os.Stdout, problems: os.Stderr}
	if at := os.Getenv(holdsAt); at != "" {
		p.wrap = func(st store.Store) store.Store { return &holding{st, at, map[string]int{}} }
	}
	os.Exit(p.run(context.Background(), os.Args[1:]))
}

// holding is a store that stands still behind a record.
type holding struct {
	store.Store
	at   string
	seen map[string]int
}

func (h *holding) Append(ctx context.Context, run string, after int64, list ...[]byte) error {
	if err := h.Store.Append(ctx, run, after, list...); err != nil {
		return err
	}
	for _, raw := range list {
		var record struct{ Kind string }
		if err := json.Unmarshal(raw, &record); err != nil {
			return err
		}
		h.seen[record.Kind]++
		if fmt.Sprint(record.Kind, " ", h.seen[record.Kind]) == h.at {
			fmt.Fprintln(os.Stdout, "standing still behind", h.at)
			select {} // the test kills it
		}
	}
	return nil
}

// said is what a call of the program gave.
type said struct {
	status   int
	out      string
	problems string
}

// at is a folder in which the program is called, in this process.
type at string

func (dir at) resume(t testing.TB, args ...string) said {
	t.Helper()
	var out, problems bytes.Buffer
	full := []string{args[0], "-journals", filepath.Join(string(dir), "journals")}
	status := program{out: &out, problems: &problems}.run(t.Context(), append(full, args[1:]...))
	return said{status, out.String(), problems.String()}
}

// run begins the run of the tests, or goes on with it.
func (dir at) run(t testing.TB, args ...string) said {
	t.Helper()
	return dir.resume(t, append([]string{"run", "-out", dir.out()}, args...)...)
}

func (dir at) out() string { return filepath.Join(string(dir), "chart.xlsx") }

func (dir at) store(t testing.TB) *store.FileStore {
	t.Helper()
	st, err := store.Files(filepath.Join(string(dir), "journals"), nil)
	require.NoError(t, err)
	return st
}

func (dir at) look(t testing.TB) durable.State {
	t.Helper()
	state, err := durable.Look(t.Context(), dir.store(t), taleRun)
	require.NoError(t, err)
	return state
}

// waits returns the id of the one question that waits.
func (dir at) waits(t testing.TB) string {
	t.Helper()
	questions := dir.look(t).Waits
	require.Len(t, questions, 1)
	return questions[0].ID
}

// acts returns the tools that the desktop executed.
func (dir at) acts(t testing.TB) []string {
	t.Helper()
	acts, err := lines[struct{ Tool string }]((&call{files: dir.store(t)}).world(taleRun).file(deskFile))
	require.NoError(t, err)
	var tools []string
	for _, act := range acts {
		tools = append(tools, act.Tool)
	}
	return tools
}

// finish goes on with the run to its end, and says yes to all.
func (dir at) finish(t testing.TB) said {
	t.Helper()
	for range 8 {
		s := dir.run(t)
		if s.status != suspended {
			return s
		}
		for _, q := range dir.look(t).Waits {
			require.Equal(t, done, dir.resume(t, "answer", taleRun, q.ID, "yes").status)
		}
	}
	require.Fail(t, "it asks and asks")
	return said{}
}

// old is a folder in which the file is that the run wants to replace.
func old(t testing.TB) at {
	t.Helper()
	dir := at(t.TempDir())
	require.NoError(t, os.WriteFile(dir.out(), []byte("old"), 0o600))
	return dir
}

func (dir at) replaced(t testing.TB) bool {
	t.Helper()
	raw, err := os.ReadFile(dir.out())
	require.NoError(t, err)
	return string(raw) != "old"
}

// The demonstration, by real processes, and what it leaves: nothing.
func TestStory(t *testing.T) {
	tmp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, tmp)
	}
	t.Setenv(asProgram, "1")
	var out, problems bytes.Buffer
	require.Equal(t, done, program{out: &out, problems: &problems}.run(t.Context(), nil), "%s%s", out.String(), problems.String())
	assert.Empty(t, problems.String())
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left)

	names := map[string]string{}
	story := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllStringFunc(out.String(), func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("question-%d", len(names)+1)
		}
		return names[id]
	})
	if *update {
		require.NoError(t, os.WriteFile("testdata/story.txt", []byte(story), 0o600))
	}
	want, err := os.ReadFile("testdata/story.txt")
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), story)
}

// A story that cannot be told is an error, and leaves nothing either.
func TestStoryFails(t *testing.T) {
	tmp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, tmp)
	}
	t.Setenv(asProgram, "1")
	t.Setenv(holdsAt, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	var problems bytes.Buffer
	assert.Equal(t, failed, program{out: io.Discard, problems: &problems}.run(ctx, nil))
	assert.Contains(t, problems.String(), "gone")
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Host and agent ask, and a no to either of them ends the run with nothing written.
func TestNo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words []string // to one question after the other
		acts  []string
	}{
		"to the host":           {[]string{"no"}, []string{"select_application_window"}},
		"in words, to the host": {[]string{"not today"}, []string{"select_application_window"}},
		"to the agent": {[]string{"yes", "no"}, []string{
			"select_application_window", "launch_application", "write_rows", "format_columns", "add_bar_chart",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := old(t)
			for _, word := range c.words {
				require.Equal(t, suspended, dir.run(t).status)
				require.Equal(t, done, dir.resume(t, "answer", taleRun, dir.waits(t), word).status)
			}
			s := dir.run(t)
			assert.Equal(t, failed, s.status)
			assert.Contains(t, s.problems, "FAIL: not approved: ")
			assert.False(t, dir.replaced(t))
			assert.Equal(t, c.acts, dir.acts(t))
			// It has ended, also for who asks again.
			again := dir.run(t)
			assert.Equal(t, s.problems, again.problems)
			assert.Equal(t, failed, again.status)
			assert.Contains(t, dir.resume(t, "replay", taleRun).out, "FAIL")
		})
	}
}

// Whoever has nothing to approve finds a chart in a new file.
func TestNewFile(t *testing.T) {
	t.Parallel()
	dir := at(t.TempDir())
	s := dir.finish(t)
	require.Equal(t, done, s.status, s.problems)
	book, err := xlsxtest.Open(dir.out())
	require.NoError(t, err)
	assert.Len(t, book.Sheets[0].Charts, 1)
	assert.True(t, strings.HasSuffix(s.out, dir.run(t).out), "it has ended, also for who asks again")
}
