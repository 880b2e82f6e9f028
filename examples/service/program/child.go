package program

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// begin starts a process and prints its lines. It ends with its input, so none is left when this one dies.
func (t *tale) begin(name, role string, args ...string) (*child, error) {
	t.say("$ service %s    # %s", strings.Join(append([]string{role}, args...), " "), name)
	c := &child{name: name, first: make(chan string, 1), over: make(chan struct{})}
	c.cmd = exec.CommandContext(t.ctx, t.self, append([]string{role, "-dir", t.dir, "-child"}, args...)...) //nolint:gosec // it is this program
	input, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.input, c.cmd.Stderr = input, c.cmd.Stdout
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	t.children[name] = c
	go func() {
		defer close(c.over)
		defer close(c.first)
		for lines, n := bufio.NewScanner(said), 0; lines.Scan(); n++ {
			t.say("%s: %s", name, lines.Text())
			if n == 0 {
				c.first <- lines.Text()
			}
			if strings.HasSuffix(lines.Text(), standsStill) {
				t.held <- c
			}
		}
	}()
	return c, nil
}

// end ends all processes, and waits until they have.
func (t *tale) end() error {
	var errs []error
	for _, c := range t.children {
		_ = c.input.Close()
	}
	for _, c := range t.children {
		<-c.over
		if err := c.cmd.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}
