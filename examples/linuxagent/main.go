package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/rules"
	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/workbook"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

//go:embed testdata
var sample embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stdin)})
	stop()
	os.Exit(status)
}

// run is the program. It returns its status.
func run(ctx context.Context, args []string, c console) int {
	s, err := parse(args, c.err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	answer, err := work(ctx, s, c)
	if err != nil {
		fmt.Fprintln(c.err, wrap(err.Error()))
		return 1
	}
	fmt.Fprintln(c.out, wrap(answer))
	return 0
}

// work finds a folder to work in and a file to record to, and does the job.
func work(ctx context.Context, s settings, c console) (answer string, err error) {
	watch := watcher{
		step:  func(step round.Step) { c.show(step.NextAgent, step.To) },
		ended: func(round.Result) error { return nil },
	}
	if s.jsonl != "" {
		record, problem := os.Create(s.jsonl)
		if problem != nil {
			return "", fmt.Errorf("linuxagent: -jsonl: %w", problem)
		}
		defer func() { err = errors.Join(err, record.Close()) }()
		watch.step = observe.All(watch.step, round.JSONL(record))
		watch.ended = func(result round.Result) error { return round.JSONLResult(record, result) }
	}
	if s.dir == "" {
		dir, problem := os.MkdirTemp("", "linuxagent-")
		if problem != nil {
			return "", fmt.Errorf("linuxagent: the sample: %w", problem)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if s.dir, err = unpack(dir); err != nil {
			return "", fmt.Errorf("linuxagent: the sample: %w", err)
		}
	}
	return do(ctx, s, c, watch)
}

// watcher sees every step, and what the round came to.
type watcher struct {
	step  func(round.Step)
	ended func(round.Result) error
}

// do puts the parts together and runs one round of a host on the two applications.
func do(ctx context.Context, s settings, c console, watch watcher) (answer string, err error) {
	shell, err := terminal.New(terminal.Config{Dir: s.dir})
	if err != nil {
		return "", err
	}
	if err := needBash(ctx, shell); err != nil {
		return "", err
	}
	s.workbook = nearby(s.workbook)
	book, err := workbook.New(s.workbook)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	// Two applications that know nothing of windows, each behind one of its own.
	screen, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: rules.Terminal, Process: filepath.Base(s.dir)}, Desktop: shell},
		desktop.App{Window: desktop.Window{Root: rules.Workbook, Process: filepath.Base(s.workbook)}, Desktop: book},
	)
	if err != nil {
		return "", err
	}
	// What the policy judges must be where the shell works, links followed.
	dir, err := resolved(s.dir)
	if err != nil {
		return "", err
	}
	judge, err := newPolicy(dir, s.workbook)
	if err != nil {
		return "", err
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model:     rules.Model(),
			Desktop:   screen,
			Policy:    judge,
			User:      &person{console: c, confirm: s.confirm},
			MaxMemory: maxSteps, // the rules need all that was done
		},
		Apps:   []hostagent.Program{{Name: rules.Terminal, Docs: docs}},
		NewApp: newApp,
		// Nobody watches, so the model may give up without asking first.
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
	if err != nil {
		return "", err
	}
	r, err := round.New(host, s.request(), &round.Options{
		MaxSteps: maxSteps, MaxTransitions: 3 * maxSteps,
		Observe: watch.step,
	})
	if err != nil {
		return "", err
	}
	c.show(r.Result().Agent, r.Result().Status)
	result, err := r.Run(ctx)
	problem := watch.ended(result)
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s: %s", result.Outcome, result.Reason), problem)
	}
	return result.Answer, problem
}

// needBash returns an error if a shell is not one whose lines the policy can judge.
func needBash(ctx context.Context, shell desktop.Desktop) error {
	result, err := desktop.Execute(ctx, shell, desktop.Shell(`echo "${BASH_VERSINFO:-0}"`))
	if err != nil {
		return fmt.Errorf("linuxagent: the shell: %w", err)
	}
	var out terminal.Output
	if err := result.Decode(&out); err != nil {
		return fmt.Errorf("linuxagent: the shell: %w", err)
	}
	says := strings.TrimSpace(out.Stdout)
	if version, err := strconv.Atoi(says); err != nil || version < 4 {
		return fmt.Errorf("linuxagent: the policy judges lines of bash 4 or later, and the version of this shell is %q", says)
	}
	return nil
}

// newApp is where a foreign kind comes in: a terminal gets a LinuxAgent, and
// everything else the AppAgent that it would get anyway.
func newApp(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
	if app.Window.Root == rules.Terminal {
		return linux.ForApp(ctx, app)
	}
	return appagent.New(app)
}

// maxSteps is enough for about five hundred files.
const maxSteps = 200

func resolved(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}

// unpack writes the sample into a folder, since a shell needs real files.
func unpack(dir string) (string, error) {
	files, err := fs.Sub(sample, "testdata")
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "reports")
	return dir, os.CopyFS(dir, files)
}
