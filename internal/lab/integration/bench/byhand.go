package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// What a program has without any library: a list of messages, a map of tools, and a loop
// without a bound. It checks nothing.
type (
	handMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	handTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
		call        func(args json.RawMessage) (string, error)
	}
	handRequest struct {
		Messages []handMessage `json:"messages"`
		Tools    []handTool    `json:"tools"`
	}
	handDecision struct {
		Thought  string          `json:"Thought"`
		Function string          `json:"Function"`
		Args     json.RawMessage `json:"Args"`
		Answer   string          `json:"Answer"`
	}
)

func runByHand(_ context.Context, j *job) error {
	tools := map[string]handTool{}
	var offered []handTool
	for _, spec := range specs {
		tool := handTool{spec.Name, spec.Description, json.RawMessage(spec.Schema), func(args json.RawMessage) (string, error) {
			var in toolArguments
			err := json.Unmarshal(args, &in)
			return j.called(), err
		}}
		tools[tool.Name] = tool
		offered = append(offered, tool)
	}
	history := []handMessage{{"system", "You are an agent."}, {"user", "do nothing"}}
	for {
		text, err := handModel(j, &handRequest{history, offered})
		if err != nil {
			return err
		}
		var d handDecision
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			return err
		}
		if d.Function == "" {
			return j.done(d.Answer)
		}
		tool, ok := tools[d.Function]
		if !ok {
			return fmt.Errorf("bench: no tool %q", d.Function)
		}
		result, err := tool.call(d.Args)
		if err != nil {
			return err
		}
		history = append(history, handMessage{"assistant", text}, handMessage{"tool", result})
	}
}

func handModel(j *job, request *handRequest) (string, error) {
	step, last, err := j.think(request)
	if last || err != nil {
		return `{"Answer": "done"}`, err
	}
	return handReplies.of(step), nil
}

var handReplies = newTexts(func(thought string) string {
	return `{"Thought": "` + thought + `", "Function": "` + toolName + `", "Args": ` + arguments + `}`
})
