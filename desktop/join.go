package desktop

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// maxListings is how many joined desktops list their tools at a time.
const maxListings = 8

// Join makes one Desktop of several. Its tools are those of all, in their
// order; a command goes to the desktop that has its tool. A name that two of
// them have is a [*ToolError] when the tools are listed. The exception is
// list_tools: when one of them has it, it lists the tools of all. A command
// whose tool nobody has is a failure.
//
// Listing asks the desktops concurrently, a few at a time, and fails with the
// first of them, as a [*JoinError]. Which tool is where is remembered until the
// next listing.
//
// The result is a [Scoper] when one of them is: it narrows every joined Scoper
// that knows the window and leaves the others as they are. When none knows the
// window, that is an error.
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
	owners   atomic.Pointer[map[string]Desktop] // by name of tool; nil before the first listing
}

func (j *joined) Tools(ctx context.Context) ([]Tool, error) {
	lists := make([][]Tool, len(j.desktops))
	group, ctx := errgroup.WithContext(ctx)
	slots := semaphore.NewWeighted(maxListings)
	for i, d := range j.desktops {
		group.Go(func() error {
			if err := slots.Acquire(ctx, 1); err != nil {
				return context.Cause(ctx)
			}
			defer slots.Release(1)
			var err error
			if lists[i], err = list(ctx, d); err != nil {
				return &JoinError{Index: i, Err: err}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return j.merge(lists)
}

// list keeps a panic of a desktop from ending the program: it would happen in
// a goroutine where no caller can recover it.
func list(ctx context.Context, d Desktop) (tools []Tool, err error) {
	if d == nil {
		return nil, errNoDesktop
	}
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return d.Tools(ctx)
}

// merge joins the lists and remembers which tool is whose.
func (j *joined) merge(lists [][]Tool) ([]Tool, error) {
	var all []Tool
	from := map[string]int{}
	owners := map[string]Desktop{}
	for i, tools := range lists {
		for _, tool := range tools {
			if first, ok := from[tool.Name]; ok {
				if tool.Name == ListTools {
					continue
				}
				return nil, &ToolError{Tool: tool.Name, Err: fmt.Errorf("joined desktops %d and %d both have it", first, i)}
			}
			from[tool.Name] = i
			owners[tool.Name] = j.desktops[i]
			all = append(all, tool)
		}
	}
	if _, ok := owners[ListTools]; ok {
		owners[ListTools] = nil // answered here
	}
	j.owners.Store(&owners)
	return all, nil
}

func (j *joined) Execute(ctx context.Context, cmd Command) (Result, error) {
	owner, known := j.owner(cmd.ToolName)
	var tools []Tool
	if !known || owner == nil { // a tool that came later, or list_tools
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
		slices.Sort(names)
		return FailureResult("%v", &UnknownToolError{Name: cmd.ToolName, Known: names}), nil
	case owner == nil:
		return JSONResult(tools)
	}
	return owner.Execute(ctx, cmd)
}

// owner returns the desktop that has the tool. A nil one that is known is
// this one.
func (j *joined) owner(tool string) (Desktop, bool) {
	owners := j.owners.Load()
	if owners == nil {
		return nil, false
	}
	d, ok := (*owners)[tool]
	return d, ok
}

// Scope narrows those that can be narrowed to this window.
func (j joinedScoper) Scope(ctx context.Context, windowID string) (Desktop, error) {
	scoped := append([]Desktop(nil), j.desktops...)
	narrowed := false
	var problems []error
	for i, d := range j.desktops {
		scoper, ok := d.(Scoper)
		if !ok {
			continue
		}
		s, err := scoper.Scope(ctx, windowID)
		if err == nil && s == nil {
			err = errNoDesktop
		}
		if err != nil {
			problems = append(problems, &JoinError{Index: i, Err: err})
			continue
		}
		scoped[i], narrowed = s, true
	}
	if !narrowed {
		return nil, errors.Join(problems...)
	}
	return Join(scoped...), nil
}
