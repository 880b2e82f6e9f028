package linux

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// turn is what one step knows.
type turn struct {
	actor       *acting.Actor
	decision    Decision
	performance acting.Performance
}

// step is CONTINUE.
func (a *Agent) step(ctx context.Context) error {
	t := &turn{}
	if err := a.collect(ctx, t); err != nil {
		return err
	}
	if err := a.decide(ctx, t); err != nil {
		return err
	}
	// What was executed must be in the next prompt, also when the step broke then.
	return errors.Join(a.act(ctx, t), a.remember(t))
}

// collect looks which tools there are, and executes what a person has approved:
// before any model is asked, so that nothing can come between.
func (a *Agent) collect(ctx context.Context, t *turn) error {
	box, err := desktop.Open(ctx, a.cfg.Desktop, nil)
	if err != nil {
		return err
	}
	t.actor = a.actor()
	t.actor.Tools = box
	_, err = a.data.PerformApproved(ctx, t.actor, a.data.Task.ID) // a shell is always the same target
	return err
}

// decide asks the model.
func (a *Agent) decide(ctx context.Context, t *turn) error {
	var err error
	t.decision, err = deciding.Ask(ctx, deciding.Inquiry[Decision]{
		Model:     a.cfg.Model,
		Messages:  []llm.Message{llm.Text(llm.System, a.cfg.Prompt)},
		Sections:  a.sections(),
		Allowed:   deciding.Allowed(a), // what the table lets a model write in CONTINUE
		Seen:      func(ctx context.Context, d Decision) { acting.Announce(ctx, t.actor.Tools, command(d)) },
		Check:     func(d Decision) error { return a.check(t, d) },
		MaxReasks: a.cfg.MaxReasks,
	})
	return err
}

// sections are the prompt: everything that others wrote stays in one of them.
func (a *Agent) sections() []llm.Section {
	list := []llm.Section{}
	add := func(name string, value any, there bool) {
		if there {
			list = append(list, llm.Section{Name: name, Value: value})
		}
	}
	history := a.data.Memory.Recent(a.cfg.MaxMemory)
	add("request", a.data.Request, a.data.Request != "")
	add("subtask", a.data.Task, true)
	add("terminal", a.cfg.Window, a.cfg.Window.Root != "")
	add("docs", a.cfg.Docs, a.cfg.Docs != "")
	add("previous_subtasks", a.data.Before, len(a.data.Before) > 0)
	add("history", history, len(history) > 0)
	add("answers", a.data.Answers, len(a.data.Answers) > 0)
	add("last_error", a.data.LastError, a.data.LastError != "")
	return list
}

// check is asked before a reply is believed. It changes nothing.
func (a *Agent) check(t *turn, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}
	if d.Bash != "" {
		if err := t.actor.Tools.Check(command(d)); err != nil {
			return err
		}
	}
	_, err := a.result(d)
	return err
}

// result is what a decision says came out: {"$ref": "action_result_1"} becomes what the
// blackboard has there, so that a long output is handed on whole, though the model saw its head.
func (a *Agent) result(d Decision) (json.RawMessage, error) {
	if d.Status != fsm.Finish || len(d.Result) == 0 {
		return nil, nil
	}
	return acting.ResolveJSON(a.cfg.Board, d.Result)
}

// command is what a decision wants executed.
func command(d Decision) desktop.Command {
	if strings.TrimSpace(d.Bash) == "" {
		return desktop.Command{}
	}
	return desktop.Shell(d.Bash)
}

// act executes the command line, if the policy lets it, and says where to go.
func (a *Agent) act(ctx context.Context, t *turn) error {
	var acts []acting.Act
	if c := command(t.decision); c.ToolName != "" {
		acts = append(acts, acting.Act{Command: c})
	}
	result, err := a.result(t.decision)
	if err != nil {
		return err
	}
	wish := acting.Wish{To: t.decision.Status, Reason: t.decision.Comment, Questions: t.decision.Questions, Result: result}
	done, next, err := a.data.Perform(ctx, t.actor, acts, wish)
	t.performance = done
	return a.Settle(next, err)
}

// remember notes what was decided and what became of it.
func (a *Agent) remember(t *turn) error {
	d := t.decision
	d.Bash = "" // it is among the actions
	decision, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return a.data.Memory.Record(a.cfg.Board, acting.Memo{Task: a.data.Task.ID, Decision: decision}, t.performance.Acted)
}
