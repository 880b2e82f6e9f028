package acting

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/policies"
)

// Act is one command that a decision asks for.
type Act struct {
	Command desktop.Command `json:"command"`
	// Target says what the command acts on, as it looks now: a window, a control
	// with its name. An approval is of the command on this target.
	Target string `json:"target,omitempty"`
	// Focus is the control that gets keys which name none.
	Focus string `json:"focus,omitempty"`
	// Label is the id of the control behind Target, to look at it again.
	Label string `json:"label,omitempty"`
	// Title is what a person reads of the window. It may change.
	Title string `json:"title,omitempty"`
}

// aim is what the act is aimed at, in words.
func (act Act) aim() string {
	if act.Focus == "" {
		return act.Target
	}
	return strings.TrimSpace(act.Target + " with the focus on " + act.Focus)
}

// of returns the act with the origin of the tool that executes it.
func (act Act) of(tool desktop.Tool) Act {
	act.Command.Origin = tool.Origin
	return act
}

// Acted is an act and what became of it.
type Acted struct {
	Act
	Result desktop.Result `json:"result"`
}

// Actor executes acts under a policy.
type Actor struct {
	Desktop desktop.Desktop
	Tools   *desktop.Toolbox // nil: what Desktop lists at each call
	Policy  policies.Func    // nil: policies.Default
	NewID   func() string    // makes ids of approvals; nil: UUIDs
	// Look returns an act with its Target, Focus and Title as they are now. Perform
	// asks it before each act but the first, since those before may have changed the
	// screen, and before the first one, too, where what was seen comes from the journal
	// of a run that was resumed. Nil: targets do not change.
	Look func(ctx context.Context, act Act) Act
}

// Performance is what became of a list of acts: one entry for each, in order.
type Performance struct {
	Acted []Acted
	// Approval is set when an act needs a person's approval. It and the acts
	// behind it were not executed.
	Approval *Approval
}

// Failed returns the first act that failed, or nil.
func (p Performance) Failed() *Acted {
	for i := range p.Acted {
		if p.Acted[i].Result.Status == desktop.Failure {
			return &p.Acted[i]
		}
	}
	return nil
}

// Problem says what failed, "" for nothing.
func (p Performance) Problem() string {
	failed := p.Failed()
	if failed == nil {
		return ""
	}
	return because(failed.Command.ToolName+" failed", failed.Result.Error)
}

// Perform executes the acts in order and stops at the first that fails, is
// denied, needs approval or is aimed at something else by now; the rest is marked
// as skipped. With confirm the first act needs approval also when the policy
// allows it.
//
// A command that ran into its deadline counts as failed: it may or may not
// have happened. An error is returned for a broken transport, for arguments
// that do not fit the tool and for a cancelled context, together with what was
// done before it.
func (a *Actor) Perform(ctx context.Context, acts []Act, confirm bool) (Performance, error) {
	var p Performance
	tools, err := a.tools(ctx)
	if err != nil {
		p.skip(acts, "not executed")
		return p, err
	}
	for _, act := range acts {
		// Also of those that will be skipped: the decision that is recorded has them.
		Announce(ctx, tools, act.Command)
	}
	for i, act := range acts {
		if a.Look != nil && (i > 0 || trace.Stale(ctx)) {
			now := a.Look(ctx, act)
			// An action before it may have moved the focus: that is what it was for.
			if moved := now.Target != act.Target || i == 0 && now.Focus != act.Focus; moved && ctx.Err() == nil {
				p.miss(act, now, i == 0)
				p.skip(acts[i+1:], "an action before it failed")
				return p, nil
			}
			act.Focus, act.Title = now.Focus, now.Title
		}
		tool, verdict, err := a.judge(ctx, tools, act)
		if err != nil {
			p.skip(acts[i:], "not executed")
			return p, err
		}
		act = act.of(tool)
		if confirm && i == 0 && verdict.Action == policies.Allow {
			verdict = policies.Verdict{Action: policies.Confirm, Reason: "the model asks for confirmation"}
		}
		a.note(ctx, act, verdict)
		switch verdict.Action {
		case policies.Allow:
		case policies.Deny:
			p.deny(act, verdict)
			p.skip(acts[i+1:], "an action before it was denied")
			return p, nil
		default:
			p.Approval = NewApproval(makeID(a.NewID), act, verdict.Reason)
			p.Approval.Shown, p.Approval.Hints = tools.Mask(act.Command), &tool.Annotations
			p.skip(acts[i:i+1], "it waits for approval")
			p.skip(acts[i+1:], "an action before it waits for approval")
			return p, nil
		}
		if stop, err := a.execute(ctx, act, &p); err != nil || stop {
			p.skip(acts[i+1:], "an action before it failed")
			return p, err
		}
	}
	return p, nil
}

// PerformApproved executes exactly the approved command. now is the same act
// as it looks at this moment; where it is not what was approved, or its tool is gone,
// takes other arguments, comes from another origin or says something else about
// itself, nothing is executed and the result says so. The policy is asked again: it may
// deny by now, but it need not be confirmed a second time. The caller forgets the
// approval before it calls, so that no fault can execute it twice.
func (a *Actor) PerformApproved(ctx context.Context, approval *Approval, now Act) (Performance, error) {
	var p Performance
	tools, err := a.tools(ctx)
	if err != nil {
		p.skip([]Act{now}, "not executed")
		return p, err
	}
	if why := void(approval, now, tools); why != "" {
		p.add(now, desktop.Result{Status: desktop.Failure, CallID: now.Command.CallID, Error: why})
		return p, nil
	}
	act := approval.Act // not now: equal by its digest, but this is what was asked about
	if a.Look != nil && trace.Stale(ctx) {
		if seen := a.Look(ctx, act); (seen.Target != act.Target || seen.Focus != act.Focus) && ctx.Err() == nil {
			p.miss(act, seen, true)
			return p, nil
		}
	}
	Announce(ctx, tools, act.Command)
	_, verdict, err := a.judge(ctx, tools, act)
	if err != nil {
		p.skip([]Act{act}, "not executed")
		return p, err
	}
	if verdict.Action != policies.Confirm { // that one was recorded when it was asked about
		a.note(ctx, act, verdict)
	}
	if verdict.Action == policies.Deny {
		p.deny(act, verdict)
		return p, nil
	}
	_, err = a.execute(ctx, act, &p)
	return p, err
}

// void says why an approval is not one of the act as it is now, "" where it is.
func void(approval *Approval, now Act, tools *desktop.Toolbox) string {
	if problem := tools.Check(now.Command); problem != nil {
		return "the approval is void: " + problem.Error()
	}
	tool, _ := tools.Tool(now.Command.ToolName)
	now = now.of(tool)
	was := approval.Act.Command.Origin
	switch {
	case approval.Hints != nil && *approval.Hints != tool.Annotations:
		return "the approval is void: what its tool says about itself changed after it was asked for"
	case approval.Covers(now):
		return ""
	case now.Command.Origin != was:
		return fmt.Sprintf("the approval is void: %s was a tool of %s, and is one of %s", now.Command.ToolName, orNobody(was), orNobody(tool.Origin))
	}
	return "the approval is void: the command or its target changed after it was asked for"
}

func orNobody(origin string) string {
	if origin == "" {
		return "the desktop itself"
	}
	return origin
}

func (a *Actor) tools(ctx context.Context) (*desktop.Toolbox, error) {
	if a.Tools != nil {
		return a.Tools, nil
	}
	return desktop.Open(ctx, a.Desktop)
}

// judge checks the arguments and asks the policy about the tool that it returns.
func (a *Actor) judge(ctx context.Context, tools *desktop.Toolbox, act Act) (desktop.Tool, policies.Verdict, error) {
	if ctx.Err() != nil {
		return desktop.Tool{}, policies.Verdict{}, context.Cause(ctx)
	}
	if err := tools.Check(act.Command); err != nil {
		return desktop.Tool{}, policies.Verdict{}, err
	}
	tool, _ := tools.Tool(act.Command.ToolName)
	act = act.of(tool)
	// A copy: what the policy judged is what is executed.
	return tool, a.Policy.Judge(ctx, tool, cloneCommand(act.Command)), nil
}

func (a *Actor) note(ctx context.Context, act Act, v policies.Verdict) {
	if v.Action != policies.Allow || v.Reason != "" {
		trace.From(ctx).Verdict(trace.Verdict{
			Tool: act.Command.ToolName, CallID: act.Command.CallID,
			Action: v.Action.String(), Reason: v.Reason,
		})
	}
}

func (a *Actor) execute(ctx context.Context, act Act, p *Performance) (stop bool, err error) {
	result, err := desktop.Execute(ctx, a.Desktop, act.Command)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			p.add(act, desktop.Result{
				Status: desktop.Failure, CallID: act.Command.CallID,
				Error: "no answer in time; it may or may not have happened",
			})
			return true, nil
		}
		p.add(act, desktop.Result{
			Status: desktop.Failure, CallID: act.Command.CallID,
			Error: "it may or may not have happened: " + err.Error(),
		})
		return true, err
	}
	if result.Status == desktop.Skipped {
		// Nobody but this package skips: to the model it did not happen.
		result.Status, result.Error = desktop.Failure, because("the desktop skipped it", result.Error)
	}
	p.add(act, result)
	return result.Status != desktop.Success, nil
}

func (p *Performance) add(act Act, result desktop.Result) {
	p.Acted = append(p.Acted, Acted{Act: act, Result: result})
}

func (p *Performance) deny(act Act, v policies.Verdict) {
	p.add(act, desktop.Result{
		Status: desktop.Failure, CallID: act.Command.CallID,
		Error: because("denied by policy", v.Reason),
	})
}

// miss notes an act that was decided for something else than what is there now.
func (p *Performance) miss(act, now Act, first bool) {
	when := "after the actions before it"
	if first {
		when = "now that the run was resumed"
	}
	p.add(act, desktop.Result{
		Status: desktop.Failure, CallID: act.Command.CallID,
		Error: fmt.Sprintf("it was not executed: its target was %s, and is %s %s", act.aim(), now.aim(), when),
	})
}

func (p *Performance) skip(acts []Act, why string) {
	for _, act := range acts {
		p.add(act, desktop.Result{Status: desktop.Skipped, Error: why, CallID: act.Command.CallID})
	}
}

func cloneCommand(cmd desktop.Command) desktop.Command {
	cmd.Parameters = clone.Map(cmd.Parameters)
	return cmd
}
