package main

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// runADK runs an llmagent with a Runner that keeps its session in memory.
func runADK(ctx context.Context, j *job) error {
	var tools []tool.Tool
	for _, spec := range j.specs() {
		var parameters jsonschema.Schema
		if err := json.Unmarshal([]byte(spec.Schema), &parameters); err != nil {
			return err
		}
		t, err := functiontool.New(functiontool.Config{Name: spec.Name, Description: spec.Description, InputSchema: &parameters},
			func(agent.Context, toolArguments) (map[string]any, error) {
				return map[string]any{"result": j.called()}, nil
			})
		if err != nil {
			return err
		}
		tools = append(tools, t)
	}
	a, err := llmagent.New(llmagent.Config{Name: "looper", Model: adkModel{j}, Tools: tools})
	if err != nil {
		return err
	}
	r, err := runner.NewInMemory("bench", a)
	if err != nil {
		return err
	}
	said := ""
	for event, err := range r.Run(ctx, "user", "session", genai.NewContentFromText("do nothing", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			return err
		}
		said = event.Content.Parts[0].Text
	}
	return j.done(said)
}

// adkModel calls the tool until it says done.
type adkModel struct{ job *job }

func (adkModel) Name() string { return "looper" }

func (m adkModel) GenerateContent(_ context.Context, request *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		step, last, err := m.job.think(request)
		if err != nil {
			yield(nil, err)
			return
		}
		parts := []*genai.Part{genai.NewPartFromText("done")}
		if !last {
			parts = []*genai.Part{
				genai.NewPartFromText(m.job.thought(step)),
				genai.NewPartFromFunctionCall(toolName, map[string]any{"N": 1}),
			}
		}
		yield(&model.LLMResponse{
			Content:      &genai.Content{Role: genai.RoleModel, Parts: parts},
			FinishReason: genai.FinishReasonStop,
		}, nil)
	}
}
