package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// script is a chat model of Eino that needs no service. To the agent that
// has the tool it says: use it, then tell what came of it. To the agents of
// the task it gives its replies, one after another.
type script struct {
	mu      sync.Mutex
	replies []string
}

func newScript() *script {
	return &script{replies: []string{
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "add up the expenses", "Plan": ["send the total to Ada"]}`,
		`{"Status": "CONTINUE", "Function": "read_sheet"}`,
		`{"Status": "FINISH", "Result": {"total": 1000}}`,
		`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "send the total to Ada"}`,
		`{"Status": "CONTINUE", "Function": "send_mail", "Args": {"to": "ada@example.com", "text": "Our expenses are 1000."}}`,
		`{"Status": "FINISH", "Result": "the mail is sent"}`,
		`{"Status": "FINISH", "Result": "Ada knows that the expenses are 1000."}`,
	}}
}

var errScript = errors.New("example: the script has no reply left")

// GetType names the model in responses and errors.
func (s *script) GetType() string { return "Script" }

func (s *script) Generate(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	last := input[len(input)-1]
	options := model.GetCommonOptions(nil, opts...)
	switch {
	case len(options.Tools) == 0:
		return s.next()
	case last.Role != schema.Tool:
		arguments, err := json.Marshal(map[string]string{"request": last.Content})
		if err != nil {
			return nil, err
		}
		return schema.AssistantMessage("", []schema.ToolCall{{
			ID: "call-1", Function: schema.FunctionCall{Name: "run_task", Arguments: string(arguments)},
		}}), nil
	}
	var result struct {
		Answer string `json:"answer"`
	}
	if err := json.Unmarshal([]byte(last.Content), &result); err != nil {
		return nil, fmt.Errorf("example: the result of the tool: %w", err)
	}
	return schema.AssistantMessage("Done. "+result.Answer, nil), nil
}

func (s *script) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := s.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
}

func (s *script) next() (*schema.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.replies) == 0 {
		return nil, errScript
	}
	text := s.replies[0]
	s.replies = s.replies[1:]
	return schema.AssistantMessage(text, nil), nil
}
