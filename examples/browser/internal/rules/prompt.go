package rules

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/llm"
)

// prompt is what the model reads of one.
type prompt struct{ sections.Prompt }

func read(req *llm.Request) (*prompt, error) {
	p, err := sections.Read(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPrompt, err)
	}
	return &prompt{p}, nil
}

// failed is what the last step met, and "" when it succeeded.
func (p *prompt) failed() string {
	done := p.Done()
	if len(done) == 0 || done[len(done)-1].Status != desktop.Failure {
		return ""
	}
	return done[len(done)-1].Error
}

// observations are what this sub-task's steps have noted, oldest first.
func (p *prompt) observations() []string {
	var list []string
	for _, memo := range p.Steps() {
		var said struct {
			Observation string `json:"Observation"`
		}
		if json.Unmarshal(memo.Decision, &said) == nil && said.Observation != "" {
			list = append(list, said.Observation)
		}
	}
	return list
}

// result is what an application's finished sub-task came to.
func (p *prompt) result(app string, into any) bool {
	for _, s := range p.Previous {
		if s.App == app && s.Status == "FINISH" && json.Unmarshal(s.Result, into) == nil {
			return true
		}
	}
	return false
}
