package progress

import (
	"io"
	"os"
	"strconv"
)

// Mode says how a [Printer] writes.
type Mode uint8

// The modes.
const (
	Auto  Mode = iota // Live on a terminal, else Plain
	Live              // one line that is written anew
	Plain             // a line for each transition
)

// DefaultWidth is how wide a terminal is taken to be that does not say so.
const DefaultWidth = 80

// isTerminal reports whether w may be a terminal on which a line can be written
// anew: a file that is a device, and not the one that swallows everything.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f == nil || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// columns is the width that the environment tells.
func columns() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return DefaultWidth
}
