package llmtest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// marker is in every question of the suite. No error may show it.
const marker = "question 6f1ed002"

// goodReply is what the suite's schema is made of.
type goodReply struct {
	Answer string   `json:"Answer" desc:"a short answer"`
	Count  int      `json:"Count"`
	Tags   []string `json:"Tags"`
}

// question returns a request of one message, whose text has the number.
func question(number int) *llm.Request {
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, fmt.Sprintf("%s, number %d: how much is six times seven?", marker, number))}}
}

// everything returns a request that uses all there is.
func everything(images bool) *llm.Request {
	schema, err := llm.SchemaOf[goodReply]("good_reply")
	if err != nil {
		panic(err) // goodReply has a schema
	}
	req := question(0)
	req.Messages = []llm.Message{
		llm.Text(llm.System, "You answer in JSON, with the fields Answer, Count and Tags."),
		llm.Text(llm.User, "How much is five times seven?"),
		llm.Text(llm.Assistant, `{"Answer": "thirty-five", "Count": 35, "Tags": []}`),
		{Role: llm.User, Parts: []llm.Part{req.Messages[0].Parts[0], {Text: "Say it in words, too."}}},
	}
	if images {
		last := &req.Messages[3]
		last.Parts = append(last.Parts, llm.Part{Image: &llm.Image{MediaType: "image/png", Data: onePixel()}})
	}
	temperature := 0.0
	req.Schema, req.MaxTokens, req.Temperature = schema, 500, &temperature
	return req
}

// outcome is what came of a call.
type outcome struct {
	resp     *llm.Response
	err      error
	panicked any
	hung     bool
}

// start makes a call in a goroutine of its own: a model that does not return
// must not stop the suite.
func start(ctx context.Context, m llm.Model, req *llm.Request) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.resp, o.err = m.Complete(ctx, req)
	}()
	return done
}

// wait returns what came of a call that should be over.
func (s *subject) wait(done <-chan outcome) outcome {
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case o := <-done:
		return o
	case <-timer.C:
		return outcome{hung: true}
	}
}

// call asks and waits.
func (s *subject) call(ctx context.Context, m llm.Model, req *llm.Request) outcome {
	return s.wait(start(ctx, m, req))
}

// broken says what no call may do, "" for none of it. A response with an error is
// no such thing: a call that failed may have used tokens.
func (s *subject) broken(o outcome) string {
	switch {
	case o.hung:
		return fmt.Sprintf("the call did not return within %v", s.patience)
	case o.panicked != nil:
		return fmt.Sprintf("the call panics: %v", o.panicked)
	case o.resp == nil && o.err == nil:
		return "the call returns neither a response nor an error"
	}
	return ""
}

// unanswered says why a call that should succeed did not.
func (s *subject) unanswered(o outcome) string {
	if problem := s.broken(o); problem != "" {
		return problem
	}
	if o.err != nil {
		return fmt.Sprintf("the call fails: %v", o.err)
	}
	return ""
}

// steered is a context that a check ends, with the error it likes, and that tells
// when somebody waits for its end.
type steered struct {
	context.Context //nolint:containedctx // it is a context

	done    chan struct{}
	watched chan struct{}
	once    sync.Once

	mu  sync.Mutex
	err error
}

func newSteered(parent context.Context) *steered {
	return &steered{Context: parent, done: make(chan struct{}), watched: make(chan struct{})}
}

func (c *steered) Done() <-chan struct{} {
	c.look()
	return c.done
}

func (c *steered) look() { c.once.Do(func() { close(c.watched) }) }

func (c *steered) Err() error {
	c.look()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *steered) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		close(c.done)
	}
}

// inFlight waits until a call looks at its context, and a moment longer, so that
// most models are in the middle of it. A call that is over has its outcome
// returned: it was of a model that should not answer.
func (s *subject) inFlight(ctx *steered, done <-chan outcome) (early *outcome) {
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case <-ctx.watched:
	case <-timer.C: // it never looks; the check that ends the context will say so
	case o := <-done:
		return &o
	}
	moment := time.NewTimer(5 * time.Millisecond)
	defer moment.Stop()
	select {
	case <-moment.C:
	case o := <-done:
		return &o
	}
	return nil
}
