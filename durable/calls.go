package durable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// asking is a question that waits for its answer.
type asking struct {
	records.Ask
	seq   int64                  // of its record; 0: from before the round stopped
	nth   int                    // in which order the questions of a step were asked
	live  bool                   // this attempt has asked it
	words func() people.Question // as it may be shown by now; nil: it was asked in another process
}

type recordedUser struct {
	j     *recorder
	inner people.User
}

func (w recordedUser) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Ask(ctx, q)
	}
	ask := asking{Ask: records.Ask{Question: q.Clone()}, words: trace.WordsOf[people.Question](ctx)}
	if !q.Deadline.IsZero() {
		ask.Asked = writable(time.Now())
	}
	answer, given, err := w.j.askAgain(ctx, &ask)
	if given || err != nil {
		return answer, err
	}
	if overdue(ask.Question, time.Now()) { // it was asked in another process
		if lost := w.answered(ctx, &ask.Ask, people.Answer{}, people.ErrTimeout); lost != nil {
			return people.Answer{}, lost
		}
		return people.Answer{}, people.ErrTimeout
	}
	back := false
	defer func() {
		if !back {
			_ = w.answered(ctx, &ask.Ask, people.Answer{}, errPanicked) // an error is kept
		}
	}()
	answer, err = w.inner.Ask(w.j.within(ctx), q)
	back = true
	if w.j.cancelled() || comesBack(err) {
		if err == nil {
			answer, err = people.Answer{}, w.j.cause() // not that of ctx, which a Handle may have detached
		}
		return answer, err // it is asked again
	}
	if ctx.Err() != nil {
		answer, err = people.Answer{}, context.Cause(ctx) // it is too late: people.ErrTimeout
	}
	if lost := w.answered(ctx, &ask.Ask, answer, err); lost != nil {
		return people.Answer{}, lost
	}
	return answer, err
}

func (w recordedUser) answered(ctx context.Context, ask *records.Ask, answer people.Answer, failed error) error {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	n := records.AnswerTo(ask.Question, answer)
	n.Err = noteError(failed)
	w.j.asked = slices.DeleteFunc(w.j.asked, func(a *asking) bool {
		if a.ID != ask.ID {
			return false
		}
		if failed == nil {
			w.j.answered = append(w.j.answered, &op{kind: records.KindAsk, key: askKey(&a.Ask), ask: &a.Ask, answer: n, nth: a.nth})
		}
		return true
	})
	return w.j.write(ctx, records.Record{Kind: records.KindAnswer, Answer: n})
}

// asAsked returns a question with the id and the deadline that it had when it was asked before, since its answer may
// come, or has come, from elsewhere by that id. An agent that is made to think again gives new ids to the same
// questions; they are those of before, in their order. open: it has no answer yet, and waits until that deadline.
func (j *recording) asAsked(q people.Question) (was people.Question, open bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := askKey(&records.Ask{Question: q})
	var before *records.Ask
	first := 0
	take := func(ask *records.Ask, nth int, waits bool) {
		switch {
		case key == "" || askKey(ask) != key:
		case before != nil && before.ID == q.ID: // it is that one
		case before == nil, ask.ID == q.ID, nth < first:
			before, first, open = ask, nth, waits
		}
	}
	for _, c := range j.past.ops {
		if c.kind == records.KindAsk && !c.used {
			take(c.ask, c.nth, false)
		}
	}
	for _, a := range j.asked {
		if !a.live {
			take(&a.Ask, a.nth, true)
		}
	}
	if before != nil {
		q.ID, q.Deadline = before.ID, before.Deadline
	}
	return q, open
}

// askAgain gives an answer back, or records that a question waits, once.
func (j *recorder) askAgain(ctx context.Context, ask *asking) (answer people.Answer, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := askKey(&ask.Ask)
	c, err := j.take(ctx, records.KindAsk, key, ask.ID, records.KindAsk)
	if err != nil {
		return people.Answer{}, false, err
	}
	if c != nil {
		return c.answer.Said(), true, givenBack(c.answer.Err)
	}
	if i := slices.IndexFunc(j.asked, func(a *asking) bool { return !a.live && a.ID == ask.ID && askKey(&a.Ask) == key }); i >= 0 {
		j.asked[i].live, j.asked[i].words = true, ask.words
		return people.Answer{}, false, nil
	}
	ask.ShowAs(ask.words())
	if err := j.write(ctx, records.Record{Kind: records.KindAsk, Ask: &ask.Ask}); err != nil {
		return people.Answer{}, false, err
	}
	j.nth++
	ask.seq, ask.nth, ask.live = j.seq, j.nth, true
	j.asked = append(j.asked, ask)
	return people.Answer{}, false, nil
}

// reword hides what became known as a secret since the question was recorded. j.mu is held.
func (a *asking) reword(ctx context.Context) {
	if a.words != nil {
		a.ShowAs(a.words())
		return
	}
	q := a.Legible() // it was asked in another process, and redacted there
	for _, text := range []*string{&q.Agent, &q.Text, &q.Title, &q.Target, &q.Reason, &q.Comment} {
		*text = trace.Hide(ctx, *text)
	}
	a.ShowAs(q)
}

// waits are the questions that are open, and those whose answers came and were not asked for again, in the order in
// which they were asked. They wait over the stop of a round. While one is open, all answers wait, since the state asks
// for them again before it comes to that one. Else an answer that was given is used up: who asks once more wants
// another one. j.mu is held.
func (j *recorder) waits(ctx context.Context) []records.Ask {
	type waiting struct {
		records.Ask
		nth int
	}
	var list []waiting
	open := slices.ContainsFunc(j.asked, func(a *asking) bool { return a.live })
	kept := j.past.answers(open)
	if open {
		kept = append(kept, j.answered...)
	}
	for _, c := range kept {
		c.used, c.early = false, true
		ask := *c.ask
		ask.Answer = c.answer
		list = append(list, waiting{ask, c.nth})
	}
	j.past, j.answered = past{ops: kept}, nil
	j.effects.stop()
	for _, a := range j.asked {
		a.live, a.seq = false, 0
		a.reword(ctx)
		list = append(list, waiting{a.Ask, a.nth})
	}
	slices.SortStableFunc(list, func(a, b waiting) int { return a.nth - b.nth })
	var asks []records.Ask
	for _, w := range list {
		asks = append(asks, w.Ask)
	}
	return asks
}

// askKey is what a question is known by: its id may be another one when the agent that asks is made to think again.
func askKey(a *records.Ask) string {
	command := ""
	if a.Command != nil {
		if command = calls.Key(*a.Command); command == "" {
			return ""
		}
	}
	raw, err := json.Marshal([]string{a.Agent, a.Text, command})
	if err != nil {
		return ""
	}
	return string(raw)
}

type recordedModel struct {
	j     *recorder
	inner llm.Model
}

func (w recordedModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if w.j.isWithin(ctx) {
		return w.part(ctx, req)
	}
	mark := requestMark(req)
	c, err := w.j.callAgain(ctx, mark)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return c.call.Response.Clone(), attempts.NoWait(givenBack(c.call.Err))
	}
	defer w.j.endCall()
	back := false
	defer func() {
		if !back {
			_ = w.j.called(ctx, &records.Call{Request: mark, Err: noteError(errPanicked)}) // an error is kept
		}
	}()
	resp, err := w.inner.Complete(w.j.within(ctx), req)
	back = true
	if comesBack(err) || errors.Is(err, round.ErrBudget) {
		return resp, err // it is made again
	}
	n := &records.Call{Request: mark, Response: resp, Err: noteError(err), Ended: err != nil && w.j.cancelled()}
	switch {
	case n.Ended && resp == nil:
		return resp, err // likewise
	case resp == nil && err == nil:
		n.Err = noteError(llm.ErrNoResponse)
	}
	if lost := w.j.called(ctx, n); lost != nil {
		return nil, lost
	}
	return resp, err
}

// part makes a call that is a part of something that is recorded as a whole, such as that of a judge whose
// finding is. Nobody is given its reply back, but it counts: what it used is recorded with that.
func (w recordedModel) part(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	resp, err := w.inner.Complete(ctx, req)
	if comesBack(err) || errors.Is(err, round.ErrBudget) || attempts.NothingSent(err) || resp == nil && err == nil {
		return resp, err
	}
	n := &records.Call{Err: noteError(err), Ended: true}
	if resp != nil {
		n.Response = &llm.Response{Usage: resp.Usage, Model: resp.Model, Spent: resp.Spent}
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	if lost := w.j.later(records.Record{Kind: records.KindCall, Call: n}); lost != nil {
		return nil, lost
	}
	return resp, err
}

// requestMark tells requests of one step apart: of calls that were made at once each
// gets its own reply back. Of pictures it has a checksum.
func requestMark(req *llm.Request) string {
	h := sha256.New()
	if req != nil {
		for _, m := range req.Messages {
			_, _ = fmt.Fprintf(h, "%s %d\n", m.Role, len(m.Parts))
			for _, c := range m.Calls {
				_, _ = fmt.Fprintf(h, "%q %q %d %s\n", c.ID, c.Name, len(c.Args), c.Args)
			}
			for _, p := range m.Parts {
				_, _ = fmt.Fprintf(h, "%d %s\n", len(p.Text), p.Text)
				if p.Image != nil {
					_, _ = fmt.Fprintf(h, "%d %x\n", len(p.Image.Data), crc32.Checksum(p.Image.Data, castagnoli))
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// callAgain gives a call back, or counts one that is made. The reply to the one before it is on record by then.
func (j *recorder) callAgain(ctx context.Context, mark string) (*op, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c, err := j.take(ctx, records.KindCall, mark, "", records.KindCall)
	if c != nil || err != nil {
		return c, err
	}
	if j.rides(records.KindCall) {
		err = j.flush(ctx)
	}
	if err == nil {
		j.calls++
	}
	return nil, err
}

// called keeps a model call that was made. While another one is under way it does not ride.
func (j *recorder) called(ctx context.Context, n *records.Call) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	rec := records.Record{Kind: records.KindCall, Call: n}
	if j.calls > 1 {
		return j.write(ctx, rec)
	}
	return j.ride(ctx, rec)
}

func (j *recorder) endCall() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls--
}
