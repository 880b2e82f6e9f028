package hostagent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// Planned returns how many items of the plan were not begun, notes included.
func (a *Agent) Planned() int { return a.data.Plan.Planned() }

// setPlan keeps the plan, and shows it on the blackboard.
func (a *Agent) setPlan(p plan.Plan) error {
	a.data.Plan = p
	raw, err := json.Marshal(append(plan.Plan{}, p...)) // an empty list, not null
	if err != nil {
		return err
	}
	return a.cfg.Board.PutRaw(boarddata.Plan, raw)
}

// replan works out the plan as a decision leaves it.
func (a *Agent) replan(d *decision) (plan.Plan, error) {
	if err := builtin.CheckPlan(len(d.Plan)); err != nil {
		return nil, err
	}
	revised, err := a.data.Plan.Revise(d.Plan)
	if err != nil {
		return nil, fmt.Errorf("the Plan cannot be followed: %w", err)
	}
	if d.Status != fsm.Finish {
		return revised, nil
	}
	// Also what the Plan beside this FINISH leaves out: else nothing would be left to
	// hold a FINISH to.
	open := union(a.data.Plan.Unfinished(), revised.Unfinished())
	if len(open) == 0 {
		return revised, nil
	}
	return nil, fmt.Errorf("FINISH is too early. These items of the Plan have not finished: %s. ASSIGN them, or first write a Plan without them, with a Status other than FINISH: Open drops none of them", briefly(open))
}

// pick finds the item of a binding plan that an ASSIGN of this application is about.
func (t *target) pick(p plan.Plan, d *decision) (plan.Entry, error) {
	if !p.Enforced() {
		return plan.Entry{}, nil
	}
	item, err := p.Pick(d.CurrentSubTask)
	if err != nil {
		return plan.Entry{}, err
	}
	if !t.is(item.Application) {
		return plan.Entry{}, fmt.Errorf("the Plan gives item %q to %q, but you chose %q: write the id of %q into ControlLabel, or change the Plan",
			item.ID, item.Application, t.Root, item.Application)
	}
	return item, nil
}

// is reports whether the entry is what a plan calls an application: by its
// program, its title or root/process. No name means any.
func (t *target) is(name string) bool {
	return name == "" || slices.ContainsFunc([]string{t.Root, t.Title, builtin.Key(t.window)}, func(s string) bool {
		return strings.EqualFold(strings.TrimSpace(s), name)
	})
}

// planned marks the item of an assignment as begun, and returns what the agent that gets it
// should know: what the model said of it, its item of the plan, and the results that it builds
// on, as the blackboard has them. It may be called again for the same sub-task.
func (a *Agent) planned(chosen *assignment) (json.RawMessage, error) {
	if chosen.Item == "" {
		return chosen.Context, nil
	}
	about := map[string]json.RawMessage{}
	if len(chosen.Context) > 0 {
		if err := json.Unmarshal(chosen.Context, &about); err != nil {
			return nil, err
		}
	}
	for name, value := range map[string]any{"item": chosen.Item, "results": a.inputs(chosen.Item)} {
		raw, err := plainjson.Encode(value)
		if err != nil {
			return nil, err
		}
		if about[name] = raw; string(raw) == "null" {
			delete(about, name)
		}
	}
	raw, err := plainjson.Encode(about)
	if err != nil {
		return nil, err
	}
	return raw, a.setPlan(a.data.Plan.Assign(chosen.Item, a.data.Open))
}

// inputs are the results that an item of the plan builds on, by their names on the blackboard.
func (a *Agent) inputs(item string) (names []string) {
	for _, id := range a.data.Plan.Inputs(item) {
		if name, ok := a.cfg.Board.Inside().ResultName(id); ok {
			names = append(names, name)
		}
	}
	return names
}

// union returns what is in one list or the other, each once.
func union(first, second []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(first, second), func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}

// briefly lists ids, as many as a reader wants.
func briefly(ids []string) string {
	shown := ids[:min(promptsize.Listed, len(ids))]
	words := make([]string, len(shown))
	for i, id := range shown {
		words[i] = fmt.Sprintf("%q", id)
	}
	text := strings.Join(words, ", ")
	if more := len(ids) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
