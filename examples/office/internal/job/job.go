package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/examples/office/internal/papers"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// Config says what is to be done, and by whom.
type Config struct {
	In, Out string // a .docx or .odt, and a .xlsx or .ods
	Request string // which table, such as "draw a bar chart of the sales table"

	Screen   *stage.Screen // nil: one that nobody sees
	Model    string        // of your own endpoint; "": the rules
	Pictures string        // a folder for what the agents see; "": they see no pictures

	User    people.User   // who approves and answers; nil: nobody
	Policy  policies.Func // nil: [Policy]
	Observe func(round.Step)

	// Journal is a folder in which another process finds the run, with Dir and the Screen, when this one dies. "": there is
	// no journal.
	Journal string
	// Dir is the folder of the run. "": a new one, which is gone at the end.
	Dir string

	// Slow is how long a program may take to come up. 0: 30 seconds.
	Slow time.Duration
	// Wrap wraps the screen that the agents have. Nil: they have it as it is.
	Wrap func(desktop.Desktop) desktop.Desktop
}

// Report says what a run came to.
type Report struct {
	round.Result
	Costs stage.Costs
	Took  time.Duration
}

// MaxSteps bounds a run: enough for a job with two programs that were killed.
const MaxSteps = 150

var errKinds = errors.New("job: the document must be a .docx or .odt, and the spreadsheet a .xlsx or .ods")

func (c *Config) check() error {
	in, out := filepath.Ext(c.In), filepath.Ext(c.Out)
	if in != ".docx" && in != ".odt" || out != ".xlsx" && out != ".ods" {
		return errKinds
	}
	if _, err := os.Stat(c.In); err != nil {
		return fmt.Errorf("job: the document: %w", err)
	}
	if err := tryOut(c.Out); err != nil { // before the work is done
		return fmt.Errorf("job: the folder of the spreadsheet: %w", err)
	}
	return nil
}

// Run does the job. The error is that of the round, or says what the run lacks.
func Run(ctx context.Context, cfg Config) (report Report, err error) {
	began := time.Now()
	if err := cfg.check(); err != nil {
		return Report{}, err
	}
	s, err := stage.Start(ctx, stage.Config{
		Screen: cfg.Screen, Programs: []string{"soffice"}, Dir: cfg.Dir, Decide: rules.Decide, Model: cfg.Model, Pictures: cfg.Pictures,
	})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r := &run{Config: cfg, stage: s, in: filepath.Join(s.Dir(), filepath.Base(cfg.In)), out: filepath.Join(s.Dir(), filepath.Base(cfg.Out))}
	if err := r.bring(); err != nil {
		return Report{}, fmt.Errorf("job: %w", err)
	}
	screen, err := without(ctx, s.Desktop(), filepath.Join(s.Dir(), "windows.json"))
	if err != nil {
		return Report{}, err
	}
	report.Result, err = r.round(s.Watch(ctx), screen)
	report.Costs, report.Took = s.Costs(), time.Since(began)
	if err == nil {
		if err = r.deliver(); err != nil {
			err = r.keep(err)
			report.Outcome, report.Reason = round.Failed, err.Error() // what was asked for is not there
		}
	}
	return report, err
}

// run is one run.
type run struct {
	Config
	stage   *stage.Stage
	in, out string // in the folder of the run
	board   *blackboard.Board
}

// round is the run of the host.
func (r *run) round(ctx context.Context, screen desktop.Desktop) (round.Result, error) {
	host, err := r.host(screen)
	if err != nil {
		return round.Result{}, err
	}
	opts := &round.Options{MaxSteps: MaxSteps, MaxTransitions: 3 * MaxSteps, Observe: r.Observe}
	if r.Model == "" {
		opts.MaxRepeats = MaxSteps // the rules know how long they wait for what comes late
	}
	request := rules.Request(r.Request, r.out)
	if r.Journal == "" {
		job, err := round.New(host, request, opts)
		if err != nil {
			return round.Result{}, fmt.Errorf("job: %w", err)
		}
		return job.Run(ctx)
	}
	journal, err := store.Files(r.Journal, nil)
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	session, err := durable.Open(ctx, host, journal, "office", &durable.Options{Round: opts})
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	result, err := session.Continue(ctx, request)
	return result, errors.Join(err, session.Close(context.WithoutCancel(ctx)))
}

// host makes the host: the same one in each process that has the run.
func (r *run) host(screen desktop.Desktop) (*hostagent.Agent, error) {
	screen = papers.Open(screen, filepath.Base(r.in))
	if r.Wrap != nil {
		screen = r.Wrap(screen)
	}
	programs, policy := r.programs(), r.Policy
	if policy == nil {
		policy = Policy(programs)
	}
	r.board = blackboard.New(0)
	cfg := hostagent.Config{Apps: programs, LaunchTimeout: r.Slow}
	cfg.Model, cfg.Desktop, cfg.User, cfg.Policy, cfg.Board = r.stage.Model(), screen, r.User, policy, r.board
	cfg.NoImages, cfg.MaxMemory, cfg.Verify = r.Pictures == "", MaxSteps, r.verify
	// Nobody may be there to ask, so the model may give up at once.
	cfg.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel | fsm.BySystem})
	host, err := hostagent.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	return host, nil
}

// programs are what the host may start.
func (r *run) programs() []hostagent.Program {
	office := func(args ...string) []string {
		return append([]string{"soffice", "--norestore", "--nologo"}, args...)
	}
	return []hostagent.Program{
		{
			Name: rules.Writer, Command: office(r.in),
			Docs: "Writer shows the document. list_tables and extract_table read its tables, also those out of view.",
		},
		{
			Name: rules.Calc, Command: office("--calc"),
			Docs: "Calc shows an empty sheet. write_cells fills it. select_menu [\"Insert\", \"Chart\"] draws the cells that are selected, select_menu [\"File\", \"Save As\"] saves: the format follows from the end of the name.",
		},
	}
}
