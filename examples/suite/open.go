package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// opening is how long a program may take to show its window.
const opening = time.Minute

// again is how long nobody looks whether it does.
const again = 50 * time.Millisecond

// open starts programs, one after the other, and waits for the window of each. settings is the folder of theirs.
func open(ctx context.Context, d desktop.Desktop, settings string, programs [][]string) error {
	// Files that a file manager opens are opened in the editor of the suite, whichever others there are.
	apps := filepath.Join(settings, "mimeapps.list")
	if err := os.WriteFile(apps, []byte("[Default Applications]\ntext/plain=org.xfce.mousepad.desktop\n"), 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opening)
	defer cancel()
	for _, argv := range programs {
		before, err := desktop.Windows(ctx, d)
		if err != nil {
			return err
		}
		res, err := d.Execute(ctx, desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": argv[0], "command": list(argv)}})
		if err == nil && res.Status != desktop.Success {
			err = fmt.Errorf("%s: %s", argv[0], res.Error)
		}
		if err != nil {
			return err
		}
		for {
			now, err := desktop.Windows(ctx, d)
			if err != nil {
				return fmt.Errorf("%s: %w", argv[0], err)
			}
			if len(now) > len(before) {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", argv[0], context.Cause(ctx))
			case <-time.After(again):
			}
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
