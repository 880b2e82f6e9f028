package hostagent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// Close ends the session for the host: it drops the agents of applications,
// closes those that are a fsm.Closer, and
// with Config.CloseApps closes the windows that it launched. The error joins
// what went wrong; nothing is left out for it.
func (a *Agent) Close(ctx context.Context) error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(a.apps)) {
		errs = append(errs, closeWorker(ctx, key, a.apps[key]))
	}
	launched := a.data.Launched
	a.apps, a.asleep, a.active, a.back = map[string]fsm.Worker{}, nil, nil, false
	a.data.Launched, a.data.Workers = nil, nil
	if a.cfg.CloseApps && len(launched) > 0 {
		errs = append(errs, a.closeWindows(ctx, launched))
	}
	return errors.Join(errs...)
}

// closeWorker closes the agent of an application that is a fsm.Closer; nil is none.
func closeWorker(ctx context.Context, key string, worker fsm.Worker) error {
	c, ok := worker.(fsm.Closer)
	if !ok {
		return nil
	}
	if err := c.Close(ctx); err != nil {
		return fmt.Errorf("hostagent: close the agent of %s: %w", key, err)
	}
	return nil
}

// closeWindows closes those that are still there. An id that another program
// has by now is not closed.
func (a *Agent) closeWindows(ctx context.Context, launched []desktop.Window) error {
	windows, err := desktop.Windows(ctx, a.cfg.Desktop)
	var errs []error
	if err != nil {
		errs = append(errs, fmt.Errorf("hostagent: close applications: %w", err))
	}
	for _, w := range windows {
		mine := slices.ContainsFunc(launched, func(l desktop.Window) bool {
			return w.ID == l.ID && strings.EqualFold(w.Root, l.Root)
		})
		if !mine {
			continue
		}
		if _, err := commands.Do(ctx, a.cfg.Desktop, commands.Close(w.ID)); err != nil {
			errs = append(errs, fmt.Errorf("hostagent: close %s: %w", w.Root, err))
		}
	}
	return errors.Join(errs...)
}
