package desktoptest

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// stage stands for the test in one check, so that what the desktop needs is
// ended with the check.
type stage struct {
	testing.TB
	cleanups []func()
}

func (s *stage) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *stage) end() {
	for len(s.cleanups) > 0 {
		last := len(s.cleanups) - 1
		f := s.cleanups[last]
		s.cleanups = s.cleanups[:last]
		f()
	}
}

// with calls f with a new desktop and ends it afterwards.
func (s *subject) with(f func(d desktop.Desktop) []string) []string {
	st := &stage{TB: s.t}
	defer st.end()
	if s.newDesktop == nil {
		return []string{"newDesktop is nil"}
	}
	d := s.newDesktop(st)
	if nilcheck.IsNil(d) {
		return []string{"newDesktop returns nil"}
	}
	if closer, ok := d.(io.Closer); ok {
		st.Cleanup(func() {
			defer func() { _ = recover() }() // the check of Close reports it
			_ = closer.Close()
		})
	}
	return f(d)
}

// bounded calls f and waits for it for the time of grace. A problem is a panic
// or that it does not come back.
func bounded[T any](s *subject, what string, f func() (T, error)) (v T, problem string, err error) {
	type outcome struct {
		v       T
		err     error
		problem string
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if v := recover(); v != nil {
				o.problem = fmt.Sprintf("%s panics: %v", what, v)
			}
			done <- o
		}()
		o.v, o.err = f()
	}()
	timer := time.NewTimer(s.grace)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.v, o.problem, o.err
	case <-timer.C:
		return v, fmt.Sprintf("%s has not come back after %v", what, s.grace), nil
	}
}

// reply is how a call ended; with a problem it did not.
type reply struct {
	desktop.Result
	err     error
	problem string
}

func (r reply) String() string {
	if r.err != nil {
		return fmt.Sprintf("the error %q", r.err)
	}
	if r.Error != "" {
		return fmt.Sprintf("the status %q with %q", r.Status, r.Error)
	}
	return fmt.Sprintf("the status %q", r.Status)
}

// execute sends one command.
func (s *subject) execute(ctx context.Context, d desktop.Desktop, cmd desktop.Command) reply {
	var r reply
	r.Result, r.problem, r.err = bounded(s, fmt.Sprintf("Execute of %q", cmd.ToolName), func() (desktop.Result, error) {
		return d.Execute(ctx, cmd)
	})
	return r
}

// tools lists the tools, checked.
func (s *subject) tools(d desktop.Desktop) ([]desktop.Tool, string) {
	tools, problem, err := bounded(s, "Tools", func() ([]desktop.Tool, error) { return d.Tools(s.t.Context()) })
	if problem == "" && err != nil {
		problem = fmt.Sprintf("Tools fails: %v", err)
	}
	return tools, problem
}

// box lists the tools for the checks behind the first, which has them in order.
func (s *subject) box(d desktop.Desktop) (*desktop.Toolbox, string) {
	tools, problem := s.tools(d)
	if problem != "" {
		return nil, problem
	}
	box, err := desktop.NewToolbox(tools, desktop.LeaveToTool)
	if err != nil {
		return nil, err.Error()
	}
	return box, ""
}

// fresh is a copy of a command, parameters included, as it comes off a wire.
func fresh(cmd desktop.Command) desktop.Command {
	if copied, err := wire(cmd.Parameters); cmd.Parameters != nil && err == nil {
		cmd.Parameters = copied
	}
	return cmd
}
