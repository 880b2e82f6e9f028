// Package program answers "which of these CSV files has the highest total; put the answer into the workbook", on real
// files: with command lines in the shell of this machine, and in a real .xlsx file.
//
// A HostAgent gives the first part to a LinuxAgent, a kind that the library does not know, and the second part to an
// AppAgent. To copy: package linux, the kind; package terminal, the shell as a Desktop; policy.go, the list of what may
// run without being asked; and this file, which puts them together. rules.go plays the model.
//
// The program needs bash 4 or later, because the policy judges lines as bash reads them, and the commands of POSIX.
package program

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

//go:embed testdata
var sample embed.FS

// The roots of the windows.
const (
	inTerminal = "terminal"
	inWorkbook = "workbook"
)

// settings are the flags.
type settings struct {
	dir, column, workbook string
	confirm               person.Consent
}

// Run runs the program and returns its exit status.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	s := settings{confirm: person.Ask}
	flags := flag.NewFlagSet("linuxagent", flag.ContinueOnError)
	flags.StringVar(&s.dir, "dir", "", "`FOLDER` with CSV files; empty: the sample")
	flags.StringVar(&s.column, "column", "amount", "`NAME` of the column to total; empty: ask")
	flags.StringVar(&s.workbook, "workbook", "answer.xlsx", "`FILE.xlsx` for the answer; its other sheets stay")
	flags.Var(&s.confirm, "confirm", "whether commands that are not on the list may run: ask, yes or no")
	status, ok := person.Parse(flags, args, c, func() error {
		if !strings.EqualFold(filepath.Ext(s.workbook), ".xlsx") {
			return fmt.Errorf("-workbook is %q, and its name must end in .xlsx", s.workbook)
		}
		return nil
	})
	if !ok {
		return status
	}
	result, err := work(ctx, s, c, model)
	switch {
	case err != nil && result.Outcome != "":
		fmt.Fprintf(c.Err, "%s: %s\n", result.Outcome, result.Reason)
		return 1
	case err != nil:
		fmt.Fprintln(c.Err, "linuxagent:", err)
		return 1
	}
	fmt.Fprintln(c.Out, result.Answer)
	return 0
}

// work runs one round of a host on the two applications.
func work(ctx context.Context, s settings, c person.Console, model llm.Model) (result round.Result, err error) {
	if s.dir == "" { // a shell needs real files
		dir, failed := os.MkdirTemp("", "linuxagent-")
		if failed != nil {
			return result, failed
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := os.CopyFS(dir, sample); err != nil {
			return result, err
		}
		s.dir = filepath.Join(dir, "testdata")
	}
	// The policy judges the folder in which the shell works, so links are followed.
	if s.dir, err = filepath.EvalSymlinks(s.dir); err == nil {
		s.dir, err = filepath.Abs(s.dir)
	}
	if err != nil {
		return result, err
	}
	screen, err := newScreen(ctx, s)
	if err != nil {
		return result, err
	}
	policy, err := newPolicy(s.dir, s.workbook)
	if err != nil {
		return result, err
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: screen, Policy: policy, MaxMemory: maxSteps,
			User: reader{&person.Person{Console: c, Confirm: s.confirm}},
		},
		Apps: []hostagent.Program{{Name: inTerminal, Docs: docs}},
		// A terminal gets a LinuxAgent, and each other application its AppAgent.
		NewApp: func(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
			if app.Window.Root == inTerminal {
				return linux.ForApp(ctx, app)
			}
			return appagent.New(app)
		},
		// The model may give up without asking a person.
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
	if err != nil {
		return result, err
	}
	column := ""
	if s.column != "" {
		column = fmt.Sprintf(" of %q", s.column)
	}
	request := "which of these CSV files has the highest total" + column + "? Put the answer into the workbook."
	r, err := round.New(host, request, &round.Options{MaxSteps: maxSteps, MaxTransitions: 3 * maxSteps, Observe: func(step round.Step) {
		fmt.Fprintf(c.Out, "%s:%s\n", step.NextAgent, step.To)
	}})
	if err != nil {
		return result, err
	}
	return r.Run(ctx)
}

// maxSteps is enough for hundreds of files.
const maxSteps = 200

// newScreen returns a desktop with two windows.
func newScreen(ctx context.Context, s settings) (desktop.Desktop, error) {
	shell, err := terminal.New(terminal.Config{Dir: s.dir})
	if err != nil {
		return nil, err
	}
	result, err := desktop.Execute(ctx, shell, desktop.Shell(`((BASH_VERSINFO >= 4)) && echo bash`))
	if err != nil {
		return nil, err
	}
	var out terminal.Output
	if err := result.Decode(&out); err != nil || out.Stdout != "bash\n" {
		return nil, errors.New("the policy judges lines of bash 4 or later, and this shell is another one")
	}
	book, err := newWorkbook(s.workbook)
	if err != nil {
		return nil, err
	}
	return desktop.Screen(
		desktop.App{Window: desktop.Window{Root: inTerminal, Process: filepath.Base(s.dir)}, Desktop: shell},
		desktop.App{Window: desktop.Window{Root: inWorkbook, Process: filepath.Base(s.workbook)}, Desktop: book},
	)
}
