package chatserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentfsm/agentfsm/llm"
)

// chatRequest is a request as the protocol has it. What stands here and is not
// looked at has no meaning to rules, such as the temperature.
type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Format   *format       `json:"response_format"`

	MaxCompletionTokens *int `json:"max_completion_tokens"`
	MaxTokens           *int `json:"max_tokens"`
	N                   *int `json:"n"`
	Stream              bool `json:"stream"`

	Temperature      *float64        `json:"temperature"`
	TopP             *float64        `json:"top_p"`
	FrequencyPenalty *float64        `json:"frequency_penalty"`
	PresencePenalty  *float64        `json:"presence_penalty"`
	Seed             *int64          `json:"seed"`
	User             string          `json:"user"`
	Store            bool            `json:"store"`
	Metadata         json.RawMessage `json:"metadata"`
	ReasoningEffort  string          `json:"reasoning_effort"`
	ServiceTier      string          `json:"service_tier"`
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Name    string          `json:"name"`
	Refusal json.RawMessage `json:"refusal"`
}

type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Image json.RawMessage `json:"image_url"`
}

type format struct {
	Type   string `json:"type"`
	Schema *struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Strict      *bool           `json:"strict"`
		Schema      json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// chatResponse is a completion as the protocol has it.
type chatResponse struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      said    `json:"message"`
	Logprobs     *string `json:"logprobs"`
	FinishReason string  `json:"finish_reason"`
}

type said struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Refusal *string `json:"refusal"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// fault is an error as the protocol has it.
type fault struct {
	status  int
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func invalid(param, text string, args ...any) *fault {
	f := &fault{status: 400, Message: fmt.Sprintf(text, args...), Type: "invalid_request_error"}
	if param != "" {
		f.Param = &param
	}
	return f
}

func (f *fault) coded(status int, code string) *fault {
	f.status, f.Code = status, &code
	return f
}

var roles = []string{"system", "developer", "user", "assistant"}

var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// parse reads a request and checks what the protocol says of it.
func parse(body []byte, model string) (*chatRequest, *fault) {
	var r chatRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return nil, invalid("", "We could not parse the JSON body of your request: %v", err)
	}
	if decoder.More() {
		return nil, invalid("", "We could not parse the JSON body of your request: something follows it")
	}
	switch {
	case r.Model == "":
		return nil, invalid("model", "you must provide a model parameter")
	case r.Model != model:
		return nil, invalid("model", "The model %q does not exist", r.Model).coded(404, "model_not_found")
	case len(r.Messages) == 0:
		return nil, invalid("messages", "messages must have at least one message")
	case r.Stream:
		return nil, invalid("stream", "this model does not stream").coded(400, "unsupported_value")
	case r.N != nil && *r.N != 1:
		return nil, invalid("n", "this model makes one choice").coded(400, "unsupported_value")
	case r.limit() < 0, r.MaxTokens != nil && r.MaxCompletionTokens != nil:
		return nil, invalid("max_completion_tokens", "give one limit of at least 1")
	}
	for i, m := range r.Messages {
		if !slices.Contains(roles, m.Role) {
			return nil, invalid(fmt.Sprintf("messages[%d].role", i), "invalid value: %q; supported are %s", m.Role, strings.Join(roles, ", "))
		}
		if _, problem := m.text(); problem != "" {
			return nil, invalid(fmt.Sprintf("messages[%d].content", i), "%s", problem)
		}
	}
	return &r, r.Format.check()
}

func (f *format) check() *fault {
	switch {
	case f == nil, f.Type == "text", f.Type == "json_object":
		return nil
	case f.Type != "json_schema":
		return invalid("response_format.type", "invalid value: %q; supported are text, json_object, json_schema", f.Type)
	case f.Schema == nil:
		return invalid("response_format.json_schema", "missing required parameter")
	case !schemaName.MatchString(f.Schema.Name):
		return invalid("response_format.json_schema.name", "a name has up to 64 of a-z, A-Z, 0-9, _ and -")
	case f.Schema.Strict != nil && *f.Schema.Strict:
		return invalid("response_format.json_schema.strict", "this model is not strict").coded(400, "unsupported_value")
	}
	if _, err := f.resolve(); err != nil {
		return invalid("response_format.json_schema.schema", "Invalid schema for response_format %q: %v", f.Schema.Name, err)
	}
	return nil
}

// resolve returns what checks a reply, or nil where anything will do.
func (f *format) resolve() (*jsonschema.Resolved, error) {
	if f == nil || f.Schema == nil {
		return nil, nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(f.Schema.Schema, &schema); err != nil {
		return nil, err
	}
	if schema.Type != "object" {
		return nil, fmt.Errorf("schema must be a JSON Schema of type object")
	}
	return schema.Resolve(nil)
}

// limit is how many tokens a reply may have: 0 any, -1 a limit that is none.
func (r *chatRequest) limit() int {
	for _, given := range []*int{r.MaxCompletionTokens, r.MaxTokens} {
		if given != nil {
			if *given < 1 {
				return -1
			}
			return *given
		}
	}
	return 0
}

// text is what a message says, without its images, or what is wrong with it.
func (m *chatMessage) text() (text, problem string) {
	if json.Unmarshal(m.Content, &text) == nil {
		return text, ""
	}
	var parts []part
	if err := json.Unmarshal(m.Content, &parts); err != nil || len(parts) == 0 {
		return "", "content is a string or a list of parts"
	}
	var texts []string
	for _, p := range parts {
		switch {
		case p.Type == "text":
			texts = append(texts, p.Text)
		case p.Type == "image_url" && m.Role == "user" && len(p.Image) > 0: // rules see nothing in it
		default:
			return "", fmt.Sprintf("a part of the type %q is not supported here", p.Type)
		}
	}
	return strings.Join(texts, "\n\n"), ""
}

// prompt is the request as agents have made it, so that its sections can be read.
func (r *chatRequest) prompt() *llm.Request {
	req := &llm.Request{}
	for _, m := range r.Messages {
		text, _ := m.text()
		role := llm.User
		switch m.Role {
		case "system", "developer":
			role = llm.System
		case "assistant":
			role = llm.Assistant
		}
		req.Messages = append(req.Messages, llm.Message{Role: role, Parts: []llm.Part{{Text: text}}})
	}
	return req
}
