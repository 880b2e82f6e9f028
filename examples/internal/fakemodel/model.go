// Package fakemodel plays a language model by rules, so that the examples run offline.
//
//	model := fakemodel.New(fakemodel.Rules{
//		fakemodel.Host: func(p *fakemodel.Prompt) fakemodel.Reply { return p.Assign("Excel", "Draw a chart.") },
//		"Excel":        func(p *fakemodel.Prompt) fakemodel.Reply { … },
//	})
//
// A rule sees the sections of one prompt, as a real model does (docs/guides/prompt.md). It keeps nothing between two
// calls. The text of its reply goes through the same parser as that of a real model.
package fakemodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Host is the key of the HostAgent's rule.
const Host = "host"

// Rule decides what comes next.
type Rule func(*Prompt) Reply

// Rules has a rule for each agent: [Host], or the Root of its window.
type Rules map[string]Rule

// ErrPrompt says that no rule answers the prompt.
var ErrPrompt = errors.New("fakemodel: no rule for this prompt")

// New returns a model that decides by rules. It is safe for concurrent use if the rules are.
func New(rules Rules) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p, err := Read(req)
		if err != nil {
			return nil, err
		}
		rule := rules[p.asks()]
		if rule == nil {
			return nil, fmt.Errorf("%w: of an agent for %q", ErrPrompt, p.asks())
		}
		text, err := json.Marshal(p.settle(rule(p)))
		if err != nil {
			return nil, fmt.Errorf("fakemodel: reply: %w", err)
		}
		return &llm.Response{Text: string(text), Model: "rules", FinishReason: "stop"}, nil
	})
}

var openID = regexp.MustCompile(`\b(act|subtask|plan)_\d+\b`)

// settle handles a reply that the agent refused. A FINISH that left something open is written again with an answer
// to each: the rule saw that its work is done. Every other reply would be the same again, so it ends in FAIL.
func (p *Prompt) settle(r Reply) Reply {
	if !p.Refused || r.Status == fsm.Fail {
		return r
	}
	if open := openID.FindAllString(p.LastError, -1); r.Status == fsm.Finish && open != nil {
		r.Open = map[string]string{}
		for _, id := range open {
			r.Open[id] = "done: what came of it is there"
		}
		return r
	}
	return Fail("%s", p.LastError)
}
