// Package headless starts a Linux desktop that nobody sees: a display (Xvfb), a session bus (dbus-daemon) and a
// window manager (openbox), for tests and servers.
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
// Start returns when the window manager is there. Each session has a display, a bus, a home and a folder for
// temporary files of its own, and all of that is gone after Close.
//
// # What must be installed
//
// On Debian: apt-get install xvfb dbus openbox at-spi2-core. [Missing] says what is not there, also of the
// programs that you will start. For LibreOffice it looks at more than the program: the package
// libreoffice-calc-nogui takes the place of libreoffice-calc, and then Calc dies when it opens a window.
//
// # What programs get
//
// Env has DISPLAY, XAUTHORITY and DBUS_SESSION_BUS_ADDRESS; HOME, TMPDIR and five XDG folders inside Dir;
// LANG=C.UTF-8, GTK_USE_PORTAL=0 and GSETTINGS_BACKEND=memory; PATH, USER, LOGNAME, TZ, LD_LIBRARY_PATH,
// XDG_CONFIG_DIRS, XDG_DATA_DIRS, SSL_CERT_FILE and SSL_CERT_DIR, as your process has them; Options.Env; and
// AGENTFSM_HEADLESS, by which Close knows the programs of the session. No other variable is passed on: no key of
// a provider. The display and the bus accept only programs of the same user. No port is opened.
//
// # How a session ends
//
// A shell that Start runs beside the session ends every program that has AGENTFSM_HEADLESS in its environment when Close
// is called, or when your process ends without Close, also by SIGKILL: with SIGTERM, and with SIGKILL after about two
// seconds. A program escapes if it empties its environment, or
// runs as another user. LibreOffice leaves a socket of no use in /tmp.
//
// Xvfb, dbus-daemon and openbox write what they have to say into the folder log inside Dir. If one of them ends
// before Close, Close returns an error that says which one it was and what it said.
package headless
