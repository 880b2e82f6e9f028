package progress_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/progress"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"Book1 - Excel":                          "Book1 - Excel",
		"売上 é":                                   "売上 é",
		"two\nlines\r\tand\u2028":                "two lines  and ",
		"\x1b[2J\x1b]0;owned\a":                  "\uFFFD[2J\uFFFD]0;owned\uFFFD",
		"\x9b31m\u009b31m":                       "\uFFFD31m\uFFFD31m", // CSI in eight bits
		"abc\u202Efed":                           "abc\uFFFDfed",
		"a\u200Bb\uFEFFc\u00ADd":                 "a\uFFFDb\uFFFDc\uFFFDd",
		"\u0301a\u0301":                          "a\u0301", // nothing to stand on at first
		"a" + strings.Repeat("\u0301", 50) + "b": "a\u0301\u0301\u0301b",
		"❤\uFE0F":                                "❤",
		"\xff\xfe":                               "\uFFFD\uFFFD",
		"\U000E0041\uE000x":                      "\uFFFD\uFFFDx", // tags and private use
		"\x7f":                                   "\uFFFD",
	} {
		assert.Equal(t, want, progress.Clean(text), "%q", text)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -5, ""},
		{"売上高", 6, "売上高"},
		{"売上高", 5, "売上…"},
		{"売上高", 4, "売…"}, // no half of a wide letter
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"🙂🙂", 3, "🙂…"},
	} {
		assert.Equal(t, c.want, progress.Fit(c.text, c.limit), "%q in %d", c.text, c.limit)
	}
	for text, want := range map[string]int{"a": 1, "é": 1, "e\u0301": 1, "売": 2, "한": 2, "ｱ": 2, "🙂": 2, "…": 1, "𠀋": 2} {
		assert.Equal(t, want, progress.Width(text), text)
	}
}

// Whatever windows are called and models write, what reaches the terminal cannot
// steer it, and a live line is no wider than the terminal.
func FuzzPrinter(f *testing.F) {
	f.Add("HostAgent", "CONTINUE", "", 80)
	f.Add("\x1b[2J\u202E", "\r\n", "\x9b31m\x00", 1)
	f.Add("売上"+strings.Repeat("\u0301", 9), "F\xff", "a\u2028b", 20)
	f.Fuzz(func(t *testing.T, agent, status, reason string, width int) {
		width %= 300
		if width == 0 {
			width = 1
		}
		step := round.Step{
			Seq: 1, Agent: agent, From: fsm.Continue, NextAgent: agent, To: fsm.Status(status), By: fsm.ByFault,
			Reason: reason, Calls: 1, Progress: round.Progress{Opened: 1, Current: reason},
		}
		result := round.Result{Outcome: round.Outcome(status), Agent: agent, Status: fsm.Status(status), Reason: reason}
		for _, mode := range []progress.Mode{progress.Live, progress.Plain} {
			var out bytes.Buffer
			p := progress.New(&out, &progress.Options{Mode: mode, Width: width, Currency: reason})
			p.Step(step)
			live := strings.ReplaceAll(out.String(), "\r", "")
			if mode == progress.Live && width > 0 {
				require.Less(t, progress.Width(live), max(width, 1), "%q", live)
			}
			step.NextAgent, step.Seq = "x", 2
			p.Step(step)
			step.NextAgent, step.Seq = agent, 1
			require.NoError(t, p.Done(result))
			checkOutput(t, out.String())
			lines := 3
			if mode == progress.Live {
				lines = 1
			}
			require.Equal(t, lines, strings.Count(out.String(), "\n"), "%q", out.String())
		}
	})
}

func checkOutput(t *testing.T, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text))
	for _, r := range text {
		if r != '\r' && r != '\n' {
			require.True(t, unicode.IsGraphic(r), "%q in %q", r, text)
			require.False(t, unicode.Is(unicode.Cf, r) || unicode.IsControl(r), "%q in %q", r, text)
		}
	}
}
