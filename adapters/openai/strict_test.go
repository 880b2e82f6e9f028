package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

const (
	strict = `"strict":true`
	loose  = `"json_schema":{`
	prompt = "fits this JSON Schema"
)

// forms says in which form each request went.
func forms(sent []string) string {
	var list []string
	for _, body := range sent {
		switch {
		case strings.Contains(body, strict):
			list = append(list, "strict")
		case strings.Contains(body, loose):
			list = append(list, "loose")
		case strings.Contains(body, prompt):
			list = append(list, "prompt")
		default:
			list = append(list, "none")
		}
	}
	return strings.Join(list, ",")
}

// A closed schema is sent as strict. A server that refuses that gets the next form, and each
// response in another form says so.
func TestClosedSchemas(t *testing.T) {
	good := says(`{"Answer": "42"}`, "stop")
	refuses := func(word, text string, otherwise http.HandlerFunc) http.HandlerFunc {
		return adapterstest.Refuses(word, fails(400, "", text), otherwise)
	}
	odd := func(then http.HandlerFunc) http.HandlerFunc { return adapterstest.Refuses(`Odd`, then, good) }
	note := func(kinds ...string) (list []string) { return kinds }
	for name, c := range map[string]struct {
		server http.HandlerFunc
		change func(*openai.Config)
		fields []string // of the schema of each request
		forms  string   // as they were sent
		noted  []string // of each response
	}{
		"taken": {good, nil, []string{"Answer", "Answer"}, "strict,strict", note("", "")},
		"no strict": {refuses(strict, "response_format.json_schema.strict is not supported", good), nil,
			[]string{"Answer", "Other"}, "strict,loose,loose", note(repair.NotStrict, repair.NotStrict)},
		"an unknown word": {adapterstest.Refuses(`"strict":`, adapterstest.Raw(400, "text/plain", "Unknown parameter: strict"), good), nil,
			[]string{"Answer", "Other"}, "strict,loose,loose", note(repair.NotStrict, repair.NotStrict)},
		"no format": {refuses("response_format", "response_format is not supported", good), nil,
			[]string{"Answer", "Other"}, "strict,loose,prompt,prompt", note(repair.InPrompt, repair.InPrompt)},
		"not this schema strictly": {odd(refuses(strict, "Invalid schema for response_format 'answer'", good)), nil,
			[]string{"Odd", "Odd", "Answer"}, "strict,loose,loose,strict", note(repair.NotStrict, repair.NotStrict, "")},
		"not this schema at all": {odd(refuses("response_format", "failed to parse grammar", good)), nil,
			[]string{"Odd", "Odd", "Answer"}, "strict,loose,prompt,prompt,strict", note(repair.InPrompt, repair.InPrompt, "")},
		"asked for": {good, func(c *openai.Config) { c.SchemaInPrompt = true }, []string{"Answer"}, "prompt", note("")},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.server)
			m := s.model(t, c.change)
			for i, field := range c.fields {
				resp, err := m.Complete(t.Context(), adapterstest.Strict(t, "how much?", field))
				require.NoError(t, err)
				var noted string
				for _, r := range resp.Repairs {
					noted += r.Kind
				}
				assert.Equal(t, c.noted[i], noted, "request %d", i)
			}
			assert.Equal(t, c.forms, forms(s.Sent()))
		})
	}
}

// What the model made of a schema may be better the next time.
func TestABadReplyIsNotRemembered(t *testing.T) {
	s := serve(t, adapterstest.Refuses(strict, fails(400, "json_validate_failed", "Failed to generate JSON"), says(`{"Answer": "42"}`, "stop")))
	m := s.model(t, nil)
	for range 2 {
		_, err := m.Complete(t.Context(), adapterstest.Strict(t, "how much?", "Answer"))
		require.NoError(t, err)
	}
	assert.Equal(t, "strict,loose,strict,loose", forms(s.Sent()))
}

// An open schema is sent as not strict. A response says where it went into the prompt.
func TestOpenSchemasAreNotStrict(t *testing.T) {
	s := serve(t, adapterstest.Refuses("response_format", fails(400, "", "response_format is not supported"), says(`{"Answer": "42"}`, "stop")))
	m := s.model(t, nil)
	for range 2 {
		resp, err := m.Complete(t.Context(), adapterstest.Structured(t, "how much?"))
		require.NoError(t, err)
		assert.Equal(t, []llm.Repair{{Kind: repair.InPrompt, Count: 1}}, resp.Repairs)
	}
	assert.Contains(t, s.Sent()[0], `"strict":false`)
	assert.Equal(t, "loose,prompt,prompt", forms(s.Sent()))
}

// llama.cpp fails where a property is called $ref; OpenAI does not.
func TestReferencesAreSpeltForGrammars(t *testing.T) {
	for own, want := range map[bool]string{true: `"properties":{"$ref":{`, false: `"properties":{"$reference":{`} {
		s := serve(t, says(`{"Answer": "42"}`, "stop"))
		m := s.model(t, func(c *openai.Config) {
			if own {
				c.BaseURL, c.Options = openai.DefaultBaseURL, []option.RequestOption{option.WithBaseURL(s.URL + "/v1")}
			}
		})
		_, err := m.Complete(t.Context(), adapterstest.Strict(t, "how much?", "Answer"))
		require.NoError(t, err)
		assert.Contains(t, s.Sent()[0], want)
	}
}
