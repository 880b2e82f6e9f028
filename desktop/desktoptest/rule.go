package desktoptest

import (
	"context"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

type ruleKind uint8

const (
	before  ruleKind = iota // all that fit are called
	instead                 // the oldest that fits decides
	after                   // all that fit are called
)

// Rule is a fault or a hook of a [Desktop], from the call that made it on. Its
// methods narrow it and return it; call them before the next
// command comes.
type Rule struct {
	desktop *Desktop
	kind    ruleKind
	tool    string // "": any
	skip    int    // calls that still pass by
	left    int    // calls that it still meets; negative: all
	late    bool
	works   bool // what do does counts as carried out
	do      reaction
}

type reaction = func(context.Context, Call) (desktop.Result, error)

// Times limits the rule to n calls.
func (r *Rule) Times(n int) *Rule { return r.set(func() { r.left = n }) }

// Skip lets the first n calls pass that the rule fits.
func (r *Rule) Skip(n int) *Rule { return r.set(func() { r.skip = n }) }

// Late has the command carried out first: the failure, the broken transport or
// the panic comes when it has taken effect. It changes neither Slow nor a hook.
func (r *Rule) Late() *Rule { return r.set(func() { r.late = true }) }

func (r *Rule) set(f func()) *Rule {
	r.desktop.mu.Lock()
	defer r.desktop.mu.Unlock()
	f()
	return r
}

// Slow delays a tool by the clock; it does nothing if the caller's context ends
// before. Negative: for ever. The tool "" is any tool, here and in the other
// faults; a name that nothing offers fails the test. Rules for list_tools hold
// for [Desktop.Tools] too.
func (d *Desktop) Slow(tool string, delay time.Duration) *Rule {
	d.t.Helper()
	return d.rule(before, tool, func(ctx context.Context, _ Call) (desktop.Result, error) {
		if delay < 0 {
			<-ctx.Done()
		}
		return desktop.Result{}, sleep(ctx, delay)
	})
}

// Fail has a tool say no.
func (d *Desktop) Fail(tool, message string) *Rule {
	d.t.Helper()
	return d.Lie(tool, desktop.FailureResult("%s", message))
}

// Lie has a tool return this result without doing anything. A CallID in it is
// kept, so that it may answer another call; a status is kept as well, known or
// not.
func (d *Desktop) Lie(tool string, result desktop.Result) *Rule {
	d.t.Helper()
	return d.rule(instead, tool, func(context.Context, Call) (desktop.Result, error) { return result, nil })
}

// Break has the transport fail with err.
func (d *Desktop) Break(tool string, err error) *Rule {
	d.t.Helper()
	return d.rule(instead, tool, func(context.Context, Call) (desktop.Result, error) { return desktop.Result{}, err })
}

// On has run do the work of a tool, such as run_shell. What run returns counts
// as carried out when it is a success; see [Tool].Run. A panic of run is one of
// Execute, for list_tools also of Tools.
func (d *Desktop) On(tool string, run func(ctx context.Context, call Call) (any, error)) *Rule {
	d.t.Helper()
	r := d.rule(instead, tool, func(ctx context.Context, call Call) (desktop.Result, error) {
		v, err := run(ctx, call)
		return outcome(ctx, v, err)
	})
	return r.set(func() { r.works = true })
}

// Before calls hook when a command has arrived and nothing has happened yet.
func (d *Desktop) Before(tool string, hook func(Call)) *Rule {
	d.t.Helper()
	return d.rule(before, tool, hooked(hook))
}

// After calls hook when a command is answered, whatever the answer, before the
// caller gets it. A caller that gave up, or a panic, gets no hook.
func (d *Desktop) After(tool string, hook func(Call)) *Rule {
	d.t.Helper()
	return d.rule(after, tool, hooked(hook))
}

func hooked(hook func(Call)) reaction {
	return func(_ context.Context, call Call) (desktop.Result, error) {
		hook(call)
		return desktop.Result{}, nil
	}
}

func (d *Desktop) rule(kind ruleKind, tool string, do reaction) *Rule {
	d.t.Helper()
	defer d.lock()()
	if tool != "" && !d.offers(tool) {
		// A misspelt fault would never come, and the test would pass for nothing.
		d.t.Errorf("desktoptest: a rule is for the tool %q, which nothing offers", tool)
	}
	r := &Rule{desktop: d, kind: kind, tool: tool, left: -1, do: do}
	d.rules = append(d.rules, r)
	return r
}

// offers reports whether the desktop or any App has a tool of that name.
func (d *Desktop) offers(name string) bool {
	is := func(t *tool) bool { return t.desc.Name == name }
	return name == desktop.ListTools || slices.ContainsFunc(d.tools, is) ||
		slices.ContainsFunc(d.apps, func(a *App) bool { return slices.ContainsFunc(a.tools, is) })
}

// take returns copies of the rules of that kind which meet a call, and counts
// it.
func (d *Desktop) take(kind ruleKind, tool string) []Rule {
	d.mu.Lock()
	defer d.mu.Unlock()
	var taken []Rule
	for _, r := range d.rules {
		switch {
		case r.kind != kind || r.tool != "" && r.tool != tool:
		case r.skip > 0:
			r.skip--
		case r.left != 0 && (kind != instead || len(taken) == 0):
			r.left--
			taken = append(taken, *r)
		}
	}
	return taken
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
