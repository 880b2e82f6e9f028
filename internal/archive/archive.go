// Package archive reads a text that has several files, for tests: each is below a line
// with its name between two pairs of dashes.
//
//	-- go.mod --
//	module example.org/calc
package archive

import (
	"os"
	"strings"
)

// Files returns the files of an archive, by their names. It panics when there is no such
// archive: a test begins with it.
func Files(path string) map[string]string {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	files, name := map[string]string{}, ""
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
		if before, ok := strings.CutSuffix(line, " --\n"); ok && strings.HasPrefix(before, "-- ") {
			name = before[3:]
			files[name] = ""
			continue
		}
		files[name] += line
	}
	return files
}
