package desktop

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// maxListings is how many joined desktops list their tools at a time.
const maxListings = 8

// Join makes one Desktop of several. Its tools are those of all, in their order; a
// command goes to the desktop that has its tool. Of a name that several have, the
// first desktop's tool is executed, and [Open] leaves out the others. list_tools
// lists the tools of all. A command whose tool nobody has is a failure.
//
// The Group of a tool says what its desktop is for.
//
// Listing asks the desktops concurrently, a few at a time, and fails with the
// first of them. Which tool is where is remembered until the next listing.
//
// The result is a [Scoper] when one of them is: it narrows the first Scoper that
// knows the window, leaves out the tools of the other Scopers, and keeps those
// without windows. When none knows the window, that is an error.
func Join(desktops ...Desktop) Desktop {
	j := &joined{desktops: append([]Desktop(nil), desktops...)}
	for _, d := range desktops {
		if _, ok := d.(Scoper); ok {
			return joinedScoper{j}
		}
	}
	return j
}

// joinedScoper is a joined with something to narrow.
type joinedScoper struct{ *joined }

type joined struct {
	desktops []Desktop
	owners   atomic.Pointer[map[string]owner] // by name of tool; nil before the first listing
}

// owner is who has a tool, and the tool's origin here and there.
type owner struct {
	desktop     Desktop // nil: the joined one
	here, there string
}

func (j *joined) Tools(ctx context.Context) ([]Tool, error) {
	lists := make([][]Tool, len(j.desktops))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxListings)
	for i, d := range j.desktops {
		group.Go(func() (err error) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if lists[i], err = list(ctx, d); err != nil {
				return joinedError(i, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return j.merge(lists), nil
}

// list keeps a panic of a desktop from ending the program: it would happen in
// a goroutine where no caller can recover it.
func list(ctx context.Context, d Desktop) (tools []Tool, err error) {
	if d == nil {
		return nil, errNoDesktop
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("desktop: panic: %v", v)
			if own, ok := v.(error); ok {
				err = fmt.Errorf("desktop: panic: %w", own)
			}
		}
	}()
	return d.Tools(ctx)
}

// joinedError says which of the desktops went wrong.
func joinedError(i int, err error) error {
	return fmt.Errorf("desktop: joined desktop %d: %w", i+1, err)
}

// merge joins the lists and remembers which tool is whose.
func (j *joined) merge(lists [][]Tool) []Tool {
	var all []Tool
	owners := map[string]owner{}
	for i, tools := range lists {
		for _, tool := range tools {
			_, taken := owners[tool.Name]
			if taken && tool.Name == ListTools {
				continue
			}
			o := owner{desktop: j.desktops[i], here: fmt.Sprintf("desktop %d", i+1), there: tool.Origin}
			if o.there != "" {
				o.here += ": " + o.there
			}
			if tool.Name == ListTools {
				o = owner{} // answered here
			}
			if !taken {
				owners[tool.Name] = o
			}
			tool.Origin = o.here
			all = append(all, tool)
		}
	}
	j.owners.Store(&owners)
	return all
}

func (j *joined) Execute(ctx context.Context, cmd Command) (Result, error) {
	owner, known := j.owner(cmd.ToolName)
	var tools []Tool
	if !known || owner.desktop == nil { // a tool that came later, or list_tools
		var err error
		if tools, err = j.Tools(ctx); err != nil {
			return Result{}, err
		}
		owner, known = j.owner(cmd.ToolName)
	}
	switch {
	case !known:
		names := make([]string, len(tools))
		for i, tool := range tools {
			names[i] = tool.Name
		}
		return FailureResult("%v", unknownTool(cmd.ToolName, names)), nil
	case cmd.Origin != "" && cmd.Origin != owner.here:
		return FailureResult("it was not executed: it is another tool of that name now, from %q and not from %q: look at its description", owner.here, cmd.Origin), nil
	case owner.desktop == nil:
		return JSONResult(tools)
	}
	cmd.Origin = owner.there
	return owner.desktop.Execute(ctx, cmd)
}

// owner returns who has the tool.
func (j *joined) owner(tool string) (owner, bool) {
	owners := j.owners.Load()
	if owners == nil {
		return owner{}, false
	}
	o, ok := (*owners)[tool]
	return o, ok
}

// Scope narrows the first that knows this window. Others that have windows are left out:
// one of theirs with the same id is another one.
func (j joinedScoper) Scope(ctx context.Context, windowID string) (Desktop, error) {
	var scoped []Desktop
	narrowed := false
	var problems []error
	for i, d := range j.desktops {
		scoper, ok := d.(Scoper)
		if !ok {
			scoped = append(scoped, d)
			continue
		}
		if narrowed {
			scoped = append(scoped, nothing{})
			continue
		}
		s, err := scoper.Scope(ctx, windowID)
		if err == nil && s == nil {
			err = errNoDesktop
		}
		if err != nil {
			problems = append(problems, joinedError(i, err))
			scoped = append(scoped, nothing{})
			continue
		}
		scoped, narrowed = append(scoped, s), true
	}
	if !narrowed {
		return nil, errors.Join(problems...)
	}
	return Join(scoped...), nil
}

// nothing stands for a desktop whose windows are not meant, so that the others keep
// their places.
type nothing struct{}

func (nothing) Tools(context.Context) ([]Tool, error) { return nil, nil }

func (nothing) Execute(_ context.Context, cmd Command) (Result, error) {
	return FailureResult("%v", unknownTool(cmd.ToolName, nil)), nil
}
