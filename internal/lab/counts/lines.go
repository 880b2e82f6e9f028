package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// groups are the parts of the repository in the order in which they are printed. A folder
// belongs to the last group that has it or a folder above it.
var groups = []struct {
	name    string
	folders []string
}{
	{"card", []string{"fsm", "round", "blackboard", "hostagent", "appagent"}},
	{"llm, desktop", []string{"llm", "desktop"}},
	{"durable, runs", []string{"durable", "runs"}},
	{"other core", []string{"."}},
	{"internal", []string{"internal"}},
	{"kits", nil}, // folders whose name ends in test
	{"lab", []string{"internal/lab", "internal/repo", "internal/tools"}},
	{"adapters", []string{"adapters"}},
	{"examples", []string{"examples"}},
}

// groupOf returns the group of a folder.
func groupOf(folder string) string {
	if name := filepath.Base(folder); strings.HasSuffix(name, "test") {
		return "kits"
	}
	for at := folder; ; at = filepath.ToSlash(filepath.Dir(at)) {
		for _, g := range slices.Backward(groups) {
			if slices.Contains(g.folders, at) {
				return g.name
			}
		}
	}
}

// countLines returns the lines of production code of each group, in all modules.
func countLines(root string) (map[string]int, error) {
	lines := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name[0] == '.' || name == "testdata" || name == "node_modules" || name == "out" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".html", ".css", ".js":
		default:
			return nil
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		lines[groupOf(filepath.ToSlash(folder))] += bytes.Count(text, []byte("\n"))
		return err
	})
	return lines, err
}

func printLines(to io.Writer, root string) error {
	lines, err := countLines(root)
	if err != nil {
		return err
	}
	all := 0
	for _, g := range groups {
		fmt.Fprintf(to, "%-14s %7d\n", g.name, lines[g.name])
		all += lines[g.name]
	}
	fmt.Fprintf(to, "%-14s %7d\n", "all", all)
	return nil
}
