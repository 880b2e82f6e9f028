package acting

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// Actor executes acts under a policy, and asks a person for approvals and answers.
type Actor struct {
	// For acts:

	Desktop desktop.Desktop
	Tools   *desktop.Toolbox // nil: what Desktop lists at each call
	Policy  policies.Func    // nil: policies.Default
	// Look is called before an approval is asked for, before an approved act, and before each
	// act of a list but the first, because the acts before it may have changed the screen. In a
	// run that was resumed it is called before the first act, too, where the agent saw the
	// screen in another process. Nil: targets do not change.
	Look Look
	// After gets what was executed, and returns what went wrong since then, such as a launched
	// program that shows no window. Nil: nothing goes wrong.
	After func(ctx context.Context, acted []Acted) (problem string, err error)
	Place string // the Place of the [Memo] that PerformApproved writes

	// For questions:

	Agent   string        // the name of the agent that asks
	User    people.User   // nil: nobody
	Timeout time.Duration // for each question, as in people.Ask

	// For both:

	Board *blackboard.Board // for answers, and for output that is too long for a prompt; nil: nowhere
	NewID func() string     // makes ids of questions; nil: UUIDs
}

// Perform executes the acts of a decision, as [Actor.Perform] does, and returns where to go.
// That is where wish leads, with three exceptions:
//
//   - An act needs approval: the decision is CONFIRM, and w.Approval has the request.
//   - Something went wrong: the decision is CONTINUE, with that as the reason, because wish
//     expected something else. A wish for PENDING stays: a question can be asked all the same.
//   - wish leads to FAIL: nothing is executed.
//
// With a wish for CONFIRM the first act needs approval, whatever the policy says; without acts
// [Work.Confirm] asks whether to go on. With a wish for PENDING [Work.Pending] asks its
// Questions. A kind whose states have other names calls [Actor.Perform] and keeps the Approval
// that it returns in w.
func (w *Work) Perform(ctx context.Context, actor *Actor, acts []Act, wish Wish) (Performance, fsm.Decision, error) {
	w.Settled = nil
	var p Performance
	var err error
	if wish.To != fsm.Fail && len(acts) > 0 {
		p, err = actor.Perform(ctx, acts, wish.To == fsm.Confirm)
	}
	w.note(p)
	if err != nil {
		return p, fsm.Decision{}, err
	}
	next := wish.decision()
	switch {
	case p.Approval != nil:
		w.Approval, w.Rest = p.Approval, p.rest
		next.To, next.Reason = fsm.Confirm, cmp.Or(next.Reason, p.Approval.Reason)
		if wish.To != fsm.Confirm {
			next.By = fsm.BySystem
		}
	case p.Problem() != "" && wish.To != fsm.Pending:
		next = fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: p.Problem()}
	case wish.To == fsm.Confirm:
		w.GoOn = &goOn{ID: makeID(actor.NewID), Comment: wish.Reason}
	}
	switch next.To {
	case fsm.Pending:
		w.Interview = newInterview(wish.Questions, wish.Reason, actor.NewID)
	case fsm.Finish:
		w.Answer, w.Result = outcome(wish.Result, wish.Reason)
	default:
	}
	return p, next, nil
}

// PerformApproved executes the act that was approved, and adds it to the memory, also when it
// failed half way. An agent calls it before it asks the model again. task is the id of the
// sub-task. The approval is forgotten first, so that the act cannot happen twice. An act that
// nobody was asked about, because a step broke off before CONFIRM, is skipped and forgotten.
// Without an approval it does nothing.
//
// When the act succeeded, the rest of its list goes on, each act on the target and with the tool that
// it was decided for. When one of those needs approval, too, the Performance has it: the agent goes to CONFIRM and
// does not ask the model.
func (w *Work) PerformApproved(ctx context.Context, actor *Actor, task string) (Performance, error) {
	rest := w.Rest
	approval := w.forgetApproval()
	if approval == nil {
		return Performance{}, nil
	}
	var p Performance
	var err error
	if why := approval.void(taken, approval.Act, nil); why != "" {
		p.skip([]Act{approval.Act}, why)
	} else {
		p, err = actor.redeem(ctx, approval)
		if err == nil && p.Problem() == "" && len(rest) > 0 {
			err = actor.goOn(ctx, &p, rest)
		}
		p, err = actor.after(ctx, p, err)
		w.Approval, w.Rest = p.Approval, p.rest
	}
	w.note(p)
	if noted := w.Memory.Record(actor.Board, Memo{Task: task, Note: "after approval", Place: actor.Place}, p.Acted); err == nil {
		err = noted
	}
	return p, err
}

// note keeps what became of acts.
func (w *Work) note(p Performance) {
	w.LastError = p.Problem()
	for i := range p.Acted {
		w.Did = w.Did || p.Acted[i].Result.Status == desktop.Success
	}
}

// Perform executes the acts in order. It stops at the first that fails, is denied, needs
// approval or is aimed at something else by now, and marks the rest as skipped. With confirm
// each act needs approval even when the policy allows it.
//
// A command that ran into its deadline counts as failed. It may or may not have happened: unless its
// tool only reads, Result.Unverified says so.
// Perform returns an error for a broken transport, for arguments that do not fit the tool and
// for a cancelled context, together with what was done before it.
func (a *Actor) Perform(ctx context.Context, acts []Act, confirm bool) (Performance, error) {
	p, err := a.perform(ctx, acts, nil, confirm)
	return a.after(ctx, p, err)
}

// goOn executes the rest of a list after an approved act: a person has read in between, so that
// each target is looked at again.
func (a *Actor) goOn(ctx context.Context, p *Performance, rest []behind) error {
	acts := make([]Act, len(rest))
	for i := range rest {
		acts[i] = rest[i].Act
	}
	done, err := a.perform(ctx, acts, rest, false)
	p.Acted, p.Approval, p.rest = append(p.Acted, done.Acted...), done.Approval, done.rest
	return err
}

// perform is Perform. rest are the acts with the tools that they were decided for, where an act
// before them was approved meanwhile; nil: there was none.
func (a *Actor) perform(ctx context.Context, acts []Act, rest []behind, confirm bool) (Performance, error) {
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
		first, wanted := i == 0 && rest == nil, confirm || rest != nil && rest[i].Confirm
		if a.Look != nil && (!first || trace.Stale(ctx)) {
			now := a.Look(ctx, act)
			// An action before it may have moved the focus: that is what it was for.
			if moved := now.Target != act.Target || first && now.Focus != act.Focus; moved && ctx.Err() == nil {
				p.miss(act, now, first)
				p.skip(acts[i+1:], "an action before it failed")
				return p, nil
			}
			act.Focus, act.Title = now.Focus, now.Title
		}
		if rest != nil {
			if why := rest[i].void(tools); why != "" {
				p.fail(act, why)
				p.skip(acts[i+1:], "an action before it failed")
				return p, nil
			}
		}
		tool, verdict, err := a.judge(ctx, tools, act)
		if err != nil {
			p.skip(acts[i:], "not executed")
			return p, err
		}
		act = act.of(tool)
		if wanted && verdict.Action == policies.Allow {
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
			p.Approval.Shown, p.Approval.Tool = tools.Mask(act.Command), markOf(tool)
			p.skip(acts[i:i+1], "it waits for approval")
			p.skip(acts[i+1:], "an action before it waits for approval")
			if rest != nil {
				p.rest = rest[i+1:]
			} else {
				p.rest = behindIt(acts[i+1:], tools, confirm)
			}
			return p, nil
		}
		if stop, err := a.execute(ctx, act, tool, &p); err != nil || stop {
			p.skip(acts[i+1:], "an action before it failed")
			return p, err
		}
	}
	return p, nil
}

// redeem executes exactly the approved command. Where the approval is void, nothing
// is executed and the result says so. The policy is asked again: it may deny by now, but it
// need not be confirmed a second time.
func (a *Actor) redeem(ctx context.Context, approval *Approval) (Performance, error) {
	var p Performance
	act := approval.Act // this is what was asked about
	tools, err := a.tools(ctx)
	if err != nil {
		p.skip([]Act{act}, "not executed")
		return p, err
	}
	now := a.Look.at(ctx, act)
	if ctx.Err() != nil { // a look that was interrupted says nothing
		p.skip([]Act{act}, "not executed")
		return p, context.Cause(ctx)
	}
	at, told := executing, now
	if trace.Stale(ctx) {
		at, told = resumed, act // why says where it is now
	}
	if why := approval.void(at, now, tools); why != "" {
		p.fail(told, why)
		return p, nil
	}
	Announce(ctx, tools, act.Command)
	tool, verdict, err := a.judge(ctx, tools, act)
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
	_, err = a.execute(ctx, act, tool, &p)
	return p, err
}

func (a *Actor) after(ctx context.Context, p Performance, err error) (Performance, error) {
	if err == nil && a.After != nil {
		p.late, err = a.After(ctx, p.Acted)
	}
	return p, err
}

func (a *Actor) tools(ctx context.Context) (*desktop.Toolbox, error) {
	if a.Tools != nil {
		return a.Tools, nil
	}
	return desktop.Open(ctx, a.Desktop, nil)
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
	ctx = commands.WithAim(ctx, commands.Aim{Label: act.Label, Focus: act.Focus})
	return tool, policies.All(a.Policy)(ctx, tool, act.Command), nil // which gets copies
}

func (a *Actor) note(ctx context.Context, act Act, v policies.Verdict) {
	if v.Action != policies.Allow || v.Reason != "" {
		trace.From(ctx).Verdict(trace.Verdict{
			Tool: act.Command.ToolName, CallID: act.Command.CallID,
			Action: v.Action.String(), Reason: v.Reason,
		})
	}
}

func (a *Actor) execute(ctx context.Context, act Act, tool desktop.Tool, p *Performance) (stop bool, err error) {
	result, err := desktop.Execute(ctx, a.Desktop, act.Command)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			p.unanswered(act, tool, unheard+"nobody knows whether it happened; look before you repeat it")
			return true, nil
		}
		p.unanswered(act, tool, "nobody knows whether it happened: "+err.Error())
		return true, err
	}
	if result.Status == desktop.Skipped {
		// Nobody but this package skips: to the model it did not happen.
		result.Status, result.Error = desktop.Failure, because("the desktop did not execute it", result.Error)
	}
	p.add(act, result)
	return result.Status != desktop.Success, nil
}
