package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A commandError is a command that failed, with what it said.
type commandError struct {
	Args   []string
	Output string
	Err    error
}

func (e *commandError) Error() string {
	return strings.TrimRight(fmt.Sprintf("release: %s: %v\n%s", strings.Join(e.Args, " "), e.Err, e.Output), "\n")
}

func (e *commandError) Unwrap() error { return e.Err }

// runner runs commands in a folder. They end with the context, and those that
// they started with them.
type runner struct {
	dir string
	env []string
	log io.Writer // is told of each command, unless it is nil
}

// run returns what the command wrote to its standard output.
func (r runner) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.WaitDelay = 5 * time.Second // for output that a grandchild holds
	endGroup(cmd)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if r.log != nil {
		fmt.Fprintf(r.log, "+ %s\n", strings.Join(cmd.Args, " "))
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return "", &commandError{cmd.Args, out.String() + problem.String(), err}
	}
	return out.String(), nil
}

// environment is that of this process with some variables set. Those by which git
// tells a hook in which repository it runs are left out, for other repositories are meant here.
func environment(set map[string]string) []string {
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
			"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES":
			return true
		}
		return false
	})
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}
