package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// tale is the demonstration. All that it does it has done by other processes of this
// program, as a person would at a terminal; itself it only looks.
type tale struct {
	ctx  context.Context //nolint:containedctx // of one call of story, which it does not outlive
	out  io.Writer
	self string
	dir  string
	err  error // the first; nothing more happens behind it
}

const taleRun = "chart"

// story tells how a run is killed and resumed, and how its approvals are given elsewhere.
func (p program) story(ctx context.Context) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "resume-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as the processes will see it
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "chart.xlsx"), []byte("the chart of last year"), 0o600); err != nil {
		return err
	}
	t := &tale{ctx: ctx, out: p.out, self: self, dir: dir}
	t.do(suspended, "the host wants a person's word before it starts Excel, and the process ends", "run")
	t.do(done, "another process sees what waits", "list")
	id := t.waits()
	t.do(done, "others answer", "answer", taleRun, id, "yes")
	t.do(done, "too late", "answer", taleRun, id, "no")
	t.do(failed, "no such question", "answer", taleRun, "nonsense", "yes")
	t.kill("add_bar_chart", "kill -9 when Excel has drawn the chart and the journal has nothing of it", "run", "-hold", "add_bar_chart")
	t.do(suspended, "the next process looks, and does not draw again; the agent in Excel wants to replace a file", "run")
	t.do(done, "", "list")
	t.do(done, "", "answer", taleRun, t.waits(), "yes")
	t.do(done, "", "run")
	t.do(done, "once more from the journal, without model and desktop", "replay", taleRun)
	t.proof()
	return t.err
}

func (t *tale) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// command is a process of this program.
func (t *tale) command(why string, args []string) *exec.Cmd {
	line := "$ resume " + strings.Join(args, " ")
	if why != "" {
		line += "    # " + why
	}
	fmt.Fprintln(t.out, line)
	cmd := exec.CommandContext(t.ctx, t.self, args...)
	cmd.Dir = t.dir
	return cmd
}

// print prints what a process said.
func (t *tale) print(said []byte) {
	for line := range strings.Lines(string(said)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), t.dir+string(filepath.Separator), "")
		fmt.Fprintln(t.out, "    "+strings.ReplaceAll(line, jsonText(t.dir+string(filepath.Separator)), ""))
	}
}

// jsonText is a text as it is inside of JSON: a path of Windows has other characters there.
func jsonText(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(raw[1 : len(raw)-1])
}

// do lets a process do something, and wants it to end with a status.
func (t *tale) do(status int, why string, args ...string) {
	if t.err != nil {
		return
	}
	cmd := t.command(why, args)
	said, err := cmd.CombinedOutput()
	t.print(said)
	var exit *exec.ExitError
	switch {
	case t.ctx.Err() != nil:
		t.fail(context.Cause(t.ctx))
	case err != nil && !errors.As(err, &exit):
		t.fail(err)
	case cmd.ProcessState.ExitCode() != status:
		t.fail(fmt.Errorf("resume %s: it ended with status %d, and not %d", args[0], cmd.ProcessState.ExitCode(), status))
	}
}

// kill starts a process, and kills it when it stands still behind a tool.
func (t *tale) kill(tool, why string, args ...string) {
	if t.err != nil {
		return
	}
	cmd := t.command(why, args)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	said, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.fail(err)
		return
	}
	held := false
	for lines := bufio.NewScanner(said); !held && lines.Scan(); {
		t.print(lines.Bytes())
		held = strings.HasPrefix(lines.Text(), tool+" is executed")
	}
	killed := cmd.Process.Kill()
	_ = cmd.Wait() // it says that it was killed
	if !held || killed != nil {
		t.fail(errors.Join(fmt.Errorf("resume %s: it did not stand still: %s", args[0], problems.String()), killed))
	}
}

// state is what the journal says of the run.
func (t *tale) state() durable.State {
	if t.err != nil {
		return durable.State{}
	}
	st, err := t.store()
	if err != nil {
		t.fail(err)
		return durable.State{}
	}
	state, err := durable.Look(t.ctx, st, taleRun)
	if err != nil {
		t.fail(err)
	}
	return state
}

func (t *tale) store() (*store.FileStore, error) {
	return store.Files(filepath.Join(t.dir, "journals"), nil)
}

// waits returns the id of the one question that waits.
func (t *tale) waits() string {
	questions := t.state().Waits
	if len(questions) != 1 {
		t.fail(fmt.Errorf("%d questions wait, and not one", len(questions)))
		return ""
	}
	return questions[0].ID
}

// proof counts what was done against what the journal has.
func (t *tale) proof() {
	if t.err != nil {
		return
	}
	st, err := t.store()
	if err != nil {
		t.fail(err)
		return
	}
	replies := 0
	for record, err := range durable.Records(t.ctx, st, taleRun) {
		if err != nil {
			t.fail(err)
			return
		}
		if record.Kind == "call" {
			replies++
		}
	}
	w := (&call{files: st}).world(taleRun)
	asked, err := lines[struct{ Prompt string }](w.file(modelFile))
	if err != nil {
		t.fail(err)
		return
	}
	acts, err := lines[struct{ Tool string }](w.file(deskFile))
	if err != nil {
		t.fail(err)
		return
	}
	var tools []string
	for _, act := range acts {
		tools = append(tools, act.Tool)
	}
	fmt.Fprintf(t.out, "The model was asked %d times, and the journal has %d replies. The desktop executed:\n    %s\n",
		len(asked), replies, strings.Join(tools, ", "))
	slices.Sort(tools)
	if len(asked) != replies || len(slices.Compact(slices.Clone(tools))) != len(tools) {
		t.fail(errors.New("something was done twice"))
	}
}

// lines reads a file with a JSON object on each line.
func lines[T any](name string) ([]T, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []T
	for line := range bytes.Lines(raw) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}
