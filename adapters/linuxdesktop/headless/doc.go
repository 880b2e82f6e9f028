// Package headless starts a Linux desktop that nobody sees: a display (Xvfb), a session
// bus (dbus-daemon) and a window manager (openbox), for tests and servers.
//
//	s, err := headless.Start(ctx, nil)
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	editor := exec.CommandContext(ctx, "mousepad")
//	editor.Env = s.Env
//	err = editor.Start()
//
// Start returns when the display answers and the window manager is there. Sessions do
// not touch one another: each has a display, a bus, a home and a folder for temporary
// files of its own, and all of that is gone after Close.
//
// # What must be installed
//
// On Debian: apt-get install xvfb dbus openbox at-spi2-core. [Missing] says what is not
// there, also of the programs that you will start:
//
//	if err := headless.Missing("soffice"); err != nil {
//		return err // such as that the package xvfb is missing
//	}
//
// For LibreOffice it looks at more than the program: the package libreoffice-calc-nogui
// takes the place of libreoffice-calc, and then Calc dies when it opens a window.
//
// # What programs get
//
// Programs that you start with Env reach the session and nothing else of your desktop.
// Env has these variables:
//
//   - DISPLAY, XAUTHORITY and DBUS_SESSION_BUS_ADDRESS: the session.
//   - HOME, TMPDIR and five XDG folders (XDG_RUNTIME_DIR, XDG_CONFIG_HOME, XDG_DATA_HOME,
//     XDG_CACHE_HOME, XDG_STATE_HOME): inside Dir.
//   - LANG=C.UTF-8, GTK_USE_PORTAL=0 and GSETTINGS_BACKEND=memory.
//   - PATH, USER, LOGNAME, TZ, LD_LIBRARY_PATH, XDG_CONFIG_DIRS, XDG_DATA_DIRS, SSL_CERT_FILE
//     and SSL_CERT_DIR, as your process has them.
//   - those of Options.Env.
//   - AGENTFSM_HEADLESS: by which Close knows the programs of the session.
//
// No other variable of your process is passed on: no key of a provider, and no
// NO_AT_BRIDGE, which would hide all controls of a program.
//
// The display and the bus accept only programs of the same user. No port is opened.
//
// # How a session ends
//
// Close ends every program that has AGENTFSM_HEADLESS in its environment: those that you
// started with Env, those that they started, and those that the bus started. A program
// gets SIGTERM, and SIGKILL when it has not ended after two seconds at most. What a program
// had not saved is lost.
//
// The same happens within about a second when your process ends without Close,
// also by SIGKILL. A shell that Start runs beside the session waits for that. It is no
// child of the session, and it ends with it.
//
// A program escapes if it empties its environment, or if it runs as another user. Most
// end all the same when they lose the display. LibreOffice leaves a socket of no use in
// /tmp, which nobody can have it make elsewhere.
//
// Xvfb, dbus-daemon and openbox write what they have to say into the folder log inside Dir.
// When one of them ends before Close, programs fail as they do on any desktop that is gone;
// Close returns an error that says which one it was and what it said.
package headless
