package main

import (
	"context"
	"errors"
	"iter"
	"sync"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"
)

// script is a model of the ADK that needs no service. To the agent that
// has the tool it says: use it, then tell what came of it. To the agents of
// the task it gives its replies, one after another.
type script struct {
	mu      sync.Mutex
	replies []string
}

func newScript() *script {
	return &script{replies: []string{
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "find out when the meeting is", "Plan": ["add the meeting that was found"]}`,
		`{"Status": "CONTINUE", "Function": "read_mail"}`,
		`{"Status": "FINISH", "Result": {"title": "Lunch with Ada", "day": "2027-05-03"}}`,
		`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "add the meeting that was found"}`,
		`{"Status": "FINISH", "Function": "add_event", "Result": "the event is there",
			"Args": {"title": {"$ref": "subtask_result_1.data.title"}, "day": {"$ref": "subtask_result_1.data.day"}}}`,
		`{"Status": "FINISH", "Result": "Lunch with Ada is in the calendar, on the 3rd of May, 2027."}`,
	}}
}

var errScript = errors.New("example: the script has no reply left")

func (s *script) Name() string { return "script" }

func (s *script) GenerateContent(ctx context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		yield(s.reply(req))
	}
}

func (s *script) reply(req *model.LLMRequest) (*model.LLMResponse, error) {
	if len(req.Tools) == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.replies) == 0 {
			return nil, errScript
		}
		text := s.replies[0]
		s.replies = s.replies[1:]
		return say(genai.NewPartFromText(text)), nil
	}
	last := req.Contents[len(req.Contents)-1].Parts[0]
	switch {
	case last.FunctionResponse == nil:
		return say(genai.NewPartFromFunctionCall("run_task", map[string]any{"request": last.Text})), nil
	case last.FunctionResponse.Response["answer"] == nil:
		return say(genai.NewPartFromText("I could not do it.")), nil
	}
	answer, _ := last.FunctionResponse.Response["answer"].(string)
	return say(genai.NewPartFromText("Done. " + answer)), nil
}

func say(part *genai.Part) *model.LLMResponse {
	return &model.LLMResponse{
		Content:      &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{part}},
		FinishReason: genai.FinishReasonStop,
	}
}
