package openai

import (
	"context"
	"fmt"
	"io"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// name is what errors of this package begin with.
const name = "openai"

type chatModel struct {
	cfg   Config
	key   string
	path  string // of the base URL, where that is unusual
	chat  sdk.ChatCompletionService
	own   bool // the server is OpenAI's
	forms adapters.Forms
	tools adapters.ToolForms
}

// Format writes the model's name: it must not be a struct with a key, whoever prints it.
func (m *chatModel) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, name+": "+m.cfg.Model) }

// Complete asks the model once, and again where the form of the schema was refused.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, adapters.Ended(ctx, name)
	}
	if req != nil && len(req.Tools) > 0 {
		return m.withTools(ctx, req)
	}
	var schema *llm.Schema
	if req != nil {
		schema = req.Schema
	}
	forms := []adapters.Form{adapters.FormStrict, adapters.FormLoose, adapters.FormPrompt}
	switch {
	case m.cfg.SchemaInPrompt:
		forms = forms[2:]
	case schema == nil || !schema.Strict:
		forms = forms[1:]
	}
	return m.forms.Complete(schema, forms, func(form adapters.Form) (*llm.Response, adapters.FormatRefusal, error) {
		return m.ask(ctx, req, asked{form: form})
	})
}

// ask sends the request once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	params, err := m.params(req, how)
	if err != nil {
		return nil, adapters.FormatTaken, err
	}
	ask := adapters.Protocol{
		Name: name, Model: m.cfg.Model,
		Send: func(ctx context.Context) error {
			var body []byte // which the SDK takes whatever its media type is
			_, err := m.chat.New(ctx, params, option.WithResponseBodyInto(&body))
			return err
		},
		Reply:  func(body []byte) (*llm.Response, adapters.FormatRefusal, error) { return m.reply(body, req, how) },
		Failed: func(f *adapters.Failure) (*llm.Response, adapters.FormatRefusal, error) { return m.failed(f, req, how) },
	}
	return ask.Ask(ctx)
}
