package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// callID is an id as a journal might give it.
const callID = "call-of-desktoptest"

// stage stands for the test in one check, so that what the desktop needs is
// ended with the check.
type stage struct {
	testing.TB
	cleanups []func()
}

func (s *stage) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *stage) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

// with calls f with a new desktop and ends it afterwards.
func (s *subject) with(f func(d desktop.Desktop)) {
	st := &stage{TB: s.t}
	defer st.end()
	if s.newDesktop == nil {
		s.stop("newDesktop is nil")
	}
	d := s.newDesktop(st)
	if nilcheck.IsNil(d) {
		s.stop("newDesktop returns nil")
	}
	if closer, ok := d.(io.Closer); ok {
		st.Cleanup(func() {
			defer func() { _ = recover() }() // the check of Close reports it
			_ = closer.Close()
		})
	}
	f(d)
}

// bounded calls f and waits for it for the time of grace. A panic ends the check, and so does a
// call that does not come back.
func bounded[T any](s *subject, what string, f func() (T, error)) (T, error) {
	var v T
	var err error
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		v, err = f()
	}()
	select {
	case p := <-done:
		if p != nil {
			s.stop("%s panics: %v", what, p)
		}
	case <-time.After(s.grace):
		s.stop("%s has not come back after %v", what, s.grace)
	}
	return v, err
}

// reply is how a call ended.
type reply struct {
	desktop.Result
	err error
}

func (r reply) String() string {
	switch {
	case r.err != nil:
		return fmt.Sprintf("the error %q", r.err)
	case r.Error != "":
		return fmt.Sprintf("the status %q with %q", r.Status, r.Error)
	}
	return fmt.Sprintf("the status %q", r.Status)
}

// execute sends a copy of a command, as it comes off a wire.
func (s *subject) execute(ctx context.Context, d desktop.Desktop, cmd desktop.Command) reply {
	return s.send(ctx, d, fresh(cmd))
}

// send sends one command.
func (s *subject) send(ctx context.Context, d desktop.Desktop, cmd desktop.Command) (r reply) {
	if cmd.CallID == "" {
		cmd.CallID = callID
	}
	r.Result, r.err = bounded(s, fmt.Sprintf("Execute of %q", cmd.ToolName), func() (desktop.Result, error) {
		return d.Execute(ctx, cmd)
	})
	return r
}

// ends sends a command that must end with this status, and checks the result.
func (s *subject) ends(d desktop.Desktop, cmd desktop.Command, want desktop.Status) {
	r := s.execute(s.t.Context(), d, cmd)
	if s.sound(cmd, r); r.err == nil && r.Status != want {
		s.add("%q should end with the status %q, and ends with %v", cmd.ToolName, want, r)
	}
}

// refused says what is wrong with the answer to a command that must be refused.
func (s *subject) refused(r reply, typed error, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	switch {
	case r.err != nil && !errors.Is(r.err, typed):
		s.add("%s ends with the error %q, as a broken transport does: return a result with status failure", what, r.err)
	case r.err == nil && r.Status != desktop.Failure:
		s.add("%s ends with %v: it must be a failure", what, r)
	}
}

// tools lists the tools.
func (s *subject) tools(d desktop.Desktop) []desktop.Tool {
	tools, err := bounded(s, "Tools", func() ([]desktop.Tool, error) { return d.Tools(s.t.Context()) })
	if err != nil {
		s.stop("Tools fails: %v", err)
	}
	return tools
}

// box lists the tools, which the first check has found in order.
func (s *subject) box(d desktop.Desktop) *desktop.Toolbox {
	box, err := desktop.NewToolbox(s.tools(d), desktop.LeaveToTool)
	if err != nil {
		s.stop("%v", err)
	}
	return box
}

// fresh is a copy of a command, parameters included, as it comes off a wire.
func fresh(cmd desktop.Command) desktop.Command {
	if copied, err := wire(cmd.Parameters); cmd.Parameters != nil && err == nil {
		cmd.Parameters = copied
	}
	return cmd
}
