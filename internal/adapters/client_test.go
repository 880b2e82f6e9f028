package adapters_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// speaker is a client whose protocol is the JSON of llm.Response. It remembers how it asked.
type speaker struct {
	adapters.Client
	asked []adapters.How
}

func speak(do func(r *http.Request, how adapters.How) (*http.Response, error)) *speaker {
	s := &speaker{}
	s.Client = adapters.Client{
		Name: "speaker", Model: "m", Key: key,
		How: func(*llm.Request) (wanted, first adapters.How) { return },
		Send: func(ctx context.Context, _ *llm.Request, how adapters.How) error {
			s.asked = append(s.asked, how)
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://host.test", nil)
			if err != nil {
				return err
			}
			answer, err := adapters.Keep(r, func(r *http.Request) (*http.Response, error) { return do(r, how) })
			if err != nil {
				return err
			}
			defer func() { _ = answer.Body.Close() }()
			_, err = io.ReadAll(answer.Body)
			return err
		},
		Read: func(body []byte, _ *llm.Request) *adapters.Reply {
			var r adapters.Reply
			if json.Unmarshal(body, &r.Response) != nil {
				r.Broken = "no JSON"
			}
			return &r
		},
	}
	return s
}

func answered(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(body)}
}

const good = `{"text": "hi", "usage": {"input_tokens": 7}}`

func ask() *llm.Request { return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "hello")}} }

// reader is a body that is a func.
type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestTransports(t *testing.T) {
	odd := errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer") // as HTTP/2 breaks
	for name, c := range map[string]struct {
		answer *http.Response
		err    error
		kind   error
	}{
		"stream that breaks": {answered(200, reader(func([]byte) (int, error) { return 0, odd })), nil, llm.ErrUnavailable},
		"no server":          {nil, &url.Error{URL: "http://host.test", Err: &net.OpError{Op: "dial", Err: io.EOF}}, llm.ErrUnavailable},
		"network":            {nil, &net.OpError{Op: "read", Err: io.EOF}, llm.ErrUnavailable},
		"end":                {nil, io.ErrUnexpectedEOF, llm.ErrUnavailable},
		"timeout":            {nil, os.ErrDeadlineExceeded, llm.ErrSlow},
		"client's timeout":   {nil, &url.Error{URL: "http://host.test", Err: context.DeadlineExceeded}, llm.ErrSlow},
		"unknown":            {nil, errors.New("no idea"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := speak(func(*http.Request, adapters.How) (*http.Response, error) { return c.answer, c.err }).Complete(t.Context(), ask())
			call, ok := errors.AsType[*llm.CallError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, c.kind, call.Kind)
			require.Error(t, call.Err)
			assert.NotContains(t, call.Error(), "host.test")
		})
	}
}

// A reply that comes after the call was given up was paid for.
func TestTooLate(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user left")
	s := speak(func(*http.Request, adapters.How) (*http.Response, error) {
		cancel(why)
		return answered(200, strings.NewReader(good)), nil
	})
	resp, err := s.Complete(ctx, ask())
	require.EqualError(t, err, "speaker: the call ended: context canceled: the user left")
	require.ErrorIs(t, err, why)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, &llm.Response{Model: "m", Usage: llm.Usage{InputTokens: 7}}, resp)

	_, err = s.Complete(ctx, ask())
	require.ErrorIs(t, err, why)
	assert.Len(t, s.asked, 1, "nothing is sent any more")
}

// Whoever prints a model does not print its key.
func TestPrintsNoKey(t *testing.T) {
	s := speak(nil)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		assert.Equal(t, "speaker: m", fmt.Sprintf(verb, &s.Client), verb)
	}
}

// What the server refuses is left out once more, and remembered if that helps.
func TestForms(t *testing.T) {
	open, closed, tooled, cached := ask(), ask(), ask(), ask()
	open.Schema = &llm.Schema{JSON: json.RawMessage(`{}`)}
	closed.Schema = &llm.Schema{JSON: json.RawMessage(`{}`), Strict: true}
	tooled.Tools = []llm.Tool{{Name: "click", Parameters: json.RawMessage(`{}`), Strict: json.RawMessage(`{}`)}}
	cached.Messages[0].Parts[0].CacheBreakpoint = true
	inPrompt := func(how adapters.How) bool { return how.Form < adapters.FormPrompt }
	strict := func(how adapters.How) bool { return how.Form < adapters.FormLoose }
	always := func(adapters.How) bool { return true }
	for name, c := range map[string]struct {
		req     *llm.Request
		words   string
		refuses func(adapters.How) bool
		asked   int // for two replies
		repair  string
	}{
		"taken":                {closed, "", func(adapters.How) bool { return false }, 2, ""},
		"any format":           {closed, "response_format is not supported", inPrompt, 4, repair.InPrompt},
		"any strict format":    {closed, "Unknown parameter: strict", strict, 3, repair.NotStrict},
		"this schema":          {closed, "Invalid schema for response_format 'answer'", strict, 3, repair.NotStrict},
		"an open schema":       {open, "Invalid schema for response_format 'answer'", inPrompt, 6, repair.InPrompt},
		"the reply":            {closed, `{"error": {"message": "Failed to generate JSON", "code": "json_validate_failed"}}`, strict, 4, repair.NotStrict},
		"JSONSchema":           {closed, "JSONSchema?", inPrompt, 4, repair.InPrompt},
		"in vain":              {closed, "json_schema is not supported, and nothing else is", always, 6, ""},
		"quota":                {closed, "No quota for json_schema", always, 2, ""},
		"no schema":            {ask(), "json_schema is not supported", always, 2, ""},
		"the closed tools":     {tooled, "Invalid schema for function 'click'", func(how adapters.How) bool { return !how.Open }, 3, repair.NotStrict},
		"a forced call":        {tooled, "Unknown parameter: tool_choice", func(how adapters.How) bool { return !how.Auto }, 3, repair.NotForced},
		"tools":                {tooled, "this model does not support tools", always, 2, ""},
		"caching":              {cached, "cache_control: Extra inputs are not permitted", func(how adapters.How) bool { return !how.Uncached }, 3, repair.NoCache},
		"caching, in vain":     {cached, "cache_control: whatever you send", always, 4, ""},
		"nothing to be cached": {ask(), "cache_control: whatever you send", always, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := speak(func(_ *http.Request, how adapters.How) (*http.Response, error) {
				if c.refuses(how) {
					return answered(400, strings.NewReader(c.words)), nil
				}
				return answered(200, strings.NewReader(good)), nil
			})
			for range 2 {
				resp, err := s.Complete(t.Context(), c.req)
				if c.refuses(adapters.How{Form: adapters.FormPrompt, Open: true, Auto: true, Uncached: true}) {
					require.ErrorIs(t, err, llm.ErrRejected)
					continue
				}
				require.NoError(t, err)
				var want []llm.Repair
				if c.repair != "" {
					want = []llm.Repair{{Kind: c.repair, Count: 1}}
				}
				assert.Equal(t, want, resp.Repairs)
			}
			assert.Len(t, s.asked, c.asked)
		})
	}
}

// A model that would not answer was asked all the same: the form that it was asked in is remembered.
func TestRefusalBehindARefusedForm(t *testing.T) {
	s := speak(func(_ *http.Request, how adapters.How) (*http.Response, error) {
		if how.Form < adapters.FormPrompt {
			return answered(400, strings.NewReader("response_format is not supported")), nil
		}
		return answered(400, strings.NewReader(`{"error": {"message": "no", "code": "content_filter"}}`)), nil
	})
	req := ask()
	req.Schema = &llm.Schema{JSON: json.RawMessage(`{}`), Strict: true}
	for range 2 {
		_, err := s.Complete(t.Context(), req)
		require.ErrorIs(t, err, llm.ErrRefused)
	}
	assert.Len(t, s.asked, 4)
}

// The words are those of servers.
func TestWordsOfRefusals(t *testing.T) {
	const anyFormat, thisSchema = 4, 6 // of two requests with two schemas: strict, loose, in the prompt
	for asked, bodies := range map[int][]string{
		anyFormat: {
			"This response_format type is unavailable now", "structured outputs are not implemented", "'parrot' does not support output format.",
			"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
			"No endpoints found that support the requested response format.", "output_config: Extra inputs are not permitted",
			`{"detail": "json_schema: extra fields not permitted"}`, `{"error": {"message": "Unsupported value", "param": "response_format"}}`,
			`{"detail": [{"type": "extra_forbidden", "loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]}`,
		},
		thisSchema: {
			"invalid JSON schema for response_format: 'answer': /properties/Note", "JSON schema conversion failed: Unrecognized schema",
			"Failed to initialize samplers: failed to parse grammar", "The compiled grammar is too large.", "Schema is too complex.",
			"The specified schema produces a constraint that has too many states for serving.",
			"Schemas contains too many parameters with union types", "output_config.format.schema: Invalid type 'bool'",
			"output_format.schema: For 'object' type, something is wrong",
		},
	} {
		for _, body := range bodies {
			s := speak(func(_ *http.Request, how adapters.How) (*http.Response, error) {
				if how.Form < adapters.FormPrompt {
					return answered(422, strings.NewReader(body)), nil
				}
				return answered(200, strings.NewReader(good)), nil
			})
			for _, schema := range []string{`{}`, `true`} {
				req := ask()
				req.Schema = &llm.Schema{JSON: json.RawMessage(schema), Strict: true}
				_, err := s.Complete(t.Context(), req)
				require.NoError(t, err)
			}
			assert.Len(t, s.asked, asked, body)
		}
	}
}
