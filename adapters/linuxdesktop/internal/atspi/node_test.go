package atspi_test

import (
	"fmt"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi/atspitest"
)

// window answers as a program with one window of many buttons does.
func window(buttons int) func(atspitest.Call) ([]any, error) {
	const showing = uint32(1) << 25
	return func(c atspitest.Call) ([]any, error) {
		isWindow := c.Path == "/org/a11y/atspi/accessible/1"
		switch c.Method {
		case "org.a11y.atspi.Accessible.GetState":
			return []any{[]uint32{showing, 0}}, nil
		case "org.a11y.atspi.Accessible.GetRoleName":
			if isWindow {
				return []any{"frame"}, nil
			}
			return []any{"push button"}, nil
		case "org.a11y.atspi.Accessible.GetChildren":
			var list []atspi.Ref
			for i := range buttons {
				list = append(list, atspi.Ref{Bus: ":1.7", Path: dbus.ObjectPath(fmt.Sprintf("/org/a11y/atspi/accessible/%d", 2+i))})
			}
			return []any{list}, nil
		case "org.freedesktop.DBus.Properties.Get":
			switch {
			case c.Body[1] == "Name":
				return []any{dbus.MakeVariant("Bold")}, nil
			case c.Body[1] == "ChildCount" && isWindow:
				return []any{dbus.MakeVariant(int32(buttons))}, nil
			}
			return []any{dbus.MakeVariant(int32(0))}, nil
		case "org.a11y.atspi.Component.GetExtents":
			return []any{struct{ X, Y, W, H int32 }{1, 2, 30, 40}}, nil
		}
		return nil, dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownMethod"}
	}
}

// A look at a window of too many parts ends, and says that it did not see all.
func TestReadEndsWithItsBudget(t *testing.T) {
	t.Parallel()
	const buttons = 300
	c := serve(t, window(buttons))
	n, cut, err := c.Read(t.Context(), top)
	require.NoError(t, err)
	assert.False(t, cut)
	require.Len(t, n.Children, buttons)
	assert.Equal(t, "Bold", n.Children[buttons-1].Name)
	all := c.Calls()

	n, cut, err = c.Read(atspi.WithBudget(t.Context(), 200), top)
	require.NoError(t, err)
	assert.True(t, cut)
	assert.NotEmpty(t, n.Children)
	assert.Less(t, len(n.Children), buttons)
	assert.LessOrEqual(t, c.Calls()-all, int64(200))
}

var top = atspi.Ref{Bus: ":1.7", Path: "/org/a11y/atspi/accessible/1"}

// serve connects to a program that answers so.
func serve(t *testing.T, answer func(atspitest.Call) ([]any, error)) *atspi.Client {
	t.Helper()
	c, err := atspi.Dial(t.Context(), atspitest.Serve(t, answer), 0)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}
