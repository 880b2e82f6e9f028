package program

import (
	"context"

	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// counter is where questions are brought to a person: a people.User over a channel. Both waits honour the context,
// which ends when the time for an answer is up (hostagent.Config.AskTimeout), or with the round.
type counter chan brought

type brought struct {
	question people.Question
	answer   chan<- people.Answer // takes one without a reader
}

// Ask waits for the answer in the goroutine that drives the round.
func (c counter) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	answer := make(chan people.Answer, 1)
	select {
	case c <- brought{q, answer}:
	case <-ctx.Done():
		return people.Answer{}, context.Cause(ctx)
	}
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return people.Answer{}, context.Cause(ctx)
	}
}

// overChannel runs the round in a goroutine of the office's, and answers its
// questions in this one. The round waits meanwhile, and nothing else does.
func (o *office) overChannel(ctx context.Context) (round.Result, error) {
	questions := make(counter)
	r, err := o.round("refund 15 euros of order 1001", setup{user: questions})
	if err != nil {
		return round.Result{}, err
	}
	type ended struct {
		res round.Result
		err error
	}
	end := make(chan ended, 1)
	go func() {
		res, err := r.Run(ctx)
		end <- ended{res, err}
	}()
	for {
		select {
		case b := <-questions:
			o.say("    asked: %s", b.question.Text)
			b.answer <- o.decide(b.question)
		case e := <-end: // also when ctx is cancelled: Run returns soon then
			return e.res, e.err
		}
	}
}

// decide is the person. What is approved is the command in the question, with
// exactly these parameters; the text beside it is what the model made of it.
func (o *office) decide(q people.Question) people.Answer {
	if q.Command == nil {
		return people.Answer{Text: "do as you think best"}
	}
	o.say("    approved: %s %v", q.Command.ToolName, q.Command.Parameters)
	return people.Answer{Approved: true}
}
