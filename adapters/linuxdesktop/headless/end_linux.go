package headless

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed reaper.sh
var reaper string

// watch starts the reaper, which outlives our process. A pipe tells it that our process has ended: the system closes the
// end that only our process has. Pdeathsig would not do: it goes off with the thread that
// started the program (golang/go#27505), and reaches no grandchild.
func (r *running) watch() error {
	in, hold, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	defer func() { _ = in.Close() }()
	r.hold = hold
	cmd := r.reap()
	cmd.Stdin = in
	r.reaper, err = r.launch(cmd, "")
	return err
}

// reap is the command that ends the session when its input ends.
func (r *running) reap() *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", reaper, "agentfsm-reaper", r.marker, r.Dir) //nolint:noctx // it outlives our process
	// Its own variables only: in a session inside another one it must not be ended with that.
	cmd.Env = []string{"PATH=/usr/bin:/bin:" + os.Getenv("PATH"), "LC_ALL=C"}
	return cmd
}

// close ends the session and says what should not have happened.
func (r *running) close() error {
	var errs []error
	for _, p := range r.parts {
		if p.hasEnded() {
			errs = append(errs, errors.New(p.ended()))
		}
	}
	return errors.Join(append(errs, r.quit())...)
}

// patience is how long the reaper may take, which gives programs about ten seconds.
const patience = 30 * time.Second

// quit ends all processes and removes the folder.
func (r *running) quit() (err error) {
	_ = r.hold.Close()
	if !r.reaper.wait() {
		_ = r.reaper.cmd.Process.Kill()
		<-r.reaper.over
	}
	if !r.reaper.cmd.ProcessState.Success() { // somebody has killed it, or it says again what is left
		if said, e := r.reap().CombinedOutput(); e != nil {
			err = fmt.Errorf("headless: %w: %s", e, strings.Join(strings.Split(string(bytes.TrimSpace(said)), "\n"), ", "))
		}
	}
	for _, p := range r.parts {
		p.wait()
	}
	return err
}
