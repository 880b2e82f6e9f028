package linuxdesktop

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/desktop"
)

// start starts a program in a process group of its own, which ends with the Desktop. The channel is closed when the program has
// ended.
func (d *Desktop) start(ctx context.Context, cmd *exec.Cmd) (<-chan struct{}, error) {
	ownGroup(cmd)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.open(ctx); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // cmd.ProcessState has how it ended
		close(ended)
	}()
	d.launched.Go(func() {
		select {
		case <-ended:
			if !signalGroup(cmd, 0) { // else it has left others in it
				return
			}
			<-d.closing
		case <-d.closing:
		}
		signalGroup(cmd, syscall.SIGTERM)
		_, _ = wait.Until(context.Background(), 2*time.Second, 10*time.Millisecond, func() (bool, error) {
			return !signalGroup(cmd, 0), nil
		})
		signalGroup(cmd, syscall.SIGKILL)
		<-ended
	})
	return ended, nil
}

// launch is launch_application. Its window comes up later, or that of a program that was running
// before and takes the file: the result says that it was started, and that it did not fail at once.
func (c *call) launch(ctx context.Context) (desktop.Result, error) {
	argv := c.args.Command
	if len(argv) == 0 {
		argv = c.opts.Programs[c.args.Name]
	}
	if len(argv) == 0 {
		argv = []string{c.args.Name}
	}
	// The program runs on when the call is over. The policy has allowed it.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = c.opts.Env, c.opts.Dir
	if cmd.Dir != "" {
		if _, err := os.Stat(cmd.Dir); err != nil {
			return desktop.Result{}, refuse("the folder in which programs start is not there: %w", err)
		}
	}
	ended, err := c.start(ctx, cmd)
	if err != nil {
		return desktop.Result{}, err
	}
	select {
	case <-ended:
		if !cmd.ProcessState.Success() {
			return desktop.Result{}, refuse("it ended at once: %v", cmd.ProcessState)
		}
	case <-time.After(250 * time.Millisecond):
	case <-ctx.Done():
		return desktop.Result{}, context.Cause(ctx)
	}
	return desktop.TextResult("started"), nil
}

// closeWindow is close_application.
func (c *call) closeWindow(ctx context.Context) (desktop.Result, error) {
	s, err := c.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w, err := s.named(c.args.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if m := s.modal(w.ID); m != nil {
		return desktop.Result{}, refuse("the dialog %q is open: answer it first", clip(m.Title, maxName))
	}
	return c.Act(ctx, w, func() (string, error) {
		if err := c.x.CloseWindow(ctx, w.ID); err != nil {
			return "", err
		}
		done, err := wait.Until(ctx, screen.Settle, screen.Pause, func() (bool, error) {
			s, err = c.look(ctx)
			_, there := s.window(w.ID)
			return err == nil && (!there || s.modal(w.ID) != nil), err
		})
		if m := s.modal(w.ID); m != nil {
			return "", refuse("it is still open, and asks in the dialog %q", clip(m.Title, maxName))
		}
		if err == nil && !done {
			err = &screen.HalfDoneError{What: "the program was asked to close the window", Err: refuse("it is still open after %v", screen.Settle)}
		}
		return "closed", err
	})
}
