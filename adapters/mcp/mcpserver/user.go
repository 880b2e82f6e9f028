package mcpserver

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/adapters/mcp/internal/secretask"
	"github.com/agentfsm/agentfsm/people"
)

// User is a [people.User] that asks the person at the client whose call it is:
// that in whose context it is asked. So one User does for all calls, and each
// question goes where it belongs. It is the User of the host of [Config].Session,
// and what [Call].User is.
type User struct{}

// Names of what a form asks for.
const (
	fieldApprove = "approve"
	fieldReason  = "reason"
	fieldAnswer  = "answer"
)

// accepted is what a client says of a form that was filled in.
const accepted = "accept"

var (
	approval = json.RawMessage(`{"type": "object", "required": ["approve"], "properties": {
	"approve": {"type": "boolean", "title": "Do it?", "description": "Yes: exactly this is done. No: it is not."},
	"reason": {"type": "string", "title": "If not: why?", "description": "The agent is told."}}}`)
	answer = json.RawMessage(`{"type": "object", "required": ["answer"], "properties": {
	"answer": {"type": "string", "title": "Your answer", "description": "No passwords or other secrets."}}}`)
)

// Ask sends the question as a form. One that asks for approval is answered by yes or no;
// only a form that was accepted, and says yes, approves. Any other is answered in words.
// Who declines a form, or closes it, gives no answer and approves nothing.
//
// The error is [ErrNoCall], [ErrNoElicitation], [ErrSecret], the cause of ctx, or
// an [*ElicitError].
func (User) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	r := callOf(ctx)
	switch {
	case r == nil:
		return people.Answer{}, ErrNoCall
	case r.User == nil:
		return people.Answer{}, ErrNoElicitation
	case q.Command == nil && secretask.Asks(q.Text):
		return people.Answer{}, ErrSecret
	}
	ctx, done := r.within(ctx)
	defer done()
	form := &sdk.ElicitParams{Mode: "form", Message: message(q), RequestedSchema: answer}
	if q.Approval {
		form.RequestedSchema = approval
	}
	res, err := r.session.Elicit(ctx, form)
	switch {
	case ctx.Err() != nil:
		return people.Answer{}, context.Cause(ctx)
	case err != nil:
		return people.Answer{}, &ElicitError{Err: err}
	case res.Action != accepted:
		return people.Answer{}, nil
	}
	if q.Approval {
		yes, _ := res.Content[fieldApprove].(bool)
		why, _ := res.Content[fieldReason].(string)
		return people.Answer{Approved: yes, Text: why}, nil
	}
	text, _ := res.Content[fieldAnswer].(string)
	return people.Answer{Text: text}, nil
}

// within returns a context that ends with ctx and with the call, and has all that
// leads to the client of the call.
func (r *running) within(ctx context.Context) (context.Context, func()) {
	own, cancel := context.WithCancelCause(r.ctx)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return own, func() {
		stop()
		cancel(nil)
	}
}

// takesForms reports whether a client can be asked. One that names no kind of
// question takes forms, as all did before there were kinds.
func takesForms(c *sdk.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}
