package adk

import (
	"strings"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// reply puts together what an LLM yields: pieces that are marked as partial and
// then the whole, or the whole alone. Of several wholes it is all of them.
type reply struct {
	pieces, whole strings.Builder
	usage         llm.Usage
	model         string
	finish        genai.FinishReason
	failures      []failure
	got           bool // a response
	partial       bool // a piece
	ended         bool

	calls  []*genai.FunctionCall
	parts  []*genai.Part // of the whole
	signed bool          // one of them is
}

// failure is what a response says that is an error.
type failure struct{ code, message string }

func (r *reply) add(resp *model.LLMResponse) {
	if resp == nil {
		return
	}
	r.got = true
	into := &r.whole
	if resp.Partial {
		into, r.partial = &r.pieces, true
	}
	if resp.Content != nil {
		for _, part := range resp.Content.Parts {
			if part != nil && !part.Thought {
				into.WriteString(part.Text)
			}
		}
	}
	if resp.Content != nil && !resp.Partial {
		r.called(resp.Content.Parts)
	}
	if resp.UsageMetadata != nil { // each counts all that came before it
		r.usage = usage(resp.UsageMetadata)
	}
	if resp.ModelVersion != "" {
		r.model = resp.ModelVersion
	}
	if finishReason(resp.FinishReason) != "" {
		r.finish, r.ended = resp.FinishReason, true
	}
	// Some say of every piece that the turn is complete.
	if !resp.Partial && (resp.TurnComplete || resp.Content != nil && len(resp.Content.Parts) > 0) {
		r.ended = true
	}
	if code := resp.ErrorCode; code != string(genai.FinishReasonUnspecified) && (code != "" || resp.ErrorMessage != "") {
		r.failures = append(r.failures, failure{code, resp.ErrorMessage})
	}
	if resp.Interrupted {
		r.failures = append(r.failures, failure{"INTERRUPTED", "the model was interrupted"})
	}
}

// response returns the response, or an error and the usage.
func (r *reply) response(name string, req *llm.Request) (*llm.Response, error) {
	if !r.got {
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: name}
	}
	if r.model != "" {
		name = r.model
	}
	text := r.whole.String()
	if text == "" {
		text = r.pieces.String()
	}
	for _, f := range r.failures {
		// A reply without content has the reason for which it ended as its code, too:
		// llm.Complete says what that means. Any other code is an error, whatever came
		// with it.
		if f.code == "" || f.code != string(r.finish) {
			return r.spent(name), codeError(name, f.code, f.message)
		}
	}
	if r.partial && !r.ended {
		return r.spent(name), &llm.CallError{Kind: llm.ErrUnavailable, Model: name, Message: "the reply ended in the middle"}
	}
	resp := &llm.Response{Text: text, Usage: r.usage, Model: name, FinishReason: finishReason(r.finish)}
	resp.Calls, resp.Reasoning = r.callsOf(req)
	return resp, nil
}

// spent is what a call used that failed after it had begun to answer, or nil.
func (r *reply) spent(name string) *llm.Response {
	if r.usage == (llm.Usage{}) {
		return nil
	}
	if r.model != "" {
		name = r.model
	}
	return &llm.Response{Usage: r.usage, Model: name}
}

// usage counts thoughts as output. The total decides, because some models
// count them among the candidates' tokens and others beside them.
func usage(u *genai.GenerateContentResponseUsageMetadata) llm.Usage {
	input := int(u.PromptTokenCount) + int(u.ToolUsePromptTokenCount)
	output := int(u.TotalTokenCount) - input
	if output < int(u.CandidatesTokenCount) {
		output = int(u.CandidatesTokenCount) + int(u.ThoughtsTokenCount)
	}
	return adapters.Usage(llm.Usage{ // what is written into a cache is not counted
		InputTokens: input, OutputTokens: output, CacheReadTokens: int(u.CachedContentTokenCount), ReasoningTokens: int(u.ThoughtsTokenCount),
	})
}

// finishReason is the provider's word, or one that llm.Complete knows.
func finishReason(reason genai.FinishReason) string {
	switch reason {
	case genai.FinishReasonUnspecified:
		return ""
	case genai.FinishReasonImageProhibitedContent, genai.FinishReasonImageRecitation:
		return "content_filter"
	default:
		return string(reason)
	}
}
