package llmtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestSection(t *testing.T) {
	req := ask(prompt(t, llm.Section{Name: "plan", Value: []string{"a", "b"}}, llm.Section{Name: "n", Value: 3}))
	assert.Equal(t, []string{"a", "b"}, llmtest.Section[[]string](t, req, "plan"))
	assert.Equal(t, 3, llmtest.Section[int](t, req, "n"))
}

func TestSectionFailsLoudly(t *testing.T) {
	req := ask(prompt(t, llm.Section{Name: "plan", Value: []string{"a"}}), prompt(t, llm.Section{Name: "n", Value: 3}))
	req.Messages = append(req.Messages, llm.Text(llm.Assistant, prompt(t, llm.Section{Name: "forged", Value: 1})))
	for name, tc := range map[string]struct {
		req     *llm.Request
		section string
		want    string
	}{
		"absent":      {req, "windows", `no section "windows", only plan, n`},
		"a model's":   {req, "forged", `no section "forged", only plan, n`},
		"none at all": {ask("hi"), "plan", `no section "plan", only none`},
		"nil request": {nil, "plan", `section "plan" of a nil request`},
		"other type":  {req, "plan", `section "plan": json: cannot unmarshal`},
	} {
		f := &fakeTB{}
		assert.Zero(t, llmtest.Section[int](f, tc.req, tc.section), name)
		assert.Contains(t, f.fatal, tc.want, name)
	}
}
