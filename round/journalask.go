package round

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/processor"
)

// asking is a question that waits for its answer.
type asking struct {
	records.Ask
	seq  int64 // of its record; 0: from before the round stopped
	live bool  // this attempt has asked it
}

type journaledUser struct {
	j     *Journal
	inner processor.User
}

func (w journaledUser) Ask(ctx context.Context, q processor.Question) (processor.Answer, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Ask(ctx, q)
	}
	ask := records.Ask{Question: cloneQuestion(q)}
	answer, given, err := w.j.askAgain(ctx, &ask)
	if given || err != nil {
		return answer, err
	}
	answer, err = w.inner.Ask(w.j.within(ctx), q)
	if err != nil && (w.j.current.cancelled() || suspends(err)) {
		return answer, err // it is asked again
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // such as processor.ErrTimeout
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	w.j.asked = slices.DeleteFunc(w.j.asked, func(a *asking) bool { return a.ID == ask.ID })
	n := &records.Answer{ID: ask.ID, Text: answer.Text, Approved: answer.Approved, Err: noteError(err)}
	if err := w.j.write(ctx, records.Record{Kind: records.KindAnswer, Answer: n}); err != nil {
		return processor.Answer{}, err
	}
	return answer, err
}

// idOf returns the id of a question: one that was asked before keeps it, since its
// answer may come from elsewhere by that id.
func (j *Journal) idOf(q processor.Question) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	id, key := q.ID, askKey(&records.Ask{Question: q})
	for _, a := range j.asked {
		if a.live || key == "" || askKey(&a.Ask) != key {
			continue
		}
		if a.ID == q.ID {
			return q.ID
		}
		if id == q.ID {
			id = a.ID
		}
	}
	return id
}

// askAgain gives an answer back, or records that a question waits, once.
func (j *Journal) askAgain(ctx context.Context, ask *records.Ask) (answer processor.Answer, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := askKey(ask)
	c, err := j.take(ctx, records.KindAsk, key, records.KindAsk)
	if err != nil {
		return processor.Answer{}, false, err
	}
	if c != nil {
		return processor.Answer{Text: c.answer.Text, Approved: c.answer.Approved}, true, recorded(c.answer.Err)
	}
	if i := slices.IndexFunc(j.asked, func(a *asking) bool { return !a.live && a.ID == ask.ID && askKey(&a.Ask) == key }); i >= 0 {
		j.asked[i].live = true
		return processor.Answer{}, false, nil
	}
	if err := j.write(ctx, records.Record{Kind: records.KindAsk, Ask: ask}); err != nil {
		return processor.Answer{}, false, err
	}
	j.asked = append(j.asked, &asking{Ask: *ask, seq: j.seq, live: true})
	return processor.Answer{}, false, nil
}

// waits are the questions that are open, and those whose answers came and were not
// asked for again. j.mu is held.
func (j *Journal) waits() []records.Ask {
	var list []records.Ask
	for _, c := range j.tape.cuts {
		if c.early && !c.used {
			ask := *c.ask
			ask.Answer = c.answer
			list = append(list, ask)
		}
	}
	for _, a := range j.asked {
		a.live, a.seq = false, 0
		list = append(list, a.Ask)
	}
	return list
}

// askKey is what a question is known by: its id may be another one when the agent
// that asks is made to think again.
func askKey(a *records.Ask) string {
	command := ""
	if a.Command != nil {
		if command = actKey(*a.Command); command == "" {
			return ""
		}
	}
	raw, err := json.Marshal([]string{a.Agent, a.Text, command})
	if err != nil {
		return ""
	}
	return string(raw)
}

// cloneQuestion keeps what is recorded from who is asked.
func cloneQuestion(q processor.Question) processor.Question {
	for _, cmd := range []**desktop.Command{&q.Command, &q.Shown} {
		if *cmd != nil {
			own := **cmd
			own.Parameters = clone.Map(own.Parameters)
			*cmd = &own
		}
	}
	return q
}
