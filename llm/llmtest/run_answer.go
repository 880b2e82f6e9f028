package llmtest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// onePixel returns a valid picture.
func onePixel() []byte {
	picture := image.NewGray(image.Rect(0, 0, 1, 1))
	picture.SetGray(0, 0, color.Gray{Y: 200})
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		panic(err) // a Buffer takes everything
	}
	return b.Bytes()
}

func findAnswer(s *subject) (problems []string) {
	m := s.Good(s.t)
	for i, req := range []*llm.Request{question(1), everything(false)} {
		what := []string{"a question", "a request with a conversation, a schema and options"}[i]
		o := s.call(s.t.Context(), m, req)
		if problem := s.unanswered(o); problem != "" {
			problems = append(problems, what+": "+problem)
			continue
		}
		if strings.Contains(o.resp.Text, told) && o.resp.Text != GoodReply {
			problems = append(problems, what+": the text is not the one that the backend answered: "+short(o.resp.Text))
		}
		// What agents call also looks at the reason why the model stopped.
		if _, err := llm.Complete(s.t.Context(), replay(o), req); err != nil {
			problems = append(problems, fmt.Sprintf("%s: a good reply, with FinishReason %q, is taken for a bad one: %v", what, o.resp.FinishReason, err))
		}
	}
	return problems
}

// replay is a model that returns what came of a call.
func replay(o outcome) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return o.resp, o.err })
}

func findUsage(s *subject) []string {
	o := s.call(s.t.Context(), s.Good(s.t), question(2))
	if problem := s.unanswered(o); problem != "" {
		return []string{problem}
	}
	switch u := o.resp.Usage; {
	case negative(u):
		return []string{fmt.Sprintf("the usage is negative: %+v", u)}
	case u.CacheReadTokens+u.CacheCreationTokens > u.InputTokens:
		return []string{fmt.Sprintf("the usage has more cached tokens than input, of which they are a part: %+v", u)}
	case u.ReasoningTokens > u.OutputTokens:
		return []string{fmt.Sprintf("the usage has more reasoning tokens than output, of which they are a part: %+v", u)}
	case u.InputTokens == 0 || u.OutputTokens == 0:
		return []string{fmt.Sprintf("the usage is not there: %+v", u)}
	}
	return nil
}

func negative(u llm.Usage) bool {
	return min(u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheCreationTokens, u.ReasoningTokens) < 0
}

func findSchema(s *subject) []string {
	req := everything(false)
	o := s.call(s.t.Context(), s.Good(s.t), req)
	if problem := s.unanswered(o); problem != "" {
		return []string{problem}
	}
	reply, _, err := llm.Decode[goodReply](o.resp.Text)
	if err != nil {
		return []string{fmt.Sprintf("the reply to a request with a schema cannot be decoded: %v; it is %s", err, short(o.resp.Text))}
	}
	if reply.Answer == "" || reply.Tags == nil {
		return []string{"the reply lacks fields that the schema of its request requires: " + short(o.resp.Text)}
	}
	return nil
}

// short is a text of somebody else in one line of a finding.
func short(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

func findImages(s *subject) []string {
	if problem := s.unanswered(s.call(s.t.Context(), s.Good(s.t), everything(true))); problem != "" {
		return []string{"a request with an image: " + problem}
	}
	return nil
}

func findNoMessages(s *subject) (problems []string) {
	m := s.Good(s.t)
	for _, c := range []struct {
		what string
		req  *llm.Request
	}{
		{"a request without messages", &llm.Request{}},
		{"a request with an empty list of messages", &llm.Request{Messages: []llm.Message{}}},
		{"a message without parts", &llm.Request{Messages: []llm.Message{{Role: llm.User}}}},
	} {
		what, req := c.what, c.req
		first, second := s.call(s.t.Context(), m, req), s.call(s.t.Context(), m, req)
		switch {
		case s.broken(first) != "":
			problems = append(problems, what+": "+s.broken(first))
		case s.broken(second) != "":
			problems = append(problems, what+", the second time: "+s.broken(second))
		case (first.err == nil) != (second.err == nil):
			problems = append(problems, fmt.Sprintf("%s: the first call returns %v, the second %v", what, first.err, second.err))
		case first.err != nil && llm.Retryable(first.err):
			problems = append(problems, fmt.Sprintf("%s: the error says that trying again may help: %v", what, first.err))
		}
	}
	return problems
}
