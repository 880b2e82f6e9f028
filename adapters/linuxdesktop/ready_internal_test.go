package linuxdesktop

import (
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi/atspitest"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// A window of a program that says of no control that it shows is not waited for, and has no empty list of controls.
func TestWindowWithoutControls(t *testing.T) {
	for name, c := range map[string]struct {
		toolkit [2]string
		want    string
	}{
		"GTK 4": {[2]string{"GTK", "4.8.3"}, `the controls of the window "Calculator" cannot be read: its program uses GTK 4`},
	} {
		t.Run(name, func(t *testing.T) {
			top := ref("1.1")
			tree, err := atspi.Dial(t.Context(), atspitest.Serve(t, func(call atspitest.Call) ([]any, error) {
				isWindow := call.Path == string(top.Path)
				switch call.Method {
				case "org.a11y.atspi.Accessible.GetState":
					if isWindow {
						return []any{[]uint32{uint32(atspi.Visible | atspi.Showing), 0}}, nil
					}
					return []any{[]uint32{uint32(atspi.Visible), 0}}, nil
				case "org.a11y.atspi.Accessible.GetRoleName":
					return []any{"window"}, nil
				case "org.a11y.atspi.Accessible.GetChildren":
					return []any{[]atspi.Ref{ref("1.2")}}, nil
				case "org.freedesktop.DBus.Properties.Get":
					if value, ok := map[any]any{"Name": "Calculator", "ChildCount": int32(1), "ToolkitName": c.toolkit[0], "Version": c.toolkit[1]}[call.Body[1]]; ok {
						return []any{dbus.MakeVariant(value)}, nil
					}
				case "org.a11y.atspi.Component.GetExtents":
					return []any{struct{ X, Y, W, H int32 }{1, 2, 30, 40}}, nil
				}
				return nil, dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownMethod"}
			}), 0)
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, tree.Close()) })
			w := x11.Window{ID: 7, Title: "Calculator"}
			d := &Desktop{session: &session{tree: tree, ready: map[x11.WindowID]bool{}, frames: map[x11.WindowID]atspi.Ref{w.ID: top}}}
			_, _, err = (&call{Desktop: d}).awaitReady(t.Context(), w)
			assert.EqualError(t, err, c.want)
		})
	}
}
