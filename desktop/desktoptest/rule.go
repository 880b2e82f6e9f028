package desktoptest

import (
	"context"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

type ruleKind uint8

const (
	delays  ruleKind = iota // all that fit add up
	before                  // all that fit are called
	after                   // likewise
	instead                 // the oldest that fits decides
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

	delay time.Duration
	hook  func(Call)
	do    func(context.Context, Call) (desktop.Result, error)
}

// Times limits the rule to n calls; below 1 means for ever, as without it.
func (r *Rule) Times(n int) *Rule {
	if n < 1 {
		n = -1
	}
	return r.set(func() { r.left = n })
}

// Skip lets the first n calls pass that the rule fits.
func (r *Rule) Skip(n int) *Rule { return r.set(func() { r.skip = n }) }

// Late has the command carried out first: the delay, the failure, the broken
// transport or the panic comes when it has taken effect. It changes no hook.
func (r *Rule) Late() *Rule { return r.set(func() { r.late = true }) }

func (r *Rule) set(f func()) *Rule {
	r.desktop.mu.Lock()
	defer r.desktop.mu.Unlock()
	f()
	return r
}

// Slow delays the answers of a tool by the clock, in vain when the caller's
// context ends before. Negative: for ever. The tool "" is any tool, here and in
// the other faults; a name that nothing offers fails the test. Rules for
// list_tools hold for [Desktop.Tools] too.
func (d *Desktop) Slow(tool string, delay time.Duration) *Rule {
	return d.rule("Slow", Rule{kind: delays, tool: tool, delay: delay})
}

// Fail has a tool say no.
func (d *Desktop) Fail(tool, message string) *Rule {
	d.t.Helper()
	return d.lie("Fail", tool, desktop.FailureResult("%s", message))
}

// Lie has a tool return this result without doing anything. A CallID in it is
// kept, so that it may answer another call; a status is kept as well, known or
// not.
func (d *Desktop) Lie(tool string, result desktop.Result) *Rule {
	d.t.Helper()
	return d.lie("Lie", tool, result)
}

func (d *Desktop) lie(method, tool string, result desktop.Result) *Rule {
	d.t.Helper()
	result = cloneResult(result)
	return d.rule(method, Rule{kind: instead, tool: tool, do: func(context.Context, Call) (desktop.Result, error) {
		return cloneResult(result), nil
	}})
}

// Break has the transport fail with err, nil being one of its own.
func (d *Desktop) Break(tool string, err error) *Rule {
	if err == nil {
		err = errBroken
	}
	return d.rule("Break", Rule{kind: instead, tool: tool, do: func(context.Context, Call) (desktop.Result, error) {
		return desktop.Result{}, err
	}})
}

// On has run do the work of a tool, such as run_shell. What run returns counts
// as carried out when it is a success; see [Tool].Run. A panic of run is one of
// Execute, for list_tools also of Tools.
func (d *Desktop) On(tool string, run func(ctx context.Context, call Call) (any, error)) *Rule {
	return d.rule("On", Rule{kind: instead, tool: tool, works: true, do: func(ctx context.Context, call Call) (desktop.Result, error) {
		v, err := run(ctx, call)
		return outcome(ctx, v, err)
	}})
}

// Before calls hook when a command has arrived and nothing has happened yet.
func (d *Desktop) Before(tool string, hook func(Call)) *Rule {
	return d.rule("Before", Rule{kind: before, tool: tool, hook: hook})
}

// After calls hook when a command is answered, whatever the answer, before the
// caller gets it. A caller that gave up, or a panic, gets no hook.
func (d *Desktop) After(tool string, hook func(Call)) *Rule {
	return d.rule("After", Rule{kind: after, tool: tool, hook: hook})
}

func (d *Desktop) rule(method string, r Rule) *Rule {
	d.t.Helper()
	r.desktop, r.left = d, -1
	d.mu.Lock()
	known := r.tool == "" || d.offers(r.tool)
	if known {
		d.rules = append(d.rules, &r)
	}
	d.mu.Unlock()
	if !known {
		// A misspelt fault would never come, and the test would pass for nothing.
		d.t.Errorf("desktoptest: %s: there is no tool %q", method, r.tool)
	}
	return &r
}

// offers reports whether the desktop or any App has a tool of that name.
func (d *Desktop) offers(name string) bool {
	is := func(t *tool) bool { return t.desc.Name == name }
	return name == desktop.ListTools || slices.ContainsFunc(d.tools, is) ||
		slices.ContainsFunc(d.apps, func(a *App) bool { return slices.ContainsFunc(a.tools, is) })
}

// take returns copies of the rules of that kind which meet a call, and counts
// it.
func (d *Desktop) take(kind ruleKind, call Call) []Rule {
	d.mu.Lock()
	defer d.mu.Unlock()
	var taken []Rule
	for _, r := range d.rules {
		if r.kind != kind || (r.tool != "" && r.tool != call.Tool) {
			continue
		}
		switch {
		case r.skip > 0:
			r.skip--
		case r.left == 0, kind == instead && len(taken) > 0:
		default:
			if r.left > 0 {
				r.left--
			}
			taken = append(taken, *r)
		}
	}
	return taken
}

// pause waits for the delays that come before (or after) the effect.
func pause(ctx context.Context, rules []Rule, late bool) error {
	var sum time.Duration
	for _, r := range rules {
		switch {
		case r.late != late:
		case r.delay < 0:
			<-ctx.Done()
			return ctx.Err()
		default:
			sum += r.delay
		}
	}
	if late && sum == 0 {
		return nil // what has been done is told, though the context may have ended meanwhile
	}
	return sleep(ctx, sum)
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
