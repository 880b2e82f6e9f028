package mcp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/agentfsm/agentfsm/desktop"
)

// view is some of the servers as a Desktop.
type view struct {
	conns []*connection
	known atomic.Pointer[map[string]*offer] // by the name that agents use; nil before the first listing
}

func (v *view) Tools(ctx context.Context) ([]desktop.Tool, error) {
	lists := make([][]offer, len(v.conns))
	errs := make([]error, len(v.conns))
	var all sync.WaitGroup
	for i, c := range v.conns {
		all.Go(func() { lists[i], errs[i] = c.list(ctx) })
	}
	all.Wait()
	for i, err := range errs {
		if err != nil && errors.Is(err, ErrProtocol) && slices.Contains(errs, nil) { // it answers: others need not wait for it
			v.conns[i].log.Warn("mcp: the tools of a server are left out", "error", err)
		} else if err != nil {
			return nil, err
		}
	}
	offers := v.named(slices.Concat(lists...))
	tools := make([]desktop.Tool, len(offers))
	known := make(map[string]*offer, len(offers))
	for i := range offers {
		known[offers[i].tool.Name] = &offers[i]
		tools[i] = offers[i].tool
		tools[i].InputSchema = slices.Clone(tools[i].InputSchema)
	}
	v.known.Store(&known)
	return tools, nil
}

// named gives the tools the names that agents use. A name with a prefix that is
// that of another tool leaves the later one out.
func (v *view) named(offers []offer) []offer {
	owners := map[string]int{}
	for _, o := range offers {
		owners[o.name]++
	}
	var out []offer
	taken := map[string]bool{}
	for _, o := range offers {
		o.tool.Name = v.name(o, owners)
		if taken[o.tool.Name] {
			o.conn.log.Warn("mcp: a tool is left out", "tool", o.name, "error", "another is called "+o.tool.Name)
			continue
		}
		taken[o.tool.Name] = true
		out = append(out, o)
	}
	return out
}

// name is what agents call a tool.
func (v *view) name(o offer, owners map[string]int) string {
	_, wellKnown := desktop.ToolNamed(o.name)
	if owners[o.name] > 1 || wellKnown && !o.conn.server.WellKnown || v.imitates(o) {
		return o.conn.server.Name + "." + o.name
	}
	return o.name
}

// imitates reports whether a name looks like one with the prefix of a server: it
// begins as those do, or has letters that only look as those of others do.
func (v *view) imitates(o offer) bool {
	if strings.ContainsFunc(o.name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return true
	}
	return slices.ContainsFunc(v.conns, func(c *connection) bool {
		return strings.HasPrefix(strings.ToLower(o.name), strings.ToLower(c.server.Name)+".")
	})
}

func (v *view) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	o, ok := v.find(cmd.ToolName)
	if !ok { // it may have come later
		if _, err := v.Tools(ctx); err != nil {
			return desktop.Result{}, err
		}
		if o, ok = v.find(cmd.ToolName); !ok {
			known := slices.Sorted(maps.Keys(*v.known.Load()))
			return desktop.FailureResult("%v %q; the tools are: %s", desktop.ErrUnknownTool, cmd.ToolName, strings.Join(known, ", ")), nil
		}
	}
	if from := o.conn.server.Name; cmd.Origin != "" && cmd.Origin != from {
		return desktop.FailureResult("it was not executed: it is another tool of that name now, from %q and not from %q: look at its description", from, cmd.Origin), nil
	}
	return o.call(ctx, cmd)
}

// find returns the tool of a name in the last listing.
func (v *view) find(name string) (*offer, bool) {
	known := v.known.Load()
	if known == nil {
		return nil, false
	}
	o, ok := (*known)[name]
	return o, ok
}
