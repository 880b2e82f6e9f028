package llm

import "strings"

// finish says why a model stopped, in the words of this package.
type finish string

// Why a model stops. Any other reason is finishOther: a call of a tool, a word
// that no provider had when this was written, or none.
const (
	finishOther   finish = ""
	finishStop    finish = "stop"    // it had said what it wanted to say
	finishLength  finish = "length"  // the reply is not whole: it, or the whole context, became too long, or it was to go on
	finishRefusal finish = "refusal" // it would not, or a filter stopped it
)

// parseFinish returns what a provider's reason means, in any case, with dashes or
// underscores. It knows the words of OpenAI, Anthropic, Google, Amazon Bedrock,
// Mistral, Cohere, Ollama and the servers that speak like one of them. An unknown
// word is [finishOther]: nothing is guessed.
func parseFinish(reason string) finish {
	switch finish(reason) { // mostly there is nothing to fold
	case finishOther, finishStop, finishLength, finishRefusal:
		return finish(reason)
	}
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(reason)), "-", "_") {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed":
		return finishStop
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "error_limit", "pause_turn":
		return finishLength
	case "refusal", "content_filter", "content_filtered", "guardrail_intervened", "error_toxic",
		"safety", "image_safety", "recitation", "blocklist", "prohibited_content", "spii":
		return finishRefusal
	}
	return finishOther
}

// checked turns a response that is no reply into the error that says so. The
// response stays with it, for what the call used.
func checked(resp *Response, err error) (*Response, error) {
	if err != nil {
		return resp, err
	}
	if resp == nil {
		return nil, ErrNoResponse
	}
	var kind error
	switch why := parseFinish(resp.FinishReason); {
	case why == finishRefusal:
		kind = ErrRefused
	case why == finishLength: // also when it is empty: all of it went into thinking
		kind = ErrCut
	case len(resp.Calls) == 0 && strings.TrimSpace(resp.Text) == "":
		kind = ErrEmpty
	default:
		return resp, nil
	}
	broken := &CallError{Kind: kind, Model: resp.Model}
	if resp.FinishReason != "" {
		broken.Message = "finish reason " + resp.FinishReason
	}
	return resp, broken
}
