package legible_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/legible"
)

func becomes(t *testing.T, legible func(string) string, all map[string]string) {
	t.Helper()
	for text, want := range all {
		assert.Equal(t, want, legible(text))
	}
}

func TestText(t *testing.T) {
	becomes(t, legible.Text, map[string]string{
		"":                                   "",
		"plain, grün, 日本\n\ttext":            "plain, grün, 日本\n\ttext",
		"a\r\nb":                             "a\nb",
		"a\rb\x1b[2J\x07\x7f":                `a\u000db\u001b[2J\u0007\u007f`,
		"\u009b2J":                           `\u009b2J`,
		"rm \u202efles\u202c \u2066x":        `rm \u202efles\u202c \u2066x`,
		"a\u2028b\u2029c":                    `a\u2028b\u2029c`,
		"x\U000e0041":                        `x\udb40\udc41`,
		"שלום\u200f, \U0001F468\u200d\u2764": "שלום\u200f, \U0001F468\u200d\u2764",
	})
}

func TestExact(t *testing.T) {
	becomes(t, legible.Exact, map[string]string{
		"":                         "",
		"rm -rf grün":              "rm -rf grün",
		"a\nb\tc\u00a0d":           `a\u000ab\u0009c\u00a0d`,
		"\u3164\ufe0f\u2800\u034f": `\u3164\ufe0f\u2800\u034f`,
		"\u200b\u200f\u202e":       `\u200b\u200f\u202e`,
		"\U000e0041":               `\udb40\udc41`,
	})
}

func TestName(t *testing.T) {
	becomes(t, legible.Name, map[string]string{
		"run_shell":             "run_shell",
		"server:tool/v1.2-beta": "server:tool/v1.2-beta",
		"run_shell ":            `"run_shell "`,
		"r\u0435ad":             `"r\u0435ad"`,
		"wait? Say yes":         `"wait? Say yes"`,
		"a\"b":                  `"a\"b"`,
		"a\x00":                 `"a\x00"`,
	})
}

func TestPlain(t *testing.T) {
	becomes(t, legible.Plain, map[string]string{
		"":                                          "",
		"busy":                                      "busy",
		"desktop: get_ui_tree: cut":                 "get_ui_tree: cut",
		"pay failed: desktop: no: 7":                "pay failed: no: 7",
		"acting: fsm: suspended":                    "suspended",
		"one\ndesktop: two; llm: three":             "one\ntwo; three",
		"deciding: plan: no item":                   "plan: no item",
		"my desktop: is mine":                       "my desktop: is mine",
		"the word round: a shape":                   "the word round: a shape",
		"https://desktop: x (llm: broken":           "https://desktop: x (broken",
		"plan: an object":                           "plan: an object",
		"acting: people: ask: no mail":              "ask: no mail",
		"no client: people: there is nobody to ask": "no client: there is nobody to ask",
		"people: question q1 is answered later: x":  "question q1 is answered later: x",
		"stdout:\npeople: 3":                        "stdout:\npeople: 3",
		"stdout: 1\nround: 3\njson: {}":             "stdout: 1\nround: 3\njson: {}",
	})
}
