package acting_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// person gives these answers in order, keeps what it was asked, and then is away.
type person struct {
	answers []any // a string, a bool, an error or a func
	asked   []people.Question
}

func (p *person) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	p.asked = append(p.asked, q)
	if len(p.answers) == 0 {
		<-ctx.Done()
		return people.Answer{}, ctx.Err()
	}
	next := p.answers[0]
	p.answers = p.answers[1:]
	switch v := next.(type) {
	case string:
		return people.Answer{Text: v}, nil
	case bool:
		return people.Answer{Approved: v}, nil
	case error:
		return people.Answer{}, v
	}
	return next.(func(context.Context, people.Question) (people.Answer, error))(ctx, q)
}

func answers(list ...any) *person { return &person{answers: list} }

// errSuspended is how a User says that the answer comes from elsewhere.
var errSuspended = fmt.Errorf("mail is out: %w", fsm.ErrSuspend)

var errBroken = errors.New("broken")

// sink keeps what a step reports, as a Round does.
type sink struct {
	untimed   bool
	phases    []string
	decisions []any
	repairs   []llm.Repair
	refused   []string
	verdicts  []trace.Verdict
	masked    []desktop.Command
	secrets   []string
}

func (s *sink) Timed() bool                        { return !s.untimed }
func (s *sink) Phase(name string, _ time.Duration) { s.phases = append(s.phases, name) }
func (s *sink) Decision(v any)                     { s.decisions = append(s.decisions, v) }
func (s *sink) Repaired(repairs []llm.Repair)      { s.repairs = append(s.repairs, repairs...) }
func (s *sink) Refused(problem error)              { s.refused = append(s.refused, problem.Error()) }
func (s *sink) Verdict(v trace.Verdict)            { s.verdicts = append(s.verdicts, v) }
func (s *sink) Secrets(masked, _ desktop.Command, values []string) {
	s.masked, s.secrets = append(s.masked, masked), append(s.secrets, values...)
}

// bench is a desktop with a few tools, and an actor that acts on it.
func bench(t *testing.T, policy policies.Func) (*desktoptest.Desktop, *acting.Actor) {
	t.Helper()
	d := desktoptest.New(t)
	d.AddTools(
		desktoptest.Tool{Name: "write", Returns: "written", Schema: `{"type": "object", "properties": {"n": {"type": "integer"}}}`},
		desktoptest.Tool{Name: "erase", Annotations: desktop.Annotations{DestructiveHint: true}},
		desktoptest.Tool{Name: "login", Schema: `{"type": "object", "properties": {"password": {"type": "string", "writeOnly": true}}}`},
		desktoptest.Tool{Name: "break"},
	)
	d.Fail("break", "it is broken")
	return d, &acting.Actor{Desktop: d, Policy: policy, NewID: func() string { return "a1" }}
}

// verdicts is a policy that gives each tool its verdict, and allows the others.
func verdicts(byTool map[string]policies.Verdict) policies.Func {
	return func(_ context.Context, tool desktop.Tool, _ desktop.Command) policies.Verdict {
		if v, ok := byTool[tool.Name]; ok {
			return v
		}
		return policies.Verdict{Action: policies.Allow}
	}
}

func acts(tools ...string) []acting.Act {
	var list []acting.Act
	for _, tool := range tools {
		list = append(list, acting.Act{Command: desktop.Command{ToolName: tool, CallID: "c-" + tool}})
	}
	return list
}

// became is what became of each act: its status, and the error behind it.
func became(p acting.Performance) []string {
	var list []string
	for _, a := range p.Acted {
		line := a.Command.ToolName + " " + string(a.Result.Status)
		if a.Result.Error != "" {
			line += ": " + a.Result.Error
		}
		list = append(list, line)
	}
	return list
}

func write(params map[string]any) acting.Act {
	return acting.Act{Command: desktop.Command{ToolName: "write", Parameters: params}, Target: "book"}
}

func granted(t *testing.T, act acting.Act) *acting.Approval {
	t.Helper()
	w := waitingFor(act)
	d := confirm(t, w.Approval, answers(true), "")
	require.Equal(t, fsm.Continue, d.To, d.Reason)
	return w.Approval
}

// done executes what was approved.
func done(ctx context.Context, actor *acting.Actor, a *acting.Approval) (acting.Performance, error) {
	w := acting.Work{Approval: a}
	return w.PerformApproved(ctx, actor, "")
}

// confirm asks a person to approve.
func confirm(t *testing.T, a *acting.Approval, user people.User, comment string) fsm.Decision {
	t.Helper()
	d, err := (&acting.Work{Approval: a}).Confirm(t.Context(), &acting.Actor{User: user, Agent: "clerk"}, comment)
	require.NoError(t, err)
	return d
}

// counted makes ids q1, q2, …
func counted() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("q%d", n) }
}

// wishes returns a work that a decision without acts led to CONFIRM or PENDING.
func wishes(t *testing.T, actor *acting.Actor, wish acting.Wish) acting.Work {
	t.Helper()
	var w acting.Work
	_, _, err := w.Perform(t.Context(), actor, nil, wish)
	require.NoError(t, err)
	return w
}

// pending returns a work that waits for answers to these questions.
func pending(t *testing.T, questions ...string) acting.Work {
	t.Helper()
	return wishes(t, &acting.Actor{NewID: counted()}, acting.Wish{To: fsm.Pending, Reason: "why", Questions: questions})
}

// waitingFor waits for the approval of act.
func waitingFor(act acting.Act) *acting.Work {
	return &acting.Work{Approval: acting.NewApproval("a1", act, "")}
}

func looks(target string) acting.Look {
	return func(_ context.Context, act acting.Act) acting.Act { act.Target = target; return act }
}

// counter is a desktop whose tools are replaced.
type counter struct {
	tools []desktop.Tool
	ran   []desktop.Command
}

func (c *counter) Tools(context.Context) ([]desktop.Tool, error) { return c.tools, nil }

func (c *counter) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	c.ran = append(c.ran, cmd)
	return desktop.Result{Status: desktop.Success}, nil
}
