package deciding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrReply says that a model gave no usable reply in all its attempts. What was wrong with the
// last one is wrapped, too.
var ErrReply = errors.New("deciding: no usable reply")

// allowedStatuses is the section that says what a reply's Status may be.
const allowedStatuses = "allowed_statuses"

// Inquiry is one question to a model that must be answered with a T.
type Inquiry[T any] struct {
	Model    llm.Model
	Messages []llm.Message // the prompt
	// Sections are one more message of the prompt, the last one, as [llm.Prompt]
	// writes them, with allowed_statuses at the end.
	Sections []llm.Section
	// Allowed are the statuses that the reply's Status may have, usually
	// [Allowed](agent). They restrict the schema and the check. Nil: T has no
	// status, or any will do. An empty list that is not nil is an error.
	Allowed []fsm.Status
	// Offered are the statuses of Allowed that can work now. The model reads only of these.
	// When it writes another one of Allowed, Ask takes that, too. Nil: Allowed. An empty list
	// that is not nil is an error, and so is a status that Allowed does not have.
	Offered []fsm.Status
	// Schema is what the model is asked for instead of the schema of T, such as a closed one.
	// The decision is checked against that of T. It is not changed. Nil: that of T.
	Schema *llm.Schema
	// Seen gets every reply that could be read into a T, before it is checked. It gets refused
	// replies, too: they stay in the prompt, and the model may speak of them later. Agents
	// call acting.Announce in it. It must change nothing.
	Seen func(ctx context.Context, decision T)
	// Arrange brings a decision into the form that the checks expect, such as a
	// status that models write somewhere else. The model reads its error, as it does that of
	// Check. It runs before Seen, and before anything is checked.
	Arrange func(decision *T) error
	// Check says what else is wrong with a decision. The model reads its error. A check that
	// may be mistaken returns its error only once, and takes what the model says then.
	Check func(decision T) error
	// MaxReasks is how often the model is asked again (0: 3, negative: until a
	// bound of the Round stops it).
	MaxReasks   int
	MaxTokens   int      // of a reply; 0: the model's default
	Temperature *float64 // nil: the model's default

	// Tools are what the model may call, instead of writing a JSON object. They include a tool for each of
	// Offered. Called makes of the calls the JSON that the model would have written: then Ask goes on as with
	// that. The model reads its error. A text that is nothing but JSON calls of them counts as those. Nil: the reply is JSON.
	Tools  []llm.Tool
	Called func(text string, calls []llm.Call) (string, error)
}

// badStatus says that a reply's status, as the model wrote it, is not one of those allowed.
func badStatus(status string, allowed []fsm.Status) error {
	if strings.TrimSpace(status) == "" {
		return fmt.Errorf("deciding: the reply has no Status; allowed are %s", join(allowed))
	}
	return fmt.Errorf("deciding: Status %q is not allowed here; allowed are %s", status, join(allowed))
}

func join(list []fsm.Status) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// Ask asks the model, decodes its reply into a T and checks it. A reply that cannot be used,
// is empty, malformed or was cut by length is fed back, with the reason and the allowed statuses. When
// MaxReasks is used up, Ask returns an [ErrReply]. A field of T named Status, of a string type,
// is checked against Allowed and normalised. Where the schema is made from T, enum tags are
// checked, too.
//
// Ask returns all other errors of the model as they are, a refusal included. For a mistake in
// the inquiry it returns an error, and asks no model.
func Ask[T any](ctx context.Context, in Inquiry[T]) (T, error) {
	var none T
	schema, fits, err := in.shape()
	if err != nil {
		return none, err
	}
	messages, err := in.prompt()
	if err != nil {
		return none, err
	}
	if in.Tools != nil {
		schema = nil
	}
	req := &llm.Request{
		Messages: messages, Schema: schema, Tools: in.Tools,
		MaxTokens: in.MaxTokens, Temperature: in.Temperature,
	}
	reasks := in.MaxReasks
	if reasks == 0 {
		reasks = promptsize.Reasks
	}
	for attempt := 1; ; attempt++ {
		reply, unusable, err := in.call(ctx, req)
		if err != nil {
			return none, err
		}
		decision, problem := in.read(ctx, reply, unusable, fits)
		if ctx.Err() != nil { // what follows is of no use any more
			return none, context.Cause(ctx)
		}
		if problem == nil {
			trace.From(ctx).Decision(decision)
			return decision, nil
		}
		trace.From(ctx).Refused(problem)
		if reasks >= 0 && attempt > reasks {
			return none, fmt.Errorf("%w in %d attempts; the last: %w", ErrReply, attempt, problem)
		}
		refused, err := in.refused(reply, unusable, problem)
		if err != nil {
			return none, err
		}
		// A new slice: a model or a recorder may still hold the last one.
		req = &llm.Request{
			Messages: append(slices.Clone(req.Messages), refused...), Schema: schema, Tools: in.Tools,
			MaxTokens: in.MaxTokens, Temperature: in.Temperature,
		}
	}
}

func (in *Inquiry[T]) prompt() ([]llm.Message, error) {
	messages := slices.Clip(in.Messages)
	if len(in.Sections) == 0 {
		return messages, nil
	}
	sections := slices.Clone(in.Sections)
	written := func(s llm.Section) bool { return s.Name == allowedStatuses }
	if in.Allowed != nil && !slices.ContainsFunc(sections, written) {
		sections = append(sections, llm.Section{Name: allowedStatuses, Value: in.offered()})
	}
	text, err := llm.Prompt(sections...)
	if err != nil {
		return nil, err
	}
	return append(messages, llm.Text(llm.User, text)), nil
}

// shape returns the schema of the reply, and what its decision is checked against.
func (in *Inquiry[T]) shape() (*llm.Schema, *check, error) {
	for _, s := range in.Offered {
		if in.Allowed != nil && !slices.Contains(in.Allowed, s) {
			return nil, nil, fmt.Errorf("deciding: Inquiry.Offered has %s, and Allowed does not", s)
		}
	}
	if in.Schema != nil {
		_, fits, err := shapeOf[T](in.Allowed)
		return in.Schema, fits, err
	}
	schema, fits, err := shapeOf[T](in.offered())
	if err == nil && in.Offered != nil {
		_, fits, err = shapeOf[T](in.Allowed)
	}
	return schema, fits, err
}

func (in *Inquiry[T]) offered() []fsm.Status {
	if in.Offered == nil {
		return in.Allowed
	}
	return in.Offered
}

func (in *Inquiry[T]) read(ctx context.Context, reply *llm.Response, unusable error, fits *check) (decision T, err error) {
	text, err := in.said(ctx, reply)
	if err == nil {
		decision, err = decodeReply[T](ctx, text)
	}
	if err != nil {
		return decision, cmp.Or(unusable, err)
	}
	if in.Arrange != nil {
		err = in.Arrange(&decision)
	}
	if in.Seen != nil {
		// Also when ctx is done: the reply is in the record of the step.
		in.Seen(ctx, decision)
	}
	if unusable != nil {
		return decision, unusable // whole by chance: nobody knows what would have followed
	}
	if ctx.Err() != nil {
		return decision, context.Cause(ctx) // checks may be heavy
	}
	if err != nil {
		return decision, err // of Arrange
	}
	if index, _, ok := statusField(reflect.TypeFor[T]()); ok && in.Allowed != nil {
		field, err := reflect.ValueOf(&decision).Elem().FieldByIndexErr(index)
		if err != nil { // it is in an embedded pointer that the reply left nil
			return decision, badStatus("", in.offered())
		}
		status := fsm.ParseStatus(field.String())
		if plain := fsm.ParseStatus(strings.TrimRight(string(status), ".!")); plain != status && slices.Contains(in.Allowed, plain) && !slices.Contains(in.Allowed, status) {
			status = plain
			if sink := trace.From(ctx); sink.Timed() {
				sink.Repaired([]llm.Repair{{Kind: repair.Status, Where: "Status", Count: 1}})
			}
		}
		if !slices.Contains(in.Allowed, status) {
			return decision, badStatus(field.String(), in.offered())
		}
		field.SetString(string(status))
	}
	if problems := fits.misfits(reflect.ValueOf(&decision).Elem()); len(problems) > 0 {
		return decision, fmt.Errorf("deciding: the reply does not fit the schema: %s", strings.Join(problems, "; "))
	}
	if in.Check != nil {
		err = in.Check(decision)
	}
	return decision, err
}

// decodeReply reads a reply. What had to be repaired goes into the record of the
// step, where somebody reads that.
func decodeReply[T any](ctx context.Context, text string) (T, error) {
	decision, repairs, err := llm.Decode[T](text)
	if sink := trace.From(ctx); len(repairs) > 0 && sink.Timed() {
		sink.Repaired(repairs)
	}
	return decision, err
}

// Allowed returns the statuses that a model may write where the agent stands:
// what its table has for ByModel, never nil. It is the usual value of
// [Inquiry].Allowed.
// It reaches the table through the agent, so a method that calls it can be a
// cell of that table without an initialization cycle.
func Allowed(agent fsm.Agent) []fsm.Status {
	if list := agent.States().Bind(agent.Status()).Targets(fsm.ByModel); list != nil {
		return list
	}
	return []fsm.Status{} // no status is something else than any status
}
