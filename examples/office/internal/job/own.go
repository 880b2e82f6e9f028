package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/agentfsm/agentfsm/desktop"
)

// own is a screen without the windows that were open before the run: they show documents that nobody has named. Another
// window that a program makes of one, such as that of its start, is the run's.
type own struct {
	desktop.Desktop
	others map[string]string // roots of those windows, by their ids
}

// without returns a screen without the windows that are open now, or, in a process that goes on with a run, those of which the
// file says that they were.
func without(ctx context.Context, screen desktop.Desktop, file string) (desktop.Desktop, error) {
	o := own{Desktop: screen, others: map[string]string{}}
	data, err := os.ReadFile(file)
	switch {
	case err == nil:
		err = json.Unmarshal(data, &o.others)
	case errors.Is(err, fs.ErrNotExist):
		var windows []desktop.Window
		if windows, err = desktop.Windows(ctx, screen); err != nil {
			break
		}
		for _, w := range windows {
			o.others[w.ID] = w.Root
		}
		if data, err = json.Marshal(o.others); err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("job: the windows of before: %w", err)
	}
	return o, nil
}

// Execute runs a command that is not for a window of before.
func (o own) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if id, _ := cmd.Parameters["id"].(string); o.others[id] != "" {
		mine, err := o.mine(ctx, id)
		if err != nil {
			return desktop.Result{}, err
		}
		if !mine {
			return desktop.FailureResult("the window %s was open before, and is not part of the job", id), nil
		}
	}
	res, err := o.Desktop.Execute(ctx, cmd)
	if err != nil || cmd.ToolName != desktop.GetDesktopAppInfo || res.Status != desktop.Success {
		return res, err
	}
	var all []desktop.Window
	if err := res.Decode(&all); err != nil {
		return desktop.Result{}, err
	}
	list := []desktop.Window{}
	for _, w := range all {
		if o.others[w.ID] != w.Root || w.Root == "" {
			list = append(list, w)
		}
	}
	out, err := desktop.JSONResult(list)
	out.CallID = res.CallID
	return out, err
}

// mine reports whether a window is part of the job.
func (o own) mine(ctx context.Context, id string) (bool, error) {
	windows, err := desktop.Windows(ctx, o.Desktop)
	if err != nil {
		return false, err
	}
	for _, w := range windows {
		if w.ID == id {
			return o.others[id] != w.Root, nil
		}
	}
	return true, nil // it is gone
}

// Scope narrows the screen to a window of the job.
func (o own) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	if mine, err := o.mine(ctx, id); err != nil || !mine {
		return nil, errors.Join(err, fmt.Errorf("job: the window %s was open before, and is not part of the job", id))
	}
	return desktop.Scope(ctx, o.Desktop, id)
}
