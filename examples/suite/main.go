package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/examples/suite/internal/rules"
	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

//go:embed tasks/*.json
var data embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program. It returns its status: 0 when all tasks are done.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("suite", flag.ContinueOnError)
	flags.SetOutput(errs)
	model := flags.String("model", "", "`NAME` of a model of your own endpoint, which OPENAI_BASE_URL and OPENAI_API_KEY say; empty: the rules of this program")
	only := flags.String("tasks", "", "`NAMES` of tasks, with commas; empty: all")
	pictures := flags.Bool("pictures", false, "let the agents see pictures")
	limit := flags.Duration("limit", 10*time.Minute, "how long a task may take")
	verbose := flags.Bool("v", false, "print what the agents do")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	all, err := task.Read(data)
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	tasks, err := choose(all, *only, flags.Args())
	if err != nil {
		fmt.Fprintln(errs, err)
		return 2
	}
	if own := os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""; own != (*model != "") {
		fmt.Fprintln(errs, "suite: -model and OPENAI_BASE_URL or OPENAI_API_KEY belong together: unset both to use the rules of this program")
		return 2
	}
	s := &suite{model: *model, pictures: *pictures, limit: *limit}
	if *verbose {
		s.log = out
	}
	return table(ctx, tasks, s.one, out, errs)
}

// suite does tasks.
type suite struct {
	model    string
	pictures bool
	limit    time.Duration
	log      io.Writer // nil: none
}

// one does a task on a screen of its own. The error says what is not done.
func (s *suite) one(ctx context.Context, t task.Task) (r report, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "suite-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cfg := stage.Config{Programs: t.Needs, Dir: filepath.Join(dir, "files"), Model: s.model}
	if s.pictures {
		cfg.Pictures = filepath.Join(dir, "pictures")
	}
	if s.model == "" {
		if cfg.Decide, err = rules.Decide(t.Name, cfg.Dir); err != nil {
			return r, err
		}
	}
	screen, err := stage.Start(ctx, cfg)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, screen.Close()) }()
	set, err := t.SetUp(screen.Dir(), screen.Home())
	if err != nil {
		return r, err
	}
	defer set.Close()
	if err := open(ctx, screen.Desktop(), screen.Config(), set.Opens); err != nil {
		return r, err
	}
	began := time.Now()
	result, err := s.round(screen.Watch(ctx), screen.Model(), screen.Desktop(), set)
	r = report{result.Outcome, result.Steps, screen.Costs().Calls, time.Since(began)}
	if r.outcome == "" {
		return r, err
	}
	if s.log != nil {
		fmt.Fprintf(s.log, "  %s %s\n", result.Outcome, cmp.Or(result.Answer, result.Reason))
	}
	return r, set.Check(ctx, result.Outcome)
}

// round is the run of the host. Nobody is asked: nothing on this screen is anybody's.
func (s *suite) round(ctx context.Context, model llm.Model, screen desktop.Desktop, set *task.Set) (round.Result, error) {
	cfg := hostagent.Config{States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})}
	cfg.Model, cfg.Desktop, cfg.NoImages, cfg.MaxMemory = model, screen, !s.pictures, maxSteps
	cfg.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: policies.Allow}
	}
	host, err := hostagent.New(cfg)
	if err != nil {
		return round.Result{}, err
	}
	opts := round.Options{MaxSteps: maxSteps, MaxTransitions: 3 * maxSteps, Observe: s.observe}
	if s.model == "" {
		opts.MaxRepeats = maxSteps // the rules know how long they wait for what comes late
	}
	r, err := round.New(host, set.Instruction, &opts)
	if err != nil {
		return round.Result{}, err
	}
	return r.Run(ctx)
}

const maxSteps = 60

// observe prints what was done, with -v.
func (s *suite) observe(step round.Step) {
	if s.log == nil {
		return
	}
	for _, c := range step.Commands {
		if !c.Command.Looks {
			fmt.Fprintf(s.log, "    %s %v: %s %s%s\n", c.Command.ToolName, c.Command.Parameters, c.Result.Status, c.Result.Text(), c.Result.Error)
		}
	}
	fmt.Fprintf(s.log, "  %s:%s %s\n", step.NextAgent, step.To, step.Reason)
}
