package openfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const all = "/proc/self/fd"

// In counts the open files in a folder, those that were deleted since included. What other tests have open does not matter, nor
// when it is closed.
func In(t testing.TB, dir string) (count int) {
	t.Helper()
	list, err := os.ReadDir(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range list {
		if path, err := os.Readlink(filepath.Join(all, fd.Name())); err == nil && strings.HasPrefix(path, dir+"/") {
			count++
		}
	}
	return count
}
