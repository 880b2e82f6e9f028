package deciding

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// call asks the model. A reply that came but was empty, or cut by length, is
// unusable and to be fed back, like one that cannot be read.
func (in *Inquiry[T]) call(ctx context.Context, req *llm.Request) (reply string, unusable, err error) {
	resp, err := llm.Complete(ctx, in.Model, req)
	if resp != nil {
		reply = resp.Text
	}
	last := attempts.Last(err)
	if errors.Is(last, llm.ErrEmpty) || errors.Is(last, llm.ErrCut) {
		return reply, err, nil
	}
	return reply, nil, err
}

// refusal tells the model what was wrong. Its own words are fenced like
// everything else that nobody vouches for.
func (in *Inquiry[T]) refusal(reply string, problem error) (llm.Message, error) {
	reason := problem.Error()
	switch unclear, ok := errors.AsType[*llm.DecodeError](problem); {
	case ok:
		reason = unclear.Reason
	case errors.Is(problem, llm.ErrCut):
		reason = "the reply was cut by length; be shorter"
		if in.MaxTokens > 0 {
			reason += fmt.Sprintf(": it can have %d tokens", in.MaxTokens)
		}
	case errors.Is(problem, llm.ErrEmpty):
		reason = "the reply is empty"
	}
	sections := []llm.Section{
		{Name: "refused_reply", Value: clip.Text(reply, promptsize.Reply)},
		{Name: "last_error", Value: clip.Text(legible.Plain(reason), promptsize.Reason)},
	}
	if in.Allowed != nil {
		sections = append(sections, llm.Section{Name: allowedStatuses, Value: in.offered()})
	}
	text, err := llm.Prompt(sections...)
	if err != nil {
		return llm.Message{}, err
	}
	return llm.Text(llm.User, "Your last reply could not be used. Reply again with one JSON object that fits the schema.\n\n"+text), nil
}
