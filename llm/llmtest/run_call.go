package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// marker is in every question of the suite. No error may show it.
const marker = "question 6f1ed002"

// goodReply is the type of the suite's schema.
type goodReply struct {
	Answer string   `json:"Answer" desc:"a short answer"`
	Count  int      `json:"Count"`
	Tags   []string `json:"Tags"`
}

// question returns a request of one message, whose text has the number.
func question(number int) *llm.Request {
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, fmt.Sprintf("%s, number %d: how much is six times seven?", marker, number))}}
}

// onePixel is a picture in PNG, as JSON writes bytes.
const onePixel = `"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM4AQAAygDJmcpdfgAAAABJRU5ErkJggg=="`

// everything returns a request with a conversation, a schema, options and an image.
func everything() *llm.Request {
	schema, err := llm.SchemaOf[goodReply]("good_reply")
	if err != nil {
		panic(err) // goodReply has a schema
	}
	temperature := 0.0
	image := llm.Part{Image: &llm.Image{MediaType: "image/png"}}
	if err := json.Unmarshal([]byte(onePixel), &image.Image.Data); err != nil {
		panic(err) // it is base64
	}
	return &llm.Request{
		Messages: []llm.Message{
			llm.Text(llm.System, "You answer in JSON, with the fields Answer, Count and Tags."),
			llm.Text(llm.User, "How much is five times seven?"),
			llm.Text(llm.Assistant, `{"Answer": "thirty-five", "Count": 35, "Tags": []}`),
			{Role: llm.User, Parts: []llm.Part{question(0).Messages[0].Parts[0], {Text: "Say it in words, too."}, image}},
		},
		Schema: schema, MaxTokens: 500, Temperature: &temperature,
	}
}

// conversation is everything without an image.
func conversation() *llm.Request {
	req := everything()
	req.Messages[3].Parts = req.Messages[3].Parts[:2]
	return req
}

// outcome is the result of a call.
type outcome struct {
	resp     *llm.Response
	err      error
	panicked any
	hung     bool
}

// start makes a call in a goroutine: the suite goes on if it does not return.
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

// wait returns the outcome of a call that should be over.
func (s *subject) wait(done <-chan outcome) outcome {
	o, over := within(s.patience, done)
	o.hung = !over
	return o
}

// within receives what should come in time.
func within[T any](limit time.Duration, c <-chan T) (v T, came bool) {
	select {
	case v = <-c:
		return v, true
	case <-time.After(limit):
		return v, false
	}
}

func (s *subject) call(ctx context.Context, m llm.Model, req *llm.Request) outcome {
	return s.wait(start(ctx, m, req))
}

// broken says what no call may do, "" for nothing. A response with an error is
// allowed: a call that failed may have used tokens.
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

// answered makes a call that should succeed, and leave the request as it is.
func (s *subject) answered(m llm.Model, req *llm.Request) (resp *llm.Response, problem string) {
	before := req.Clone()
	o := s.call(s.t.Context(), m, req)
	switch problem := s.broken(o); {
	case problem != "":
		return nil, problem
	case o.err != nil:
		return nil, fmt.Sprintf("the call fails: %v", o.err)
	case !reflect.DeepEqual(before, req):
		return nil, "the call changes the request, which its caller may send again"
	}
	return o.resp, ""
}

// replay is a model that returns the outcome of a call.
func replay(resp *llm.Response, err error) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return resp, err })
}
