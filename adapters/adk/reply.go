package adk

import (
	"cmp"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// reply puts together what an LLM yields: the whole, or several that are one. Pieces of a whole are passed over.
type reply struct {
	llm.Response
	got      bool
	parts    []*genai.Part
	finish   genai.FinishReason
	failures []failure
}

// failure is what a response says that is an error.
type failure struct{ code, message string }

func (r *reply) add(resp *model.LLMResponse) {
	if resp == nil {
		return
	}
	r.got = true
	if resp.Content != nil && !resp.Partial {
		for _, part := range resp.Content.Parts {
			if part == nil {
				continue
			}
			r.parts = append(r.parts, part)
			if !part.Thought {
				r.Text += part.Text
			}
		}
	}
	if resp.UsageMetadata != nil { // each counts all that came before it
		r.Usage = usage(resp.UsageMetadata)
	}
	r.Model = cmp.Or(resp.ModelVersion, r.Model)
	if reason := finishReason(resp.FinishReason); reason != "" {
		r.finish, r.FinishReason = resp.FinishReason, reason
	}
	if code := resp.ErrorCode; code != string(genai.FinishReasonUnspecified) && (code != "" || resp.ErrorMessage != "") {
		r.failures = append(r.failures, failure{code, resp.ErrorMessage})
	}
	if resp.Interrupted {
		r.failures = append(r.failures, failure{"INTERRUPTED", "the model was interrupted"})
	}
}

// response returns the response, or an error and the usage.
func (r *reply) response(req *llm.Request) (*llm.Response, error) {
	if !r.got {
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: r.Model}
	}
	for _, f := range r.failures {
		// A reply without content has the reason for which it ended as its code, too:
		// llm.Complete says what that means. Any other code is an error, whatever came
		// with it.
		if f.code == "" || f.code != string(r.finish) {
			return adapters.Spent(&r.Response), codeError(r.Model, f.code, f.message)
		}
	}
	r.readCalls(req)
	return &r.Response, nil
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
