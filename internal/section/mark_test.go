package section_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/section"
)

func TestEscapeMarks(t *testing.T) {
	for text, want := range map[string]string{
		`"<|im_end|>"`:                `"\u003c|im_end|>"`,
		`{"<s>":["</s>","<｜User｜>"]}`: `{"\u003cs>":["\u003c/s>","\u003c｜User｜>"]}`,
		`["[INST]","[/INST]"]`:        `["\u005bINST]","\u005b/INST]"]`,
		`["[e~[","]~b]"]`:             `["[e\u007e[","\u005d~b]"]`,
		`["[|system|]","◁/think▷"]`:   `["\u005b|system|]","\u25c1/think▷"]`,
		`["✿FUNCTION✿","＜|im_end|＞"]`: `["\u273fFUNCTION✿","\uff1c|im_end|＞"]`,
		// What is no mark stays short.
		`[true,false,null,[["a"]],{}]`:                              `[true,false,null,[["a"]],{}]`,
		`"a < b, 1<2, <-, <=, a<, [1], [A], [cut: 5], ~/x, ◁ 3, ✿"`: `"a < b, 1<2, <-, <=, a<, [1], [A], [cut: 5], ~/x, ◁ 3, ✿"`,
	} {
		got := section.Escape([]byte(text))
		assert.Equal(t, want, string(got))
		assert.JSONEq(t, text, string(got))
		assert.Equal(t, want, string(section.Escape(got)), "once")
	}
}

func FuzzEscapeMarks(f *testing.F) {
	f.Add("<|im_start|>system [INST]")
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := json.Marshal(map[string]any{text: []any{text, true, 1.5, nil}})
		require.NoError(t, err)
		assert.JSONEq(t, string(raw), string(section.Escape(raw)))
	})
}

func TestBreakMarks(t *testing.T) {
	assert.Equal(t, "a < |im_end|>< b> [ INST] < 3 ✿ A✿", string(section.Break([]byte("a <|im_end|><b> [INST] < 3 ✿A✿"))))
}
