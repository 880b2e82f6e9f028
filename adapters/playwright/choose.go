package playwright

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// selectOption is select_option.
func (v *view) selectOption(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	values := slices.Clone(a.Options)
	if chooses(n) {
		all, _ := options(n)
		for i, wanted := range a.Options {
			at := slices.IndexFunc(all, func(name string) bool { return oneLine(name) == oneLine(wanted) })
			if at < 0 { // the server would wait for it
				return desktop.Result{}, refuse("there is no option %q; there are: %s", brief(wanted), clip(strings.Join(all, " | "), maxValue))
			}
			values[i] = all[at]
		}
	}
	res, err := v.perform(ctx, "chosen", "browser_select_option", aimed(n, map[string]any{"values": values}))
	if err != nil || !chooses(n) {
		return res, err
	}
	return v.chosen(ctx, res, n, values)
}

// chosen looks what a page has chosen. The server takes a name for a value, too: of
// options whose values are the names of others it may choose another one.
func (v *view) chosen(ctx context.Context, res desktop.Result, was *node, wanted []string) (desktop.Result, error) {
	s, err := v.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	is := find(s.nodes, was.ref, true)
	if is == nil || is.role != was.role || is.name != was.name {
		return res, nil // another page, or another part of it: that is seen at the next look
	}
	_, now := options(is)
	for _, name := range now {
		if !slices.Contains(wanted, name) {
			return desktop.Result{}, refuse("the page has chosen %q, not %q", brief(name), clip(strings.Join(wanted, " | "), maxValue))
		}
	}
	return res, nil
}
