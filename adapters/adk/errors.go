package adk

import (
	"errors"
	"strconv"
	"time"

	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/llm"
)

// apiError is the error of the SDK of the ADK's own models, nil for another one.
func apiError(err error) *llm.CallError {
	api, ok := errors.AsType[genai.APIError](err)
	if at, is := errors.AsType[*genai.APIError](err); is && at != nil {
		api, ok = *at, true
	}
	if !ok {
		return nil
	}
	return llm.StatusError(api.Code, retryDelay(api.Details), api.Message)
}

// retryDelay finds google.rpc.RetryInfo among the details of an error.
func retryDelay(details []map[string]any) time.Duration {
	for _, detail := range details {
		if text, ok := detail["retryDelay"].(string); ok {
			if wait, err := time.ParseDuration(text); err == nil {
				return max(0, wait)
			}
		}
	}
	return 0
}

// codeError is the error of a response that says that it is one: the status of
// HTTP, or why a prompt was blocked.
func codeError(name, code, message string) *llm.CallError {
	call := &llm.CallError{}
	status, err := strconv.Atoi(code)
	switch {
	case err == nil && status >= 400 && status < 600:
		call = llm.StatusError(status, 0, "")
	case blocked(code):
		call.Kind = llm.ErrRefused
	}
	call.Model, call.Message = name, code
	switch {
	case code == "":
		call.Message = message
	case message != "":
		call.Message += ": " + message
	}
	return call
}

func blocked(code string) bool {
	switch genai.BlockedReason(code) {
	case genai.BlockedReasonSafety, genai.BlockedReasonBlocklist, genai.BlockedReasonProhibitedContent, genai.BlockedReasonImageSafety,
		genai.BlockedReasonModelArmor, genai.BlockedReasonJailbreak, genai.BlockedReasonOther, genai.BlockedReasonUnspecified:
		return true
	default:
		return false
	}
}
