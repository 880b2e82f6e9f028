package appagent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/processor"
)

// turn is what one step knows.
type turn struct {
	builtin.View
	desktop     desktop.Desktop
	controls    []desktop.Control
	decided     bool
	decision    Decision
	acts        []processor.Act
	performance processor.Performance
}

func (a *Agent) phases() *processor.Pipeline[*turn] {
	return processor.NewPipeline(
		processor.Strategy[*turn]{Phase: processor.DataCollection, Run: a.collect},
		processor.Strategy[*turn]{Phase: processor.LLMInteraction, Run: a.decide},
		processor.Strategy[*turn]{Phase: processor.ActionExecution, Run: a.act},
		processor.Strategy[*turn]{Phase: processor.MemoryUpdate, Run: a.remember, Always: true},
	)
}

// process is CONTINUE.
func (a *Agent) process(ctx context.Context) error {
	err := a.performApproved(ctx)
	if err == nil {
		err = a.pipeline.Process(ctx, &turn{})
	}
	if gone(ctx, err) {
		a.Decide(fsm.Fail, fsm.BySystem, err.Error())
		return nil
	}
	return err
}

// gone reports whether the agent's window is not there any more. That is no
// fault: whoever gave the task can plan anew.
func gone(ctx context.Context, err error) bool {
	var scope *desktop.ScopeError
	return ctx.Err() == nil && errors.As(err, &scope)
}

// observe is SCREENSHOT. A window that is gone is the next CONTINUE's affair.
func (a *Agent) observe(ctx context.Context) error {
	if err := a.pipeline.Run(ctx, processor.DataCollection, &turn{}); err != nil && !gone(ctx, err) {
		return err
	}
	a.Decide(fsm.Continue, fsm.BySystem, "observed")
	return nil
}

// collect looks at the window. What cannot be seen is said in the prompt; only
// without a list of tools there is nothing that the agent could do.
func (a *Agent) collect(ctx context.Context, t *turn) error {
	d, err := a.desktop(ctx)
	if err != nil {
		return err
	}
	t.desktop = d
	if t.Box, err = desktop.Open(ctx, d); err != nil {
		return err
	}
	if !a.cfg.NoImages {
		err = t.Look(ctx, "screenshot", desktop.CaptureWindowScreenshot, func() (err error) {
			t.Screenshot, err = desktop.ScreenshotWindow(ctx, d)
			return err
		})
		if err != nil {
			return err
		}
	}
	return t.Look(ctx, "controls", desktop.GetUITree, func() (err error) {
		t.controls, err = desktop.UITree(ctx, d)
		return err
	})
}

func (a *Agent) desktop(ctx context.Context) (desktop.Desktop, error) {
	if a.scoped == nil {
		d := a.cfg.Desktop
		if a.cfg.Window.ID != "" {
			var err error
			if d, err = desktop.Scope(ctx, d, a.cfg.Window.ID); err != nil {
				return nil, err
			}
		}
		a.scoped = d
	}
	return a.scoped, nil
}

func (a *Agent) decide(ctx context.Context, t *turn) error {
	allowed := processor.Allowed(a)
	messages, err := a.messages(t, allowed)
	if err != nil {
		return err
	}
	t.decision, err = processor.Decide(ctx, processor.Inquiry[Decision]{
		Model: a.cfg.Model, Messages: messages, Allowed: allowed,
		Check:     func(d *Decision) error { return a.check(ctx, t, d) },
		MaxReasks: a.cfg.MaxReasks, MaxTokens: a.cfg.MaxTokens, Temperature: a.cfg.Temperature,
	})
	if err != nil {
		return err
	}
	t.decided = true
	return nil
}

// remember notes what was decided and done, also of a step that failed half
// way: what was executed must be in the next prompt.
func (a *Agent) remember(_ context.Context, t *turn) error {
	if !t.decided {
		return nil
	}
	a.data.Steps++
	decision, err := json.Marshal(summary(t.decision))
	if err != nil {
		return err
	}
	memo := processor.Memo{Task: a.data.Task.ID, Decision: decision}
	if err := a.data.Memory.Record(a.cfg.Board, memo, t.performance.Acted); err != nil {
		return err
	}
	if err := blackboard.Trajectories.Append(a.cfg.Board, decision); err != nil {
		return err
	}
	return a.saveScreenshot(t)
}

// summary is a decision without what the memory has elsewhere.
func summary(d Decision) Decision {
	d.Function, d.Args, d.Actions, d.SaveScreenshot = "", nil, nil, nil
	if len(d.Result) > processor.MaxOutput {
		d.Result = nil
	}
	return d
}

func (a *Agent) saveScreenshot(t *turn) error {
	wanted, reason := t.decision.wantsScreenshot()
	if !wanted || t.Screenshot == nil {
		return nil
	}
	blob, err := a.cfg.Board.PutBlob(t.Screenshot.MediaType, t.Screenshot.Data)
	if err != nil {
		return err
	}
	note, err := json.Marshal(map[string]any{"agent": a.cfg.Name, "screenshot": blob.Ref, "reason": reason})
	if err != nil {
		return err
	}
	return blackboard.Trajectories.Append(a.cfg.Board, note)
}
