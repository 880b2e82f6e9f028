package headless

import "errors"

// ErrMissing says that something is not installed. The text says what, and which packages
// of Debian have it.
var ErrMissing = errors.New("headless: not installed")

// Missing returns an ErrMissing if the machine lacks something that Start needs, or one of
// these programs:
//
//	err := headless.Missing("mousepad", "soffice")
//
// For "soffice" it looks for all that LibreOffice needs to show windows and their controls:
// Writer, Calc and the plug-in for GTK. Start calls Missing itself, without programs.
func Missing(programs ...string) error { return missing(programs) }
