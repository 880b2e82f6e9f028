package headless

import (
	"context"
	"image"
)

// Options of a session.
type Options struct {
	// Size of the screen in pixels. Default: 1280 x 1024.
	Size image.Point
	// Env are more variables for programs, such as "GTK_THEME=HighContrast". They replace
	// all others but those that name the session.
	Env []string
	// Dir is where the folder of the session is made. Default: os.TempDir(). Sockets are in
	// that folder, so the path has to be short: 60 bytes are no problem.
	Dir string
}

// Session is a desktop that runs until Close.
type Session struct {
	Display string   // such as ":5"
	Bus     string   // such as "unix:path=/tmp/agentfsm-4kxq2hab/run/bus,guid=…"
	Env     []string // of programs that are to run in the session
	Dir     string   // has everything that the session writes

	end func() error
}

// Start starts a display, a session bus and a window manager. They do not end with ctx:
// it bounds the start only.
//
// If one of them does not start, the error says which, with the last lines that it wrote,
// and what was started has been ended.
func Start(ctx context.Context, opts *Options) (*Session, error) {
	if opts == nil {
		opts = &Options{}
	}
	return start(ctx, *opts)
}

// Close ends all programs of the session and removes its folder. It may be called again, by
// several goroutines too, and returns the same each time. Its error names programs that did
// not end, and Xvfb, dbus-daemon or openbox if they ended too early.
func (s *Session) Close() error { return s.end() }
