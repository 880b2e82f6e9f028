package headless

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

//go:embed reaper.sh
var reaper string

// watch starts the reaper, which outlives our process, and then makes the folder, which the reaper
// removes. A pipe tells it that our process has ended: the system closes the end that
// only our process has. Pdeathsig would not do: it goes off with the thread that
// started the program (golang/go#27505), and reaches no grandchild.
func (r *running) watch() error {
	in, hold, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	defer func() { _ = in.Close() }()
	cmd := exec.Command("/bin/sh", "-c", reaper, "agentfsm-reaper", r.marker, r.Dir) //nolint:noctx // it outlives our process
	cmd.Stdin = in
	// Its own variables only: in a session inside another one it must not be ended with that.
	cmd.Env = []string{"PATH=/usr/bin:/bin:" + os.Getenv("PATH"), "LC_ALL=C"}
	if r.reaper, err = launch(cmd, "", hold); err != nil {
		_ = hold.Close()
		return err
	}
	r.hold = hold
	if err := os.Mkdir(r.Dir, 0o700); err != nil {
		_ = r.reaper.cmd.Process.Kill() // before it removes what is not ours
		<-r.reaper.over
		return fmt.Errorf("headless: %w", err)
	}
	return nil
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

// quit ends all processes and removes the folder.
func (r *running) quit() error {
	var errs []error
	left := r.finish()
	for _, p := range r.parts {
		select {
		case <-p.over:
		case <-time.After(patience): // it is among those that are left
		}
	}
	_ = r.hold.Close() // now the reaper looks for others
	select {
	case <-r.reaper.over:
	case <-time.After(patience):
		_ = r.reaper.cmd.Process.Kill()
		<-r.reaper.over
	}
	for _, pid := range left {
		if name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm"); err == nil {
			errs = append(errs, fmt.Errorf("headless: %s (%d) does not end", bytes.TrimSpace(name), pid))
		}
	}
	if err := os.RemoveAll(r.Dir); err != nil {
		errs = append(errs, fmt.Errorf("headless: %w", err))
	}
	return errors.Join(errs...)
}

// How long programs, and then the parts, have to end by themselves, and when to give up on
// one that does not even when it is killed.
const (
	forPrograms = 1500 * time.Millisecond
	forParts    = 500 * time.Millisecond
	patience    = 10 * time.Second
)

// finish ends programs first, while they have a display to say good-bye to, and returns what it
// could not end.
func (r *running) finish() []int {
	var parts []int
	for _, p := range r.parts {
		parts = append(parts, p.cmd.Process.Pid)
	}
	told := map[int]bool{}
	once := func(p *os.Process) {
		if !told[p.Pid] {
			told[p.Pid] = true
			_ = p.Signal(syscall.SIGTERM) // it may have ended
		}
	}
	r.rounds(forPrograms, parts, once)
	if left := r.rounds(forParts, nil, once); len(left) == 0 {
		return nil
	}
	return r.rounds(patience, nil, func(p *os.Process) { _ = p.Kill() })
}

// rounds does something with all processes of the session but some, again and again until
// there are none or the time is over. It returns those that are left. What starts another
// and ends, and what becomes another program right now, can slip through a single look.
func (r *running) rounds(limit time.Duration, but []int, do func(*os.Process)) []int {
	over := time.After(limit)
	for quiet := 0; ; {
		left := r.look(but, do)
		if quiet++; len(left) > 0 {
			quiet = 0
		} else if quiet == 3 {
			return nil
		}
		select {
		case <-over:
			return left
		case <-tick():
		}
	}
}

// look finds the processes of the session that have not ended. Of those that have, and wait
// for their parents, /proc shows no environment.
func (r *running) look(but []int, do func(*os.Process)) (found []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || slices.Contains(but, pid) {
			continue
		}
		// Before the look: if another process gets the number afterwards, it is not this one.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if environ, err := os.ReadFile(file); err == nil && slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(v []byte) bool { return string(v) == r.marker }) {
			found = append(found, pid)
			do(p)
		}
		_ = p.Release()
	}
	return found
}
