package llmtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// letter is a request of many lines.
func letter(subject, last string) *llm.Request {
	lines := []string{"subject: " + subject}
	for i := range 20 {
		lines = append(lines, fmt.Sprint("line ", i))
	}
	return ask(strings.Join(append(lines, last, "end"), "\n"))
}

func TestCassetteMissShowsTheNearest(t *testing.T) {
	long := strings.Repeat("é ", 500)
	path := recorded(t, ask("something else"), letter("a chart", "with love"), ask("first\n"+long+"old"+long))
	for name, tc := range map[string]struct {
		req  *llm.Request
		want string
	}{
		"one line": {letter("a table", "with love"), `the nearest is request 3 of 3 in the file (- recorded, + asked):
  --- user
- subject: a chart
+ subject: a table
  line 0
  line 1`},
		"two places": {letter("a table", "with hate"), `  --- user
- subject: a chart
+ subject: a table
  line 0
  line 1
  … 16 equal lines
  line 18
  line 19
- with love
+ with hate
  end`},
		"more":                    {&llm.Request{Messages: ask("something else").Messages, MaxTokens: 5}, "  something else\n+ --- max_tokens 5"},
		"many lines":              {ask(strings.Repeat("new\n", 5000)), "more lines"},
		"where long lines differ": {ask("first\n" + long + "new" + long), "é newé "},
		"long lines":              {ask("something else" + strings.Repeat(", and so on", 100) + ", at last"), "\n+ something else, and so on, and so on"},
	} {
		t.Run(name, func(t *testing.T) {
			tape, f := replay(t, path, nil)
			resp, err := tape.Complete(t.Context(), tc.req)
			assert.Nil(t, resp)
			var miss *llmtest.MissError
			require.ErrorAs(t, err, &miss)
			require.ErrorIs(t, err, llmtest.ErrCassette)
			assert.False(t, llm.Retryable(err))
			assert.Equal(t, []any{path, 1, 0}, []any{miss.Path, miss.Call, miss.Recorded})
			assert.Contains(t, miss.Diff, tc.want)
			assert.Less(t, len(miss.Diff), 2000)
			assert.LessOrEqual(t, strings.Count(miss.Diff, "\n"), 42)
			assert.EqualError(t, err, "llmtest: cassette "+path+": call 1 asks what was not recorded")
			for _, part := range []string{err.Error(), miss.Diff, "set AGENTFSM_RECORD=1 and CassetteOptions.Record, and run TestFake"} {
				assert.Contains(t, f.failures(), part)
			}
		})
	}
}

func TestCassetteRunsOut(t *testing.T) {
	path := recorded(t, ask("x"))
	tape, f := replay(t, path, nil)
	text(t, tape, ask("x"))
	_, err := tape.Complete(t.Context(), ask("x"))
	var miss *llmtest.MissError
	require.ErrorAs(t, err, &miss)
	assert.Equal(t, []int{2, 1}, []int{miss.Call, miss.Recorded})
	assert.Contains(t, f.failures(), "call 2 repeats a request that was recorded 1 times only")
}

func TestCassetteLeftOver(t *testing.T) {
	path := recorded(t, ask("a"), ask("b"), ask("b"))
	tape, f := replay(t, path, nil)
	text(t, tape, ask("b"))
	require.Empty(t, f.failures())
	f.end()
	assert.Contains(t, f.failures(), "2 recorded replies were not asked for; the first answers\n--- user\na\n")

	_, f = replay(t, path, &llmtest.CassetteOptions{AllowUnused: true})
	f.end()
	assert.Empty(t, f.failures())

	_, f = replay(t, path, nil)
	f.Errorf("something else")
	f.end()
	assert.Equal(t, "something else", f.failures(), "a test that stopped early has recordings left, which says nothing")
}

func TestCassetteOfNothing(t *testing.T) {
	path := recorded(t)
	tape, f := replay(t, path, nil)
	_, err := tape.Complete(t.Context(), nil)
	require.ErrorIs(t, err, llmtest.ErrCassette)
	assert.Contains(t, f.failures(), "the request is nil")
	_, err = tape.Complete(t.Context(), ask("x"))
	var miss *llmtest.MissError
	require.ErrorAs(t, err, &miss)
	assert.Equal(t, "the recording is empty", miss.Diff)
}

func TestCassetteWithoutATest(t *testing.T) {
	path := recorded(t, ask("x"))
	t.Setenv(llmtest.RecordVariable, "1")
	tape := llmtest.Cassette(nil, path, &llmtest.CassetteOptions{Record: parrot()})
	assert.False(t, tape.Recording(), "there is no end at which it could be written")
	assert.Equal(t, "1: x", text(t, tape, ask("x")))
	func() {
		defer func() {
			err, ok := recover().(error)
			require.True(t, ok)
			require.ErrorIs(t, err, llmtest.ErrCassette)
		}()
		_, _ = tape.Complete(t.Context(), ask("y"))
	}()
	assert.Panics(t, func() { llmtest.Cassette(nil, "testdata/none.json", nil) })
}

func TestCassettesThatCannotBeOpened(t *testing.T) {
	words := strings.NewReplacer("REQUEST", `"request": {"messages": [{"role": "user", "parts": [{"text": ["x"]}]}]}`,
		"REPLY", `{"response": {"usage": {"input_tokens": 1, "output_tokens": 1}}}`)
	golden.Cases(t, "damaged.txt", func(content string) string {
		path := filepath.Join(t.TempDir(), "talk.json")
		if content != "" {
			require.NoError(t, os.WriteFile(path, []byte(words.Replace(content)), 0o600))
		}
		f := &fakeTB{}
		require.NotNil(t, llmtest.Cassette(f, path, nil))
		return strings.ReplaceAll(f.fatal, path, "talk.json")
	})
}

// The variable, CI, and the model; what a cassette does then.
func TestCassetteRecordsOnlyOnPurpose(t *testing.T) {
	path := recorded(t, ask("x"))
	models := map[string]llm.Model{"parrot": parrot(), "none": nil, "nil": llm.ModelFunc(nil)}
	golden.Cases(t, "purpose.txt", func(text string) string {
		parts := strings.Split(text, ", ")
		t.Setenv(llmtest.RecordVariable, strings.TrimPrefix(parts[0], "AGENTFSM_RECORD="))
		t.Setenv("CI", strings.TrimPrefix(parts[1], "CI="))
		f := &fakeTB{}
		if llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: models[parts[2]]}).Recording() {
			return "records"
		}
		return strings.TrimSpace("replays " + strings.ReplaceAll(f.fatal, path, "talk.json"))
	})
}
