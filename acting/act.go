package acting

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
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
	// Label is the id of the control that Target names, to look at it again.
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

// Look returns an act with its Target, Focus and Title as they are now. Other changes of the
// act are ignored.
type Look func(ctx context.Context, act Act) Act

// at returns an act as it is aimed now. Without a Look targets do not change.
func (look Look) at(ctx context.Context, act Act) Act {
	if look == nil {
		return act
	}
	now := look(ctx, act)
	act.Target, act.Focus, act.Title = now.Target, now.Focus, now.Title
	return act
}

// Performance is what became of a list of acts: one entry for each, in order.
type Performance struct {
	Acted []Acted
	// Approval is set when an act needs a person's approval. That act and the acts
	// after it were not executed; [Work.PerformApproved] goes on with them.
	Approval *Approval

	late string   // what went wrong after the acts, as [Actor].After says
	rest []behind // the acts after that of Approval
}

// Problem says what went wrong: what [Actor].After returned, or else the first act that
// failed. "" means that nothing went wrong.
func (p Performance) Problem() string {
	if p.late != "" {
		return p.late
	}
	for _, a := range p.Acted {
		if a.Result.Status == desktop.Failure {
			return problem(a.Command.ToolName, a.Result.Error)
		}
	}
	return ""
}

// Errors of acts begin with these: one never came to the desktop, the other came and may have happened.
const (
	notExecuted = "it was not executed: "
	unheard     = "no answer came in time: "
)

// problem says of a tool, by its name, what the error of its act says. It does not say that a call
// failed which nobody made, or of which nobody knows that.
func problem(tool, why string) string {
	if rest, ok := strings.CutPrefix(why, notExecuted); ok {
		return tool + " was not executed: " + rest
	}
	if rest, ok := strings.CutPrefix(why, unheard); ok {
		return tool + " gave no answer in time: " + rest
	}
	return because(tool+" failed", why)
}

func (p *Performance) add(act Act, result desktop.Result) {
	p.Acted = append(p.Acted, Acted{Act: act, Result: result})
}

func (p *Performance) fail(act Act, why string) {
	p.add(act, desktop.Result{Status: desktop.Failure, CallID: act.Command.CallID, Error: why})
}

// unanswered notes an act that was sent, and of which nobody knows whether it happened.
func (p *Performance) unanswered(act Act, tool desktop.Tool, why string) {
	result := desktop.Result{Status: desktop.Failure, CallID: act.Command.CallID, Error: why}
	if !tool.Annotations.ReadOnlyHint {
		result.Unverified = why
	}
	p.add(act, result)
}

func (p *Performance) deny(act Act, v policies.Verdict) {
	p.fail(act, because("denied by policy", v.Reason))
}

// miss notes an act that was decided for something else than what is there now.
func (p *Performance) miss(act, now Act, first bool) {
	p.fail(act, elsewhere(act, now, when(first)))
}

// when says when the target of an act changed: of the first one it did so before the list began.
func when(first bool) string {
	if first {
		return "while the run was stopped"
	}
	return "after the actions before it"
}

// elsewhere says why an act was not executed that was decided for something else, in the words of
// what changed: a focus that both have is left out.
func elsewhere(was, now Act, when string) string {
	if was.Target != now.Target && was.Focus == now.Focus {
		was.Focus, now.Focus = "", ""
	}
	return fmt.Sprintf("%s%s, its target had changed from %s to %s: look again", notExecuted, when, was.aim(), now.aim())
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

func because(what, text string) string {
	switch {
	case text == "":
		return what
	case what == "":
		return text
	}
	return what + ": " + text
}
