package anthropic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// name is what errors of this package begin with.
const name = "anthropic"

type messagesModel struct {
	cfg      Config
	key      string
	messages sdk.MessageService
	forms    adapters.Forms
	tools    adapters.ToolForms
	uncached atomic.Bool // the server refuses to be told what to cache
}

// Format writes the model's name: it must not be a struct with a key, whoever prints it.
func (m *messagesModel) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, name+": "+m.cfg.Model)
}

// Complete asks the model once, and a second time where an output format was
// refused.
func (m *messagesModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
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
	forms := []adapters.Form{adapters.FormStrict, adapters.FormPrompt}
	fits := formatFits(schema)
	if m.cfg.SchemaInPrompt || !fits {
		forms = forms[1:]
	}
	resp, err := m.forms.Complete(schema, forms, func(form adapters.Form) (*llm.Response, adapters.FormatRefusal, error) {
		return m.ask(ctx, req, asked{inPrompt: form == adapters.FormPrompt})
	})
	if !fits && schema.Strict && !m.cfg.SchemaInPrompt {
		adapters.Note(resp, repair.InPrompt)
	}
	return resp, err
}

// ask sends the request, and once more where the server refuses to be told what to cache. That is remembered when the
// second request gets further: it is answered, or refused for something else.
func (m *messagesModel) ask(ctx context.Context, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	how.uncached = m.uncached.Load()
	resp, refusal, err := m.send(ctx, req, how)
	if refusal == adapters.CacheRefused && !how.uncached {
		how.uncached = true
		resp, refusal, err = m.send(ctx, req, how)
		if refusal != adapters.FormatTaken && refusal != adapters.CacheRefused || err == nil || errors.Is(err, llm.ErrRefused) {
			m.uncached.Store(true)
		}
	}
	if refusal == adapters.CacheRefused {
		refusal = adapters.FormatTaken
	}
	if how.uncached && err == nil && marked(req) {
		adapters.Note(resp, repair.NoCache)
	}
	return resp, refusal, err
}

// marked reports whether a request says what to cache.
func marked(req *llm.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p llm.Part) bool { return p.CacheBreakpoint })
	})
}

// send sends the request once.
func (m *messagesModel) send(ctx context.Context, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	params, err := m.params(req, how)
	if err != nil {
		return nil, adapters.FormatTaken, err
	}
	ask := adapters.Protocol{
		Name: name, Model: m.cfg.Model,
		Send: func(ctx context.Context) error {
			var body []byte // which the SDK takes whatever its media type is
			_, err := m.messages.New(ctx, params, option.WithResponseBodyInto(&body))
			return err
		},
		Reply:  func(body []byte) (*llm.Response, adapters.FormatRefusal, error) { return m.reply(body, req, how) },
		Failed: func(f *adapters.Failure) (*llm.Response, adapters.FormatRefusal, error) { return m.failed(f, req, how) },
	}
	return ask.Ask(ctx)
}
