package atspi_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi/atspitest"
)

var button = atspi.Ref{Bus: ":1.7", Path: "/org/a11y/atspi/accessible/3"}

// program answers as one button does: with its role, and not at all where it is asked for its name.
func program(c atspitest.Call) ([]any, error) {
	switch c.Method {
	case "org.a11y.atspi.Accessible.GetRoleName":
		if c.Path != string(button.Path) {
			return nil, dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownObject"}
		}
		return []any{"push button"}, nil
	case "org.a11y.atspi.Accessible.GetChildren":
		return nil, dbus.Error{Name: "org.freedesktop.DBus.Error.Failed", Body: []any{"not now"}}
	}
	return nil, atspitest.ErrSilent
}

func dial(t *testing.T, timeout time.Duration) *atspi.Client {
	t.Helper()
	c, err := atspi.Dial(t.Context(), atspitest.Serve(t, program), timeout)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}

func TestCalls(t *testing.T) {
	t.Parallel()
	c := dial(t, 0)
	role, err := c.Role(t.Context(), button)
	require.NoError(t, err)
	assert.Equal(t, "push button", role)
	_, err = c.Role(t.Context(), atspi.Ref{Bus: ":1.7", Path: "/org/a11y/atspi/accessible/4"})
	require.ErrorIs(t, err, atspi.ErrGone)
	_, err = c.Children(t.Context(), button)
	require.EqualError(t, err, "not now")
	_, err = c.Role(t.Context(), atspi.Ref{})
	require.EqualError(t, err, "there is no such object")
}

// A program that hangs keeps a call waiting for its deadline, and a caller for its own.
func TestSilent(t *testing.T) {
	t.Parallel()
	c := dial(t, 50*time.Millisecond)
	_, err := c.Name(t.Context(), button)
	require.ErrorIs(t, err, atspi.ErrSilent)
	require.EqualError(t, err, "the program does not answer within 50ms")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(assert.AnError)
	_, err = c.Name(ctx, button)
	require.ErrorIs(t, err, assert.AnError)
}

// A budget is spent with each call, and never more than that which it is a part of.
func TestBudget(t *testing.T) {
	t.Parallel()
	c := dial(t, 0)
	all := atspi.WithBudget(t.Context(), 5)
	for _, want := range []int{3, 2, 0} {
		part, n := atspi.WithBudget(all, 3), 0
		var err error
		for ; err == nil; n++ {
			_, err = c.Role(part, button)
		}
		require.ErrorIs(t, err, atspi.ErrBudget)
		assert.Equal(t, want, n-1)
		_, err = c.Role(part, button) // costs the other nothing
		require.ErrorIs(t, err, atspi.ErrBudget)
	}
	_, err := c.Role(t.Context(), button)
	require.NoError(t, err)
}

// A bus that hangs keeps nobody waiting for ever, also without a deadline of the caller.
func TestDialOfABusThatHangs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	require.NoError(t, err)
	defer l.Close()
	_, err = atspi.Dial(context.WithoutCancel(t.Context()), "unix:path="+path, 10*time.Millisecond)
	require.ErrorContains(t, err, "the bus does not answer within 100ms")
	_, err = atspi.Dial(t.Context(), "unix:path="+path+"2", 0)
	require.ErrorContains(t, err, "no such file")
	_, err = atspi.Dial(t.Context(), "", 0)
	require.EqualError(t, err, "session bus: no address was given")
}
