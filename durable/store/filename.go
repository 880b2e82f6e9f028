package store

import (
	"fmt"
	"net/url"
	"strings"
)

const (
	filePrefix = "run-" // so that no name is one that Windows has for a device, such as con
	fileSuffix = ".journal"
	// What else a run may have. The longest of all names has 255 bytes.
	lockSuffix = ".lock" // locked while somebody drives the run
	markSuffix = ".mark" // where it stands, as its last mark has it
)

// fileName is the name of a run's file. It has small letters, digits, "-", "_", "." and
// "%" only, so that it is the same file on a system that does not tell A from a, or that
// has its own forms of é, and so that no id leads out of the folder.
func fileName(run string) string {
	var b strings.Builder
	b.WriteString(filePrefix)
	for i := range len(run) {
		switch c := run[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	b.WriteString(fileSuffix)
	return b.String()
}

// otherName is the name of another file of a run.
func otherName(run, suffix string) string {
	return strings.TrimSuffix(fileName(run), fileSuffix) + suffix
}

// runOfFile returns the run whose file has that name, false for what is no run's file.
func runOfFile(name string) (string, bool) {
	escaped, prefixed := strings.CutPrefix(name, filePrefix)
	escaped, suffixed := strings.CutSuffix(escaped, fileSuffix)
	if !prefixed || !suffixed {
		return "", false
	}
	run, err := url.PathUnescape(escaped)
	// Other spellings of a name are other files, and not ours.
	return run, err == nil && CheckRun(run) == nil && fileName(run) == name
}
