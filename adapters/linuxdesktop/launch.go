package linuxdesktop

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/desktop"
)

// programs are those that were launched.
type programs struct {
	mu      sync.Mutex
	ended   bool
	running map[*exec.Cmd]chan struct{} // closed when the program ended
}

// start starts a program in a group of its own. The channel is closed when it has ended.
func (p *programs) start(cmd *exec.Cmd) (<-chan struct{}, error) {
	ownGroup(cmd)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errClosed
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if p.running == nil {
		p.running = map[*exec.Cmd]chan struct{}{}
	}
	done := make(chan struct{})
	p.running[cmd] = done
	go func() {
		defer close(done)
		_ = cmd.Wait() // cmd.ProcessState has how it ended
		p.mu.Lock()
		defer p.mu.Unlock()
		if !groupLives(cmd) { // else it has left others in it
			delete(p.running, cmd)
		}
	}()
	return done, nil
}

// end ends those that are running, with what they started in their groups.
func (p *programs) end() {
	p.mu.Lock()
	p.ended = true
	left := p.running
	p.running = nil
	p.mu.Unlock()
	for cmd := range left {
		endGroup(cmd, false)
	}
	late := time.Now().Add(2 * time.Second)
	for cmd, done := range left {
		for groupLives(cmd) && time.Now().Before(late) {
			<-time.After(10 * time.Millisecond)
		}
		endGroup(cmd, true)
		<-done
	}
}

// launch is launch_application. Its window comes up later, or that of a program that was running
// before and takes the file: the result says that it was started, and that it did not fail at once.
func (v *view) launch(ctx context.Context, a arguments) (desktop.Result, error) {
	name := ""
	if a.Name != nil {
		name = *a.Name
	}
	argv := a.Command
	if len(argv) == 0 {
		argv = v.opts.Programs[name]
	}
	if len(argv) == 0 {
		argv = []string{name}
	}
	// The program runs on when the call is over. The policy has allowed it.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = v.opts.Env, v.opts.Dir
	if cmd.Dir != "" {
		if _, err := os.Stat(cmd.Dir); err != nil {
			return desktop.Result{}, refuse("the folder in which programs start is not there: %w", err)
		}
	}
	ended, err := v.programs.start(cmd)
	if err != nil {
		return desktop.Result{}, err
	}
	select {
	case <-ended:
		if !cmd.ProcessState.Success() {
			return desktop.Result{}, refuse("it ended at once: %v", cmd.ProcessState)
		}
	case <-time.After(launchFails):
	case <-ctx.Done():
		return desktop.Result{}, context.Cause(ctx)
	}
	return desktop.TextResult("started"), nil
}

// launchFails is how long a program takes to say that it cannot start.
const launchFails = 250 * time.Millisecond

// closeWindow is close_application.
func (v *view) closeWindow(ctx context.Context, a arguments) (desktop.Result, error) {
	if err := v.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.unlock()
	before, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w, err := before.named(a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if m := before.modal(w.ID); m != nil {
		return desktop.Result{}, refuse("the dialog %q is open: answer it first", clip(m.Title, maxName))
	}
	if err := v.x.CloseWindow(ctx, w.ID); err != nil {
		return desktop.Result{}, err
	}
	asks := ""
	closed, err := wait.Until(ctx, screen.Settle, screen.Pause, func() (bool, error) {
		s, err := v.look(ctx)
		if err != nil {
			return false, err
		}
		_, there := s.window(w.ID)
		if m := s.modal(w.ID); m != nil {
			asks = m.Title
			return true, nil
		}
		return !there, nil
	})
	switch {
	case err != nil:
		return desktop.Result{}, err
	case asks != "":
		return desktop.Result{}, refuse("it is still open, and asks in the dialog %q", clip(asks, maxName))
	case !closed:
		return desktop.Result{}, &screen.HalfDoneError{What: "the program was asked to close the window", Err: refuse("it is still open after %v", screen.Settle)}
	}
	return desktop.TextResult("closed"), nil
}
