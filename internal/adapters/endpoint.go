package adapters

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// Endpoint is where a model is, and the key for it.
type Endpoint struct{ Base, Key string }

// Fill takes from the environment what is empty. The key of the environment goes to the server of the environment and to
// no other. Only the server that is asked by default, own, requires a key. The error says what is wrong.
func (e *Endpoint) Fill(model, prefix, own string, endings ...string) error {
	e.Base, e.Key = strings.TrimSpace(e.Base), strings.TrimSpace(e.Key)
	if e.Base == "" {
		e.Base = strings.TrimSpace(os.Getenv(prefix + "_BASE_URL"))
		e.Key = cmp.Or(e.Key, strings.TrimSpace(os.Getenv(prefix+"_API_KEY")))
	}
	e.Base = strings.TrimRight(cmp.Or(e.Base, own), "/")
	switch {
	case model == "":
		return errors.New("there is no model name")
	case !ValidBase(e.Base):
		return errors.New("the base URL must be http or https with a host, and without user, query and fragment")
	case e.Key == "" && e.Base == own:
		return fmt.Errorf("there is no API key: set Config.APIKey or %s_API_KEY", prefix)
	case !ValidKey(e.Key):
		return errors.New("the API key has a control character")
	}
	for _, ending := range endings {
		if strings.HasSuffix(e.Base, ending) {
			return fmt.Errorf("the base URL must not end in %s, which is added to it", strings.Join(endings, " or "))
		}
	}
	return nil
}

// Refuse returns the error of a call that is not made, nil for another one: its context is done, or no adapter can say
// its request.
func Refuse(ctx context.Context, name, model string, req *llm.Request) error {
	if ctx.Err() != nil {
		return Ended(ctx, name)
	}
	if problem := WrongRequest(req); problem != "" {
		return Rejected(model, problem)
	}
	return nil
}

// WrongRequest says what of a request no protocol can say, or nothing.
func WrongRequest(req *llm.Request) string {
	switch {
	case req == nil:
		return "there is no request"
	case req.Schema != nil && !json.Valid(req.Schema.JSON):
		return "the schema is not JSON"
	}
	if problem := WrongTools(req); problem != "" {
		return problem
	}
	for i := range req.Messages {
		if problem := wrongMessage(&req.Messages[i]); problem != "" {
			return fmt.Sprintf("message %d %s", i+1, problem)
		}
	}
	return ""
}

func wrongMessage(message *llm.Message) string {
	switch message.Role {
	case llm.System, llm.User, llm.Assistant, llm.ToolResult:
	default:
		return fmt.Sprintf("has the unknown role %q", message.Role)
	}
	for _, part := range message.Parts {
		switch {
		case part.Image == nil:
		case len(part.Image.Data) == 0:
			return "has an image without data"
		case MediaType(part.Image) == "":
			return "has an image that is none"
		case message.Role != llm.User:
			return fmt.Sprintf("has an image, which the protocol allows of a user and not of %q", message.Role)
		}
	}
	return ""
}

// Rejected is the error of a request that was not sent.
func Rejected(model, problem string) error {
	return &llm.CallError{Kind: llm.ErrRejected, Model: model, Message: problem}
}
