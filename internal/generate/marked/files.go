package marked

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Stale is a part of a file that is not what its marker says.
type Stale struct {
	File   string // relative to the root, with slashes
	Marker string
}

// Files renews all Markdown files below the root, and returns what was stale.
// With checkOnly it writes nothing. Nothing is written either when any file has
// an error. Fixtures (testdata), build output and hidden folders are left out.
func Files(root string, checkOnly bool, renderers map[string]Renderer) ([]Stale, error) {
	var stale []Stale
	renewed := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch name := entry.Name(); {
			case path == root:
				return nil
			case name == "testdata", name == "bin", name == "out", name[0] == '.':
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".md") {
			return nil
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		text, changed, err := Replace(name, string(old), renderers)
		if err != nil {
			return err
		}
		for _, marker := range changed {
			stale = append(stale, Stale{File: name, Marker: marker})
		}
		if len(changed) > 0 {
			renewed[path] = text
		}
		return nil
	})
	if err != nil || checkOnly {
		return stale, err
	}
	for path, text := range renewed {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return stale, fmt.Errorf("marked: %w", err)
		}
	}
	return stale, nil
}
