package legible_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/legible"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"plain, grün, 日本\n\ttext":            "plain, grün, 日本\n\ttext",
		"a\r\nb":                             "a\nb",
		"a\rb\x1b[2J\x07\x7f":                `a\u000db\u001b[2J\u0007\u007f`,
		"\u009b2J":                           `\u009b2J`,
		"rm \u202efles\u202c \u2066x":        `rm \u202efles\u202c \u2066x`,
		"a\u2028b\u2029c":                    `a\u2028b\u2029c`,
		"x\U000e0041":                        `x\udb40\udc41`,
		"שלום\u200f, \U0001F468\u200d\u2764": "שלום\u200f, \U0001F468\u200d\u2764",
	} {
		assert.Equal(t, want, legible.Text(text))
	}
}

func TestExact(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"rm -rf grün":              "rm -rf grün",
		"a\nb\tc\u00a0d":           `a\u000ab\u0009c\u00a0d`,
		"\u3164\ufe0f\u2800\u034f": `\u3164\ufe0f\u2800\u034f`,
		"\u200b\u200f\u202e":       `\u200b\u200f\u202e`,
		"\U000e0041":               `\udb40\udc41`,
	} {
		assert.Equal(t, want, legible.Exact(text))
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"run_shell":             "run_shell",
		"server:tool/v1.2-beta": "server:tool/v1.2-beta",
		"run_shell ":            `"run_shell "`,
		"r\u0435ad":             `"r\u0435ad"`,
		"wait? Say yes":         `"wait? Say yes"`,
		"a\"b":                  `"a\"b"`,
		"a\x00":                 `"a\x00"`,
	} {
		assert.Equal(t, want, legible.Name(name))
	}
}
