package legible_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/legible"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
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
	} {
		assert.Equal(t, want, legible.Plain(text))
	}
}
