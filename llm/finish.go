package llm

import (
	"slices"
	"strings"
)

// finish says why a model stopped, in the words of this package.
type finish string

// Why a model stops. Any other reason is finishOther: a call of a tool, a word
// that names no fault, or none.
const (
	finishOther     finish = ""
	finishStop      finish = "stop"      // it had said what it wanted to say
	finishLength    finish = "length"    // the reply is not whole: it, or the whole context, became too long, or it was to go on
	finishRefusal   finish = "refusal"   // it would not, or a filter stopped it
	finishMalformed finish = "malformed" // the provider could not use what the model wrote
	finishBroken    finish = "broken"    // the generation broke off
)

// faults are pieces of words that name a fault, in the order in which they are looked for: TOXIC counts
// before ERROR in ERROR_TOXIC.
var faults = []struct {
	means  finish
	pieces []string
}{
	{finishRefusal, []string{"refus", "filter", "safety", "sensitive", "toxic", "guardrail", "recitation", "block", "prohibited", "spii",
		"inspection", "moderat", "violat", "flagged"}},
	{finishMalformed, []string{"malform", "unexpected", "invalid", "missing", "too_many", "tool_use_failed", "parse"}},
	{finishBroken, []string{"error", "fail", "abort", "cancel", "timeout", "timed_out", "network", "interrupt", "insufficient", "unavailable"}},
}

// parseFinish returns what a provider's reason means, in any case, with dashes or
// underscores. It knows the words of OpenAI, Anthropic, Google, Amazon Bedrock,
// Mistral, Cohere, Ollama and the servers that speak like one of them. Of an unknown
// word it knows whether it names a fault; any other one is [finishOther].
func parseFinish(reason string) finish {
	if known := finish(reason); known == finishOther || known == finishStop { // mostly there is nothing to fold
		return known
	}
	word := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(reason)), "-", "_")
	switch word {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed":
		return finishStop
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "error_limit", "pause_turn", "incomplete":
		return finishLength
	}
	for _, fault := range faults {
		if slices.ContainsFunc(fault.pieces, func(piece string) bool { return strings.Contains(word, piece) }) {
			return fault.means
		}
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
	case why == finishMalformed:
		kind = ErrMalformed
	case why == finishBroken: // what came may look whole
		kind = ErrUnavailable
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
