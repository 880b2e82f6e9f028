package adk

import (
	"strings"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/llm"
)

// reply puts together what an LLM yields: pieces that are marked as partial and
// then the whole, or the whole alone. Of several wholes it is all of them.
type reply struct {
	pieces, whole strings.Builder
	usage         llm.Usage
	model         string
	finish        string
	code, message string // of a response that is an error
	got           bool
}

func (r *reply) add(resp *model.LLMResponse) {
	if resp == nil {
		return
	}
	r.got = true
	into := &r.whole
	if resp.Partial {
		into = &r.pieces
	}
	if resp.Content != nil {
		for _, part := range resp.Content.Parts {
			if part != nil && !part.Thought {
				into.WriteString(part.Text)
			}
		}
	}
	if resp.UsageMetadata != nil { // each counts all that came before it
		r.usage = usage(resp.UsageMetadata)
	}
	if resp.ModelVersion != "" {
		r.model = resp.ModelVersion
	}
	if resp.FinishReason != "" {
		r.finish = finishReason(resp.FinishReason)
	}
	if resp.ErrorCode != "" {
		r.code, r.message = resp.ErrorCode, resp.ErrorMessage
	}
	if resp.Interrupted && r.code == "" {
		r.code, r.message = "INTERRUPTED", "the model was interrupted"
	}
}

// response is what came of it. A response that says why it failed is returned
// with its error, so that its tokens count.
func (r *reply) response(name string) (*llm.Response, error) {
	if !r.got {
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: name}
	}
	text := r.whole.String()
	if text == "" {
		text = r.pieces.String()
	}
	resp := &llm.Response{Text: text, Usage: r.usage, Model: r.model, FinishReason: r.finish}
	if resp.Model == "" {
		resp.Model = name
	}
	// A reply without content has the reason for which it ended as its code, too:
	// llm.Complete says what that means.
	if r.finish == "" && r.code != "" {
		return resp, codeError(resp.Model, r.code, r.message)
	}
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
	return llm.Usage{InputTokens: input, OutputTokens: output}
}

// finishReason is the provider's word, or one that llm.ParseFinish knows.
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
