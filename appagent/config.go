package appagent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
)

// Config describes an AppAgent. Only Model and Desktop are required; of
// everything else the zero value is the default.
type Config struct {
	Name    string          // unique in a session; "": "AppAgent", with the root and process of Window
	Model   llm.Model       // required
	Desktop desktop.Desktop // required; what the agent acts on
	// Window is what the agent works in; its id scopes Desktop, if that can be
	// scoped. Zero: all of Desktop.
	Window desktop.Window
	User   people.User          // who answers and approves; nil: nobody, and the model is offered neither PENDING nor CONFIRM
	Policy policies.Func        // nil: policies.Default; in a host's Config hostagent.DefaultPolicy
	Board  *blackboard.Board    // nil: one of its own
	States *fsm.Manager[*Agent] // nil: States()

	Docs     string // how the application is used, for the prompt
	Examples string // decisions to follow, for the prompt
	// Prompt is a text/template for the system message, executed with the fields Name, Window,
	// Docs, Examples, ToolCalls, Controls (the agent sees them) and TextArgs (names of tools whose
	// Args the schema wants as a text) and the method Offers: {{if .Offers "PENDING"}} is a part for when
	// that status is offered. "": appagent/prompt.tmpl, or calls.tmpl with ToolCalls. They have neither of the
	// first two: a title or the name of a document is anybody's text, and is shown in a section.
	Prompt   string
	LeaveOut []string // names of tools of Desktop that the agent does not have; one that Desktop lacks is logged
	NoImages bool     // for models that cannot see: take no screenshots; false takes the tool capture_window_screenshot, of a host capture_desktop_screenshot
	// ToolCalls lets the model reply with calls of tools, for which most models are trained, instead of one JSON
	// object: each status that it may write is a tool, too. Decisions have the same effect in both forms. A
	// tool of Desktop that is named like a status is left out, and so is SaveScreenshot, or a host's Bash; Logger is
	// told. Model must take llm.Request.Tools, as those of all adapters do.
	ToolCalls   bool
	MaxTokens   int      // of a reply; 0: the model's default
	Temperature *float64 // nil: the model's default

	// Knowledge returns what is known of a task, such as documentation, earlier runs or the finds of a
	// search, as sections for the prompt: a host asks it once for each request, an AppAgent once for
	// each sub-task. What it returned is in the journal of a run, so a replay does not ask. After an
	// error the model reads that nothing is known, and the next step asks again. A section whose name
	// [llm.Prompt] refuses, or the prompt has already, is left out, and so is what is more than 64 KiB
	// in all: the model reads that, too. Nil: nothing.
	Knowledge func(ctx context.Context, task fsm.Task) ([]llm.Section, error)
	// Verify is asked before a FINISH counts, whoever gave the task: see package proof. Nil: the model's
	// word counts. Of a host's Config it is the host's alone: NewApp gets a Config without it.
	Verify     proof.Func
	MaxReplans int           // how often Verify may say no, and sub-tasks of a host may fail in a row; 0: 3, negative: until a bound stops it
	MaxReasks  int           // 0: 3, negative: until a bound stops it
	AskTimeout time.Duration // for each question, also one that the User suspends; 0: 60 s while somebody waits, negative: none
	MaxMemory  int           // how many remembered steps a prompt has at most; 0: 10, negative: none
	// MaxActions is how long the Actions of a decision may be, which are one step
	// to a Round, however long they take. 0: 20, negative: any.
	MaxActions int

	// MaxRetries is how often a call of Model that failed is made again, after a while, where
	// [llm.Retryable] says that this may help. 0: 3, negative: none. An empty reply is not
	// a matter of MaxRetries but of MaxReasks. A Model that has a [llm.Retry], also one found
	// through Unwrap, is left as it is.
	MaxRetries int

	NewID func() string // makes ids of questions; nil: UUIDs

	// Validator checks the parameters of tools whose schema has keywords that package desktop
	// does not check. Nil: those tools are left out.
	Validator desktop.Validator
	// Logger is told once of each tool that is left out, and why; of each name in LeaveOut that no
	// tool has; and of each option whose tool Desktop lacks, for pictures at level Debug, since they
	// are the default. Nil: slog.Default().
	Logger *slog.Logger
}

//go:embed prompt.tmpl
var defaultPrompt string

// ErrConfig is matched by each error of [New] about its Config, such as a nil Model. The text names the field.
var ErrConfig = errors.New("appagent: Config")

// New returns an AppAgent. It fails where a Config cannot be used: Model or Desktop is nil, Prompt
// is broken, fsm.Manager.Validate objects to States, or States lack an edge that Verify needs: from
// CONTINUE to CONTINUE, and to FAIL unless MaxReplans is negative.
func New(cfg Config) (*Agent, error) {
	switch {
	case nilcheck.IsNil(cfg.Model):
		return nil, fmt.Errorf("%w.Model is nil", ErrConfig)
	case nilcheck.IsNil(cfg.Desktop):
		return nil, fmt.Errorf("%w.Desktop is nil", ErrConfig)
	}
	cfg.fill()
	if err := cfg.States.Validate(); err != nil {
		return nil, fmt.Errorf("%w.States: %w", ErrConfig, err)
	}
	if cfg.Verify != nil {
		if err := builtin.CheckProving(cfg.States, cfg.MaxReplans); err != nil {
			return nil, fmt.Errorf("%w.States: %w", ErrConfig, err)
		}
	}
	none, all := cfg.fields(), cfg.fields()
	all.Statuses = builtin.StatusesOf(cfg.States.Statuses())
	prompt, err := builtin.ParsePrompt(cfg.Prompt, none, all)
	if err != nil {
		return nil, fmt.Errorf("%w.Prompt: %w", ErrConfig, err)
	}
	a := &Agent{cfg: cfg, place: builtin.Place(cfg.Window), model: builtin.Retried(cfg.Model, cfg.MaxRetries), prompt: prompt, judge: policies.All(cfg.Policy), tools: builtin.Tools{
		Agent: cfg.Name, LeaveOut: slices.Clone(cfg.LeaveOut), Validator: cfg.Validator, Logger: cfg.Logger,
	}}
	if !cfg.NoImages {
		a.tools.Needs = []builtin.Need{{Option: "NoImages: false", Tool: desktop.CaptureWindowScreenshot, Level: slog.LevelDebug}}
	}
	if cfg.ToolCalls {
		if a.tools.Calls, err = cfg.toolCalls(); err != nil {
			return nil, err
		}
	}
	a.pipeline = a.phases()
	return a, nil
}

// fields are what the template of the prompt is given.
func (cfg *Config) fields() builtin.AppFields {
	return builtin.AppFields{Name: cfg.Name, Window: cfg.Window, Docs: cfg.Docs, Examples: cfg.Examples, ToolCalls: cfg.ToolCalls}
}

func (cfg *Config) fill() {
	cfg.Window.Dialog, cfg.Window.Focus = "", "" // the desktop is asked in each step
	if cfg.Name == "" {
		cfg.Name = kind
		if cfg.Window.Root != "" {
			cfg.Name += "/" + builtin.Key(cfg.Window)
		}
	}
	if cfg.Board == nil {
		cfg.Board = blackboard.New(0)
	}
	if cfg.States == nil {
		cfg.States = States()
	}
	if cfg.Prompt == "" {
		cfg.Prompt = defaultPrompt
		if cfg.ToolCalls {
			cfg.Prompt = callsPrompt
		}
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = promptsize.Steps
	}
	cfg.MaxMemory = max(0, cfg.MaxMemory)
	if cfg.MaxReplans == 0 {
		cfg.MaxReplans = promptsize.Replans
	}
	if cfg.MaxActions == 0 {
		cfg.MaxActions = promptsize.Actions
	}
}
