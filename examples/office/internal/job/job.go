package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/libreoffice"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Config says what is to be done, and by which parts.
type Config struct {
	In, Out string    // a .docx or .odt, and a .xlsx or .ods
	Request string    // which table, such as "draw a bar chart of the sales table"
	Model   llm.Model // nil: the rules

	User     people.User // approves and answers; nil: nobody does
	Observe  func(round.Step)
	Pictures string  // a folder for what the agents see; "": they see no pictures
	Screen   *Screen // nil: one that nobody sees
}

// Screen is one that runs already.
type Screen struct {
	Display string   // such as ":0"
	Bus     string   // address of the session bus
	Env     []string // of programs that are started; nil: that of this process
}

// MaxSteps bounds a run: enough for a job with two programs that crash.
const MaxSteps = 150

// ErrKinds says that a file is of another kind.
var ErrKinds = errors.New("job: the document must be a .docx or .odt, and the spreadsheet a .xlsx or .ods")

// run is one run.
type run struct {
	Config

	in, out string // the copies in the folder of the run
	before  []byte // what Out had; nil: there was no file
	board   *blackboard.Board
}

// Run does the job, and stops what it has started. The error is that of the round, or says what the run lacks.
func Run(ctx context.Context, cfg Config) (result round.Result, err error) {
	if !slices.Contains([]string{".docx", ".odt"}, filepath.Ext(cfg.In)) || !slices.Contains([]string{".xlsx", ".ods"}, filepath.Ext(cfg.Out)) {
		return round.Result{}, ErrKinds
	}
	if err := headless.Missing("soffice"); err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	dir, err := os.MkdirTemp("", "agentfsm-office-")
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &run{Config: cfg, in: filepath.Join(dir, filepath.Base(cfg.In)), out: filepath.Join(dir, filepath.Base(cfg.Out)), board: blackboard.New(0)}
	if err := r.bring(); err != nil {
		return round.Result{}, err
	}
	if r.Screen == nil {
		session, failed := headless.Start(ctx, nil)
		if failed != nil {
			return round.Result{}, fmt.Errorf("job: %w", failed)
		}
		defer func() { err = errors.Join(err, session.Close()) }()
		r.Screen = &Screen{Display: session.Display, Bus: session.Bus, Env: session.Env}
	}
	whole, err := linuxdesktop.Open(ctx, linuxdesktop.Options{
		Display: r.Screen.Display, Bus: r.Screen.Bus, Env: r.Screen.Env, Dir: dir, Extensions: []linuxdesktop.Extension{libreoffice.New()},
	})
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	defer func() { err = errors.Join(err, whole.Close()) }()
	own, err := newScreen(ctx, whole, r.in)
	if err != nil {
		return round.Result{}, err
	}
	if result, err = r.round(ctx, own); err == nil {
		if err = r.deliver(); err != nil {
			result.Outcome, result.Answer, result.Reason = round.Failed, "", err.Error() // what was asked for is not there
		}
	}
	return result, err
}

// round runs the host.
func (r *run) round(ctx context.Context, screen desktop.Desktop) (round.Result, error) {
	programs := r.programs()
	cfg := hostagent.Config{Apps: programs, LaunchTimeout: 2 * time.Minute} // LibreOffice may start slowly
	cfg.Model, cfg.Desktop, cfg.User, cfg.Policy = r.Model, screen, r.User, policy(programs)
	cfg.Board, cfg.Verify, cfg.NoImages, cfg.MaxMemory = r.board, r.verify, r.Pictures == "", MaxSteps
	// Nobody may be there to ask, so the model may give up at once.
	cfg.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel | fsm.BySystem})
	opts := &round.Options{MaxSteps: MaxSteps, MaxTransitions: 3 * MaxSteps, Observe: r.Observe}
	if cfg.Model == nil {
		cfg.Model = rules.Model(r.Request, r.out)
		opts.MaxRepeats = MaxSteps // the rules know how long they wait for what comes late
	}
	host, err := hostagent.New(cfg)
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	job, err := round.New(host, fmt.Sprintf("%s\nSave the spreadsheet as %s", r.Request, r.out), opts)
	if err != nil {
		return round.Result{}, fmt.Errorf("job: %w", err)
	}
	if r.Pictures != "" {
		if err := os.MkdirAll(r.Pictures, 0o755); err != nil {
			return round.Result{}, fmt.Errorf("job: %w", err)
		}
		seen := 0
		ctx = desktop.WithInterceptor(ctx, func(d desktop.Desktop) desktop.Desktop { return pictured{d, r.Pictures, &seen} })
	}
	return job.Run(ctx)
}

// programs are what the host may start.
func (r *run) programs() []hostagent.Program {
	office := func(arg string) []string { return []string{"soffice", "--norestore", "--nologo", arg} }
	return []hostagent.Program{
		{
			Name: rules.Writer, Command: office(r.in),
			Docs: "Writer shows the document. list_tables and extract_table read its tables, also those out of view.",
		},
		{
			Name: rules.Calc, Command: office("--calc"),
			Docs: "Calc shows an empty sheet. write_cells fills it. select_menu [\"Insert\", \"Chart\"] draws the cells that are selected, select_menu [\"File\", \"Save As\"] saves: the format follows from the end of the name. Give the chart the title of the table.",
		},
	}
}
