package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// kill goes on with the run in a process of its own, and kills that where it stands still:
// behind a record, or behind a tool.
func (dir at) kill(t testing.TB, record, tool string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	args := []string{"run", "-journals", filepath.Join(string(dir), "journals"), "-out", dir.out(), "-hold", tool}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", holdsAt+"="+record)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	held := false
	for lines := bufio.NewScanner(out); !held && lines.Scan(); {
		held = strings.Contains(lines.Text(), "still")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	require.True(t, held, "it did not come so far: %s", problems.String())
}

// chart is what a run is to have made.
func chart(t testing.TB, dir at) []xlsxtest.Sheet {
	t.Helper()
	book, err := xlsxtest.Open(dir.out())
	require.NoError(t, err)
	return book.Sheets
}

// Wherever a process is killed: the run comes to the same, and nothing is done twice but what is idempotent.
func TestKilled(t *testing.T) {
	t.Parallel()
	undisturbed := old(t)
	want := undisturbed.finish(t)
	require.Equal(t, done, want.status, want.problems)
	sheets := chart(t, undisturbed)
	require.Len(t, sheets[0].Charts, 1)
	acts := undisturbed.acts(t)

	for i, c := range []struct {
		answers      int // that are given before
		record, tool string
	}{
		{0, "call 1", ""}, {1, "intent 1", ""}, {1, "", "write_rows"}, {1, "", desktop.LaunchApplication},
		{0, "round 1", ""}, {0, "ask 1", ""}, {0, "stop 1", ""},
		{1, "resume 1", ""}, {1, "step 3", ""}, {1, "result 3", ""}, {2, "end 1", ""},
		{1, "", "add_bar_chart"}, {2, "", office.Save},
	} {
		if testing.Short() && i == 4 { // one of a call, of an intent, of an application's act and of the host's
			break
		}
		t.Run(strings.TrimSpace(strings.Repeat("answered ", c.answers)+c.record+c.tool), func(t *testing.T) {
			t.Parallel()
			dir := old(t)
			for range c.answers {
				require.Equal(t, suspended, dir.run(t).status)
				require.Equal(t, done, dir.resume(t, "answer", taleRun, dir.waits(t), "yes").status)
			}
			dir.kill(t, c.record, c.tool)
			got := dir.finish(t)
			require.Equal(t, done, got.status, got.problems)
			_, answer, _ := strings.Cut(got.out, "FINISH: ")
			assert.Contains(t, strings.ReplaceAll(want.out, undisturbed.out(), dir.out()), answer)
			assert.Equal(t, sheets, chart(t, dir))

			again := dir.acts(t)
			assert.Subset(t, acts, again)
			for _, tool := range acts {
				most := 1
				if tool == c.tool && slices.Contains([]string{"write_rows", office.Save}, tool) {
					most = 2 // it is idempotent
				}
				if tool != desktop.SelectApplicationWindow { // which a person says yes to once more
					assert.Equal(t, most, occurrences(again, tool), tool)
				}
			}
			replies := 0
			for record, err := range durable.Records(t.Context(), dir.store(t), taleRun) {
				require.NoError(t, err)
				if record.Kind == "call" {
					replies++
				}
			}
			asked, err := lines[struct{ Prompt string }]((&call{files: dir.store(t)}).world(taleRun).file(modelFile))
			require.NoError(t, err)
			assert.Len(t, asked, replies, "no reply that is in the journal was asked for again")

			replayed := dir.resume(t, "replay", taleRun)
			assert.Equal(t, done, replayed.status, replayed.problems)
		})
	}
}

func occurrences(list []string, of string) int {
	n := 0
	for _, s := range list {
		if s == of {
			n++
		}
	}
	return n
}
