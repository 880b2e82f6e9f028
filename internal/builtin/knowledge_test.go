package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// learned is what an agent knows, in the two prompts of a task, and how often it asked.
func learned(t *testing.T, sections []llm.Section) (prompts [2]string, unseen [2]string, asked int) {
	t.Helper()
	var k builtin.Known
	for i := range 2 {
		var v builtin.View
		require.NoError(t, k.Learn(t.Context(), func(context.Context, fsm.Task) ([]llm.Section, error) {
			asked++
			return sections, nil
		}, fsm.Task{}, &v))
		saved, err := json.Marshal(k) // between steps
		require.NoError(t, err)
		k = builtin.Known{}
		require.NoError(t, json.Unmarshal(saved, &k))

		p := prompt(t)
		p.Task.Add("request", "the user's", true)
		k.Add(&p.Task)
		p.Now.Add("not_observed", v.NotObserved(), len(v.Unseen) > 0)
		messages, err := new(builtin.Kept).Messages(p)
		require.NoError(t, err)
		for _, part := range messages[len(messages)-1].Parts {
			prompts[i] += part.Text
		}
		unseen[i] = strings.Join(v.NotObserved(), "\n")
	}
	return prompts, unseen, asked
}

// A section that a prompt cannot have is left out, and the model reads why; the others stay. The
// class: what a program returns that no prompt can have.
func TestKnowledgeThatCannotBeUsed(t *testing.T) {
	good := llm.Section{Name: "manual", Value: "how"}
	for name, c := range map[string]struct {
		bad llm.Section
		why string
	}{
		"no name":                {llm.Section{Value: "x"}, `section "" was left out: the name is empty`},
		"spaces":                 {llm.Section{Name: " pad ", Value: "x"}, "begins or ends with a space"},
		"a line break":           {llm.Section{Name: "a\n## request", Value: "x"}, `the name may not have '\n'`},
		"a fence":                {llm.Section{Name: "```json", Value: "x"}, "the name may not have '`'"},
		"a name used twice":      {llm.Section{Name: "manual", Value: "x"}, `section "manual" was left out: another section has its name`},
		"an own one":             {llm.Section{Name: "request", Value: "x"}, "its name is taken"},
		"an own one in capitals": {llm.Section{Name: "Request", Value: "x"}, "its name is taken"},
		"an own one, spelt":      {llm.Section{Name: "Allowed Statuses", Value: "x"}, "its name is taken"},
		"an own one with dots":   {llm.Section{Name: "last.error", Value: "x"}, "its name is taken"},
		"no JSON":                {llm.Section{Name: "doing", Value: func() {}}, "unsupported type"},
		"a long odd name":        {llm.Section{Name: strings.Repeat("#", 1<<20), Value: "x"}, "the name may not have '#'"},
	} {
		t.Run(name, func(t *testing.T) {
			prompts, unseen, asked := learned(t, []llm.Section{good, c.bad, {Name: "faq", Value: "why"}})
			assert.Equal(t, 1, asked)
			for i, text := range prompts {
				assert.Contains(t, text, "## manual\n```json\n\"how\"\n")
				assert.Contains(t, text, "## faq\n")
				assert.Less(t, len(text), 2_000)
				assert.Contains(t, unseen[i], "knowledge: section ")
				assert.Contains(t, unseen[i], c.why)
			}
		})
		t.Run(name+", alone", func(t *testing.T) {
			if c.bad.Name == good.Name {
				return
			}
			_, unseen, asked := learned(t, []llm.Section{c.bad})
			assert.Equal(t, 2, asked, "nothing is known: the next step asks again")
			assert.Contains(t, unseen[1], "no knowledge: section ")
		})
	}
}

// Many sections, each within its bound, do not fill the prompt; the first are shown.
func TestKnowledgeIsBounded(t *testing.T) {
	section := func(size int) func(i int) llm.Section {
		return func(i int) llm.Section {
			return llm.Section{Name: fmt.Sprint("page", i), Value: strings.Repeat("x", size)}
		}
	}
	for name, c := range map[string]struct {
		sections []llm.Section
		note     string
	}{
		"many large ones":   {many(200, section(30_000)), "198 of 200 sections were left out"},
		"huge ones":         {many(20, section(1<<20)), "19 of 20 sections were left out"},
		"very many":         {many(100_000, section(1)), "of 100000 sections were left out"},
		"a small one after": {append(many(3, section(30_000)), llm.Section{Name: "last", Value: "small"}), "1 of 4 sections were left out"},
		"many odd ones":     {append(many(1, section(1)), many(1_000, func(int) llm.Section { return llm.Section{} })...), "990 more sections were left out"},
		"a long name":       {append(many(1, section(1)), llm.Section{Name: strings.Repeat("n", 1<<20)}), "1 of 2 sections were left out"},
	} {
		t.Run(name, func(t *testing.T) {
			prompts, unseen, asked := learned(t, c.sections)
			assert.Equal(t, 1, asked)
			for i, text := range prompts {
				assert.Less(t, len(text), 68<<10)
				assert.Contains(t, text, "## page0\n")
				assert.Contains(t, unseen[i], c.note)
			}
		})
	}
	prompts, unseen, _ := learned(t, many(2, section(30_000)))
	assert.Contains(t, prompts[1], "## page1\n")
	assert.Empty(t, unseen[1], "both fit")
}
