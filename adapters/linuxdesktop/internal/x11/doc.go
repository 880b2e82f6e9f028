// Package x11 has what an agent needs of an X display: the windows that the window manager
// knows (EWMH), pictures, the pointer and the keyboard (XTEST).
//
//	d, err := x11.Open(ctx, ":0")
//	...
//	defer d.Close()
//	windows, err := d.Windows(ctx)
//	err = d.Activate(ctx, windows[0].ID)
//	err = d.Click(ctx, image.Pt(100, 200), x11.Left, 1)
//	done, err := d.Type(ctx, x11.Text("Grüße"), nil)
//
// Every call ends with its context, and with [ErrServer] when the server does not answer
// for ten seconds.
//
// Extended Window Manager Hints: https://specifications.freedesktop.org/wm-spec/latest/
package x11
