package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// guard knows on its own what may be executed, and notes what was executed
// without it. It stands on all four sides of the agents: it hears what the policy
// says and what the person approves, and sees what reaches the desktop. Every
// execution uses up a verdict, and one that a person must confirm also that
// person's yes, which lapses with the next question and the next call of the model.
type guard struct {
	verdicts map[string]policies.Verdict
	granted  string   // the command of the last yes, "" when it is used up
	confirms bool     // the last reply wants whatever it does to be confirmed
	Broken   []string // what should not have happened
}

func newGuard() *guard { return &guard{verdicts: map[string]policies.Verdict{}} }

// watch puts the guard around an agent that is to be made, but for its model: see conversation.model.
func (g *guard) watch(cfg *appagent.Config, programs []hostagent.Program) {
	if cfg.Policy == nil {
		cfg.Policy = hostagent.DefaultPolicy(programs)
	}
	cfg.Desktop, cfg.Policy = g.desktop(cfg.Desktop), g.policy(cfg.Policy)
	if cfg.User != nil {
		cfg.User = g.user(cfg.User)
	}
}

// same commands have the same text, others another.
func textOf(cmd desktop.Command) string {
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return fmt.Sprintf("%s (%v)", cmd.ToolName, err)
	}
	if cmd.Origin != "" {
		return fmt.Sprintf("%q of %q %s", cmd.ToolName, cmd.Origin, raw)
	}
	return fmt.Sprintf("%q %s", cmd.ToolName, raw)
}

func (g *guard) policy(p policies.Func) policies.Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		key := textOf(cmd) // before p can change it
		delete(g.verdicts, key)
		v := p(ctx, tool, cmd)
		g.verdicts[key] = v
		return v
	}
}

func (g *guard) user(u people.User) people.User {
	return people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
		g.granted = ""
		if strings.ContainsFunc(q.Text, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) {
			g.blame("a terminal would obey the question %q", q.Text)
		}
		key := ""
		if q.Command != nil {
			key = textOf(*q.Command) // before u can change it
		}
		a, err := u.Ask(ctx, q)
		if err == nil && a.Approved && ctx.Err() == nil {
			g.granted = key
		}
		return a, err
	})
}

func (g *guard) model(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		g.granted, g.confirms = "", false
		resp, err := m.Complete(ctx, req)
		if err == nil && resp != nil {
			var said struct{ Status fsm.Status }
			g.confirms = json.Unmarshal([]byte(resp.Text), &said) == nil && said.Status == fsm.Confirm ||
				slices.ContainsFunc(resp.Calls, func(c llm.Call) bool { return c.Name == string(fsm.Confirm) })
		}
		return resp, err
	})
}

func (g *guard) desktop(d desktop.Desktop) desktop.Desktop {
	if _, ok := d.(desktop.Scoper); ok {
		return &guardedScoper{guarded{d, g}}
	}
	return &guarded{d, g}
}

// arrives is a command at the desktop.
func (g *guard) arrives(cmd desktop.Command) {
	if cmd.Looks {
		if tool, ok := desktop.ToolNamed(cmd.ToolName); !ok || !tool.Annotations.ReadOnlyHint || len(cmd.Parameters) > 0 {
			g.blame("%s was executed as an observation", textOf(cmd))
		}
		return
	}
	key := textOf(cmd)
	v, judged := g.verdicts[key]
	delete(g.verdicts, key)
	switch {
	case !judged:
		g.blame("%s was executed, and no policy was asked", key)
	case v.Action == policies.Allow && !g.confirms:
	case v.Action == policies.Allow && g.granted == key:
		g.granted = ""
	case v.Action == policies.Allow:
		g.blame("%s was executed, and the model wanted it to be confirmed", key)
	case v.Action == policies.Confirm && g.granted == key:
		g.granted = ""
	case v.Action == policies.Confirm:
		g.blame("%s was executed, and nobody approved it", key)
	default:
		g.blame("%s was executed, and the policy denies it: %s", key, v.Reason)
	}
}

func (g *guard) blame(format string, args ...any) {
	g.Broken = append(g.Broken, fmt.Sprintf(format, args...))
}

type guarded struct {
	desktop.Desktop
	guard *guard
}

func (d *guarded) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	d.guard.arrives(cmd)
	return d.Desktop.Execute(ctx, cmd)
}

type guardedScoper struct{ guarded }

func (d *guardedScoper) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	inner, err := d.Desktop.(desktop.Scoper).Scope(ctx, id)
	if err != nil {
		return nil, err
	}
	return d.guard.desktop(inner), nil
}

var _ desktop.Scoper = (*guardedScoper)(nil)

// policies is what the line "policy" names: policies with + between them, all of which must agree.
func (c *conversation) policies(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	named := "default"
	for _, l := range c.lines {
		if l.kind == "policy" {
			named = l.text
		}
	}
	var list []policies.Func
	for name := range strings.SplitSeq(named, "+") {
		list = append(list, c.policy(strings.Fields(name)))
	}
	return policies.All(list...)(ctx, tool, cmd)
}

func (c *conversation) policy(words []string) policies.Func {
	name, rest := words[0], words[1:]
	switch name {
	case "default":
		return hostagent.DefaultPolicy(c.s.Config.Apps)
	case "ask": // what the one behind it denies, a person may approve
		return policies.Ask(c.policy(rest))
	case "distrust":
		return policies.Distrust(hostagent.DefaultPolicy(c.s.Config.Apps), rest...)
	case "read-only":
		return policies.ReadOnly()
	case "ask-destructive":
		return policies.AskDestructive(rest...)
	case "except": // the tool, and the policy that is not asked about it
		return policies.Except(c.policy(rest[1:]), rest[0])
	case "tools":
		return policies.Tools(rest...)
	case "apps":
		return policies.Apps(rest, &policies.AppOptions{
			Windows: func(ctx context.Context) ([]desktop.Window, error) { return desktop.Windows(ctx, c.s.Desktop) },
		})
	case "paths":
		return policies.Paths(must(policies.NewRoots(rest, nil)), nil)
	case "windows-paths":
		return policies.Paths(must(policies.NewRoots(rest, &policies.RootOptions{Windows: true})), nil)
	case "hosts":
		return policies.Hosts(must(policies.NewHostList(rest)), nil)
	}
	require.Fail(c.t, "there is no policy "+name)
	return nil
}
