package deciding

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// call asks the model. A reply that came but was empty, cut by length or malformed is
// unusable and to be fed back, like one that cannot be read.
func (in *Inquiry[T]) call(ctx context.Context, req *llm.Request) (reply *llm.Response, unusable, err error) {
	reply, err = llm.Complete(ctx, in.Model, req)
	if reply == nil {
		reply = &llm.Response{}
	}
	if len(reply.Repairs) > 0 {
		if sink := trace.From(ctx); sink.Timed() {
			sink.Repaired(reply.Repairs)
		}
	}
	last := attempts.Last(err)
	if errors.Is(last, llm.ErrEmpty) || errors.Is(last, llm.ErrCut) || errors.Is(last, llm.ErrMalformed) {
		return reply, err, nil
	}
	return reply, nil, err
}

// refusal tells the model what was wrong. Its own words are fenced like
// everything else that nobody vouches for.
func (in *Inquiry[T]) refusal(again, reply string, problem error) (string, error) {
	reason := problem.Error()
	switch unclear, ok := errors.AsType[*llm.DecodeError](problem); {
	case ok:
		reason = unclear.Reason
	case errors.Is(problem, llm.ErrCut):
		reason = "the reply was too long and was cut: write a shorter one"
		if in.MaxTokens > 0 {
			reason = fmt.Sprintf("the reply was too long and was cut: it can have %d tokens", in.MaxTokens)
		}
	case errors.Is(problem, llm.ErrMalformed):
		reason = "the provider could not use the reply, which is malformed: write it again, as valid JSON"
		if in.Tools != nil {
			reason = "the provider could not use the reply, which is malformed: call your tools by their names, with arguments that are one JSON object"
		}
	case errors.Is(problem, llm.ErrEmpty):
		reason = "the reply is empty"
	}
	var sections []llm.Section
	if reply != "" || in.Tools == nil {
		sections = append(sections, llm.Section{Name: "refused_reply", Value: clip.Text(reply, promptsize.Reply)})
	}
	sections = append(sections, llm.Section{Name: "last_error", Value: clip.Text(legible.Plain(reason), promptsize.Reason)})
	if in.Allowed != nil {
		sections = append(sections, llm.Section{Name: allowedStatuses, Value: in.offered()})
	}
	text, err := llm.Prompt(sections...)
	if err != nil {
		return "", err
	}
	return "Your last reply was refused. " + again + "\n\n" + text, nil
}
