package anthropic

import (
	"context"
	"encoding/base64"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// protocol is how a model is asked.
type protocol struct {
	model          string
	maxTokens      int
	schemaInPrompt bool
	messages       sdk.MessageService
}

// how forgoes at first what the protocol would refuse of the schemas.
func (p *protocol) how(req *llm.Request) (wanted, first adapters.How) {
	wanted.Form = adapters.FormLoose // a format is strict by itself
	fits := formatFits(req.Schema)
	if p.schemaInPrompt || !fits && !req.Schema.Strict {
		wanted.Form = adapters.FormPrompt
	}
	first = wanted
	if !fits {
		first.Form = adapters.FormPrompt
	}
	first.Open = !toolsFit(req.Tools)
	return wanted, first
}

func (p *protocol) send(ctx context.Context, req *llm.Request, how adapters.How) error {
	params, err := p.params(req, how)
	if err != nil {
		return err
	}
	var body []byte // which the SDK takes whatever its media type is
	_, err = p.messages.New(ctx, params, option.WithResponseBodyInto(&body))
	return err
}

// params writes a request in the words of the protocol.
func (p *protocol) params(req *llm.Request, how adapters.How) (sdk.MessageNewParams, error) {
	out := sdk.MessageNewParams{Model: p.model, MaxTokens: int64(p.maxTokens)}
	schema := req.Schema
	var system []sdk.ContentBlockParamUnion
	for i := range req.Messages {
		said := &req.Messages[i]
		if said.Role != llm.System {
			out.Messages = add(out.Messages, said)
			continue
		}
		system = addTexts(system, said.Parts)
	}
	if len(out.Messages) == 0 {
		return out, adapters.Rejected(p.model, "there is nothing to ask: the protocol wants a message of the user")
	}
	switch {
	case schema == nil:
	case how.Form == adapters.FormPrompt:
		system = addTexts(system, []llm.Part{{Text: adapters.SchemaPrompt(schema)}})
	default:
		out.OutputConfig.Format = outputFormat(schema)
	}
	for _, b := range system {
		out.System = append(out.System, *b.OfText)
	}
	if len(req.Tools) > 0 {
		out.Tools = tools(req, !how.Open)
		if !how.Auto { // auto is what servers do by themselves
			out.ToolChoice.OfAny = &sdk.ToolChoiceAnyParam{}
		}
	}
	fewBreakpoints(&out, how.Uncached)
	if req.MaxTokens > 0 {
		out.MaxTokens = int64(req.MaxTokens)
	}
	if req.Temperature != nil {
		out.Temperature = sdk.Float(*req.Temperature)
	}
	return out, nil
}

// add adds a message, to the last one where that is of the same role: some servers
// want the roles to alternate.
func add(to []sdk.MessageParam, message *llm.Message) []sdk.MessageParam {
	role := sdk.MessageParamRole(message.Role)
	if message.Role == llm.ToolResult {
		role = sdk.MessageParamRoleUser
	}
	var blocks []sdk.ContentBlockParamUnion
	last := len(to) - 1
	if last >= 0 && to[last].Role == role {
		blocks, to = to[last].Content, to[:last]
	}
	if message.Role == llm.ToolResult {
		return append(to, sdk.MessageParam{Role: role, Content: append(blocks, result(message))})
	}
	blocks = append(blocks, thoughts(message)...)
	var texts []llm.Part
	for _, part := range message.Parts {
		if part.Image == nil {
			texts = append(texts, part)
			continue
		}
		blocks, texts = addTexts(blocks, append(texts, llm.Part{Text: part.Text})), nil
		image := sdk.NewImageBlockBase64(adapters.MediaType(part.Image), base64.StdEncoding.EncodeToString(part.Image.Data))
		if part.CacheBreakpoint {
			*image.GetCacheControl() = sdk.NewCacheControlEphemeralParam()
		}
		blocks = append(blocks, image)
	}
	blocks = addTexts(blocks, texts)
	blocks = append(blocks, uses(message)...)
	if len(blocks) == 0 { // servers refuse a message of nothing
		return to
	}
	return append(to, sdk.MessageParam{Role: role, Content: blocks})
}

// outputFormat has the schema as JSON: in the SDK's map its properties would lose
// their order. The protocol has no place for its name and description.
func outputFormat(s *llm.Schema) sdk.JSONOutputFormatParam {
	return param.Override[sdk.JSONOutputFormatParam](struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}{"json_schema", s.JSON})
}
