package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
)

// opening is how long a program may take to show its window.
const opening = time.Minute

// open starts the programs of a task, one after the other, and waits for the window of each.
func open(ctx context.Context, screen *stage.Stage, set *task.Set) error {
	// Files that a file manager opens are opened in the editor of the suite, whichever others there are.
	apps := filepath.Join(screen.Config(), "mimeapps.list")
	if err := os.WriteFile(apps, []byte("[Default Applications]\ntext/plain=org.xfce.mousepad.desktop\n"), 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opening)
	defer cancel()
	for _, argv := range set.Opens {
		before, err := desktop.Windows(ctx, screen.Desktop())
		if err != nil {
			return err
		}
		res, err := screen.Desktop().Execute(ctx, desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": argv[0], "command": list(argv)}})
		if err == nil && res.Status != desktop.Success {
			err = fmt.Errorf("%s: %s", argv[0], res.Error)
		}
		if err != nil {
			return err
		}
		for {
			now, err := desktop.Windows(ctx, screen.Desktop())
			if err != nil {
				return fmt.Errorf("%s: %w", argv[0], err)
			}
			if len(now) > len(before) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	return nil
}

func list(argv []string) (out []any) {
	for _, word := range argv {
		out = append(out, word)
	}
	return out
}
