package round

import (
	"context"
	"slices"

	"github.com/agentfsm/agentfsm/processor"
)

type journaledUser struct {
	j     *Journal
	inner processor.User
}

func (w journaledUser) Ask(ctx context.Context, q processor.Question) (processor.Answer, error) {
	ask := askNote{ID: q.ID, Agent: q.Agent, Text: q.Text, Command: q.Command}
	answer, given, err := w.j.askAgain(ctx, &ask)
	if given || err != nil {
		return answer, err
	}
	q.ID = ask.ID
	answer, err = w.inner.Ask(ctx, q)
	if err != nil && (ctx.Err() != nil || suspends(err)) {
		return answer, err // it is asked again
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	w.j.asked = slices.DeleteFunc(w.j.asked, func(a askNote) bool { return a.ID == ask.ID })
	n := &answerNote{ID: ask.ID, Text: answer.Text, Approved: answer.Approved, Err: noteError(err)}
	if err := w.j.write(ctx, note{Kind: kindAnswer, Answer: n}); err != nil {
		return processor.Answer{}, err
	}
	return answer, err
}

// askAgain gives an answer back, or records that a question waits. One that was
// asked already keeps its id.
func (j *Journal) askAgain(ctx context.Context, ask *askNote) (answer processor.Answer, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c, err := j.take(ctx, kindAsk, ask.key(), kindAsk)
	switch {
	case err != nil:
		return processor.Answer{}, false, err
	case c == nil:
		if !slices.ContainsFunc(j.asked, func(a askNote) bool { return a.ID == ask.ID && a.key() == ask.key() }) {
			err = j.write(ctx, note{Kind: kindAsk, Ask: ask})
			j.asked = append(j.asked, *ask)
		}
		return processor.Answer{}, false, err
	case c.answer != nil:
		return processor.Answer{Text: c.answer.Text, Approved: c.answer.Approved}, true, c.answer.Err.error()
	}
	ask.ID = c.ask.ID
	return processor.Answer{}, false, j.diverge(ctx, kindAsk)
}
