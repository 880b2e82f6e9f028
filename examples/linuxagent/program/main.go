// Linuxagent answers "which of these CSV files has the highest total; put the answer into the workbook", on real files:
// with command lines in the shell of this machine, and in a real .xlsx file.
//
//	go run ./linuxagent -dir reports -column amount -workbook out/answer.xlsx
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
	"io"
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
	s, err := parse(args, c.Err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(c.Err, "linuxagent: %v (-h lists the flags)\n", err)
		return 2
	}
	answer, err := work(ctx, s, c, model)
	if err != nil {
		fmt.Fprintln(c.Err, err)
		return 1
	}
	fmt.Fprintln(c.Out, answer)
	return 0
}

func parse(args []string, w io.Writer) (s settings, err error) {
	flags := flag.NewFlagSet("linuxagent", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.dir, "dir", "", "`FOLDER` with CSV files; empty: the sample")
	flags.StringVar(&s.column, "column", "amount", "`NAME` of the column to total; empty: ask")
	flags.StringVar(&s.workbook, "workbook", "answer.xlsx", "`FILE.xlsx` for the answer; its other sheets stay")
	flags.StringVar((*string)(&s.confirm), "confirm", string(person.Ask), "whether commands that are not on the list may run: ask, yes or no")
	err = flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(w)
		flags.Usage()
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("what is %q?", flags.Arg(0))
	case !s.confirm.Known():
		err = fmt.Errorf("-confirm is %q, not ask, yes or no", s.confirm)
	case !strings.EqualFold(filepath.Ext(s.workbook), ".xlsx"):
		err = fmt.Errorf("-workbook is %q, and its name must end in .xlsx", s.workbook)
	}
	return s, err
}

// work puts the parts together and runs one round of a host on the two applications.
func work(ctx context.Context, s settings, c person.Console, model llm.Model) (answer string, err error) {
	if s.dir == "" { // a shell needs real files
		dir, err := os.MkdirTemp("", "linuxagent-")
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := os.CopyFS(dir, sample); err != nil {
			return "", err
		}
		s.dir = filepath.Join(dir, "testdata")
	}
	// The policy judges the folder in which the shell works, so links are followed.
	if s.dir, err = filepath.Abs(s.dir); err == nil {
		s.dir, err = filepath.EvalSymlinks(s.dir)
	}
	if err != nil {
		return "", err
	}
	shell, err := terminal.New(terminal.Config{Dir: s.dir})
	if err != nil {
		return "", err
	}
	if err := needBash(ctx, shell); err != nil {
		return "", err
	}
	book, err := newWorkbook(s.workbook)
	if err != nil {
		return "", err
	}
	screen, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: inTerminal, Process: filepath.Base(s.dir)}, Desktop: shell},
		desktop.App{Window: desktop.Window{Root: inWorkbook, Process: filepath.Base(s.workbook)}, Desktop: book},
	)
	if err != nil {
		return "", err
	}
	policy, err := newPolicy(s.dir, s.workbook)
	if err != nil {
		return "", err
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
		return "", err
	}
	request := "which of these CSV files has the highest total? Put the answer into the workbook."
	if s.column != "" {
		request = fmt.Sprintf("which of these CSV files has the highest total of %q? Put the answer into the workbook.", s.column)
	}
	r, err := round.New(host, request, &round.Options{MaxSteps: maxSteps, MaxTransitions: 3 * maxSteps, Observe: func(step round.Step) {
		fmt.Fprintf(c.Out, "%s:%s\n", step.NextAgent, step.To)
	}})
	if err != nil {
		return "", err
	}
	result, err := r.Run(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %s", result.Outcome, result.Reason)
	}
	return result.Answer, nil
}

// maxSteps is enough for hundreds of files.
const maxSteps = 200

// needBash returns an error if the policy cannot judge the lines of a shell.
func needBash(ctx context.Context, shell desktop.Desktop) error {
	result, err := desktop.Execute(ctx, shell, desktop.Shell(`((BASH_VERSINFO >= 4)) && echo bash`))
	if err != nil {
		return err
	}
	var out terminal.Output
	if err := result.Decode(&out); err != nil || out.Stdout != "bash\n" {
		return errors.New("linuxagent: the policy judges lines of bash 4 or later, and this shell is another one")
	}
	return nil
}
