package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// quickstart is what the model of examples/quickstart reads in a whole run, in bytes, and
// what of that no earlier request began with.
type quickstart struct{ Requests, Read, New int }

var quickstartLine = regexp.MustCompile(`requests=(\d+) read=(\d+) new=(\d+)`)

// readQuickstart runs the test of the example that counts: its applications are internal to
// its module.
func readQuickstart(ctx context.Context, root string) (quickstart, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "./quickstart", "-run", "^TestPromptBytes$", "-count=1", "-v")
	cmd.Dir = filepath.Join(root, "examples")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return quickstart{}, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return parseQuickstart(out)
}

func parseQuickstart(out []byte) (quickstart, error) {
	m := quickstartLine.FindSubmatch(out)
	if m == nil {
		return quickstart{}, fmt.Errorf("%w: the quickstart counted nothing", errOther)
	}
	var q quickstart
	for i, into := range []*int{&q.Requests, &q.Read, &q.New} {
		n, err := strconv.Atoi(string(m[i+1]))
		if err != nil {
			return quickstart{}, err
		}
		*into = n
	}
	return q, nil
}
