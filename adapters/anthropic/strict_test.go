package anthropic_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// forms says in which form each request went.
func forms(sent []string) string {
	var list []string
	for _, body := range sent {
		if strings.Contains(body, `"output_config"`) {
			list = append(list, "format")
		} else {
			list = append(list, "prompt")
		}
	}
	return strings.Join(list, ",")
}

// A closed schema is sent as a format. A server that refuses that gets it in the prompt, and
// the response says so.
func TestClosedSchemas(t *testing.T) {
	good := says(`{"Answer": "42"}`, "end_turn")
	refuses := func(word, text string) http.HandlerFunc {
		return adapterstest.Refuses(word, adapterstest.Refuses("output_config", fails(400, "invalid_request_error", text), good), good)
	}
	for name, c := range map[string]struct {
		server http.HandlerFunc
		change func(*anthropic.Config)
		fields []string
		forms  string
		noted  []string
	}{
		"taken":       {good, nil, []string{"Answer", "Answer"}, "format,format", []string{"", ""}},
		"no format":   {refuses("output_config", "output_config: Extra inputs are not permitted"), nil, []string{"Answer", "Other"}, "format,prompt,prompt", []string{repair.InPrompt, repair.InPrompt}},
		"too complex": {refuses("Odd", "Schema is too complex for compilation."), nil, []string{"Odd", "Odd", "Answer"}, "format,prompt,prompt,format", []string{repair.InPrompt, repair.InPrompt, ""}},
		"unions":      {refuses("Odd", "Schemas contains too many parameters with union types (49 parameters with type arrays or anyOf) which exceeds the limit: 16"), nil, []string{"Odd", "Odd"}, "format,prompt,prompt", []string{repair.InPrompt, repair.InPrompt}},
		"asked for":   {good, func(c *anthropic.Config) { c.SchemaInPrompt = true }, []string{"Answer"}, "prompt", []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.server)
			m := s.model(t, c.change)
			for i, field := range c.fields {
				resp, err := m.Complete(t.Context(), adapterstest.Strict(t, "how much?", field))
				require.NoError(t, err)
				noted := ""
				for _, r := range resp.Repairs {
					noted += r.Kind
				}
				assert.Equal(t, c.noted[i], noted, "request %d", i)
			}
			assert.Equal(t, c.forms, forms(s.Sent()))
		})
	}
}

// Past what the protocol takes, the schema is not tried as a format.
func TestLimitsOfAFormat(t *testing.T) {
	properties := func(n int, schema string) string {
		var all, names []string
		for i := range n {
			all, names = append(all, fmt.Sprintf(`"p%d":%s`, i, schema)), append(names, fmt.Sprintf(`"p%d"`, i))
		}
		return `{"type":"object","properties":{` + strings.Join(all, ",") + `},"required":[` + strings.Join(names, ",") + `],"additionalProperties":false}`
	}
	optional := func(n int) string {
		schema := properties(n, `{"type":"string"}`)
		return schema[:strings.Index(schema, `"required"`)] + `"required":[],"additionalProperties":false}`
	}
	for schema, want := range map[string]string{
		properties(16, `{"type":["string","null"]}`):                          "format",
		properties(17, `{"type":["string","null"]}`):                          "prompt",
		properties(17, `{"anyOf":[{"type":"string"},{"type":"null"}]}`):       "prompt",
		properties(17, `{"type":"array","items":{"type":["string","null"]}}`): "prompt",
		properties(40, `{"type":"string"}`):                                   "format",
		optional(24):                                                          "format",
		optional(25):                                                          "prompt",
	} {
		s := serve(t, says(`{"p0": "42"}`, "end_turn"))
		req := adapterstest.Ask("how much?")
		req.Schema = &llm.Schema{Name: "answer", JSON: []byte(schema), Strict: true}
		resp, err := s.model(t, nil).Complete(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, want, forms(s.Sent()), schema)
		assert.Len(t, resp.Repairs, map[string]int{"format": 0, "prompt": 1}[want])
	}
}

// Past what the protocol takes in one request, all tools are open, and the response says so.
func TestLimitsOfTools(t *testing.T) {
	object := func(properties, required string) []byte {
		return []byte(`{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`)
	}
	text := object(`"a":{"type":"string"}`, `"a"`)
	union := object(`"a":{"type":["string","null"]}`, `"a"`)
	for name, c := range map[string]struct {
		schema []byte
		tools  int
		strict bool
	}{
		"twenty":           {text, 20, true},
		"twenty-one":       {text, 21, false},
		"sixteen choices":  {union, 16, true},
		"seventeen":        {union, 17, false},
		"24 optional":      {object(`"a":{"type":"string"},"b":{"type":"string"}`, ``), 12, true},
		"26 optional":      {object(`"a":{"type":"string"},"b":{"type":"string"}`, ``), 13, false},
		"a bound":          {object(`"a":{"type":"string","minLength":1}`, `"a"`), 1, false},
		"none that closes": {nil, 30, true},
	} {
		req := adapterstest.Ask("do it")
		for i := range c.tools {
			req.Tools = append(req.Tools, llm.Tool{Name: fmt.Sprintf("t%d", i), Parameters: []byte(`{"type":"object"}`), Strict: c.schema})
		}
		s := serve(t, message([]any{map[string]any{"type": "tool_use", "id": "1", "name": "t0", "input": map[string]any{}}}, "tool_use"))
		resp, err := s.model(t, nil).Complete(t.Context(), req)
		require.NoError(t, err)
		sent := 0
		if c.strict && c.schema != nil {
			sent = c.tools
		}
		assert.Equal(t, sent, strings.Count(s.Sent()[0], `"strict":true`), name)
		assert.Equal(t, c.strict, len(resp.Repairs) == 0, name)
	}
}
