package llmtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestTimesAndIDs(t *testing.T) {
	for text, want := range map[string]string{
		`{"timestamp": "2026-11-20T14:25:38.967747099Z"}`: `{"timestamp": "<time>"}`,
		"from 2026-11-20T14:25:38+01:00 on":               "from <time> on",
		"2026-11-20 14:25:38, 2026-11-20":                 "<time>, 2026-11-20",
		"run 0193441A-7b1c-7def-8123-456789abcdef.":       "run <id>.",
		"1234-5678, at 12:30":                             "1234-5678, at 12:30",
	} {
		assert.Equal(t, want, llmtest.TimesAndIDs(text))
	}
}
