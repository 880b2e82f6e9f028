package hostagent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

const (
	defaultMaxReplans    = 3
	defaultLaunchTimeout = 30 * time.Second
)

// Config describes a HostAgent. Only Model and Desktop are required; of
// everything else the zero value is the default.
type Config struct {
	Name    string            // unique in a session; "": "HostAgent"
	Model   llm.Model         // required; AppAgents use it too
	Desktop desktop.Desktop   // required
	User    people.User       // who answers and approves; nil: nobody, and the model is offered neither PENDING nor CONFIRM
	Policy  policies.Func     // nil: DefaultPolicy(Apps)
	Board   *blackboard.Board // nil: one of its own

	// Apps are the programs that can be launched, where the desktop can launch
	// any, and what is known of programs that run.
	Apps []Program
	// NewApp makes the agent that works in an application. Nil: an AppAgent. It is
	// called once for each application of a session.
	NewApp func(ctx context.Context, app App) (fsm.Worker, error)
	// States are the host's table. Nil: [States], and with a nil User a copy of it, where
	// the model may write FAIL. A table of your own is taken as it is: give it that edge
	// when nobody can be asked, else PENDING and CONFIRM are how the model gives up.
	States *fsm.Manager[*Agent]

	// Prompt is a text/template for the system message, executed with the field
	// Name. "": [DefaultPrompt].
	Prompt string
	// AppPrompt is the Prompt of the AppAgents that nil NewApp makes.
	AppPrompt   string
	NoImages    bool     // for models that cannot see: take no screenshots
	MaxTokens   int      // of a reply; 0: the model's default
	Temperature *float64 // nil: the model's default

	MaxReasks     int           // after replies that cannot be used; 0: 3, negative: until a bound stops it
	MaxReplans    int           // after failed sub-tasks in a row; 0: 3, negative: until a bound stops it
	AskTimeout    time.Duration // for each question; 0: 60 s, negative: none
	LaunchTimeout time.Duration // for a launched program's window; 0: 30 s, negative: none
	MaxMemory     int           // remembered steps in a prompt; 0: 10, negative: none
	MaxActions    int           // of one decision of an AppAgent; 0: 20, negative: any
	MaxPlan       int           // items of a decision's Plan; 0: 100, negative: any

	// CloseApps makes Close close the windows of the Apps that the host launched.
	CloseApps bool

	NewID func() string    // makes ids of questions; nil: UUIDs
	Now   func() time.Time // stamps assignments; nil: time.Now
}

// Program is an application that the host may launch.
type Program struct {
	Name     string   // as the desktop calls it: the Root of its windows
	Command  []string // how the desktop starts it; empty: by its name
	Docs     string   // how it is used, for its AppAgent's prompt
	Examples string   // decisions to follow, for its AppAgent's prompt
}

// App is what a Config.NewApp gets: an application and what its agent shares
// with the host.
type App struct {
	Key string // as [Agent.App] takes it: the same application, the same agent
	// Name is unique in the session: the Key, behind the name of a host that is not
	// called "HostAgent". An AppAgent is called "AppAgent/" and the Name.
	Name     string
	Window   desktop.Window
	Model    llm.Model
	Desktop  desktop.Desktop // the host's; desktop.Scope narrows it to Window
	User     people.User
	Policy   policies.Func // never nil
	Board    *blackboard.Board
	Docs     string // of the Program
	Examples string // of the Program

	Prompt      string // Config.AppPrompt
	NoImages    bool
	MaxTokens   int
	Temperature *float64
	MaxReasks   int
	AskTimeout  time.Duration
	MaxMemory   int
	MaxActions  int
	NewID       func() string
}

//go:embed prompt.tmpl
var defaultPrompt string

// DefaultPrompt returns the template of the system message.
func DefaultPrompt() string { return defaultPrompt }

var (
	// ErrConfig says that a [Config] cannot be used: Model or Desktop is nil, a Program
	// has no name or is named twice, a prompt is broken, fsm.Manager.Validate objects to
	// States, or NewApp returned neither an agent nor an error.
	ErrConfig = errors.New("hostagent: Config")
	// ErrReplans says that too many sub-tasks failed in a row.
	ErrReplans = errors.New("hostagent: too many sub-tasks failed in a row")
)

// New returns a HostAgent. The error is over [ErrConfig].
func New(cfg Config) (*Agent, error) {
	switch {
	case nilcheck.IsNil(cfg.Model):
		return nil, fmt.Errorf("%w.Model is nil", ErrConfig)
	case nilcheck.IsNil(cfg.Desktop):
		return nil, fmt.Errorf("%w.Desktop is nil", ErrConfig)
	}
	cfg.fill()
	for i, p := range cfg.Apps {
		if strings.TrimSpace(p.Name) == "" || program(cfg.Apps[:i], p.Name) != nil {
			return nil, fmt.Errorf("%w.Apps[%d]: the name %q is empty or used twice", ErrConfig, i, p.Name)
		}
	}
	if err := cfg.States.Validate(); err != nil {
		return nil, fmt.Errorf("%w.States: %w", ErrConfig, err)
	}
	all := cfg.States.Statuses()
	prompt, err := builtin.ParsePrompt(cfg.Prompt, builtin.HostFields{Name: cfg.Name}, builtin.HostFields{Name: cfg.Name, Statuses: all})
	if err != nil {
		return nil, fmt.Errorf("%w.Prompt: %w", ErrConfig, err)
	}
	app := builtin.AppFields{Name: "an app", Docs: "its manual", Examples: "some examples"}
	offered := app
	offered.Statuses = appagent.States().Statuses()
	if _, err := builtin.ParsePrompt(cfg.AppPrompt, app, offered); err != nil { // now, not at the first ASSIGN
		return nil, fmt.Errorf("%w.AppPrompt: %w", ErrConfig, err)
	}
	a := &Agent{cfg: cfg, prompt: prompt, apps: map[string]fsm.Worker{}}
	a.pipeline = a.phases()
	return a, nil
}

func (cfg *Config) fill() {
	cfg.Apps = slices.Clone(cfg.Apps)
	for i := range cfg.Apps {
		cfg.Apps[i].Command = slices.Clone(cfg.Apps[i].Command)
	}
	if cfg.Policy == nil {
		cfg.Policy = DefaultPolicy(cfg.Apps)
	}
	if cfg.Name == "" {
		cfg.Name = kind
	}
	if cfg.Board == nil {
		cfg.Board = blackboard.New(nil)
	}
	if cfg.NewApp == nil {
		cfg.NewApp = newAppAgent
	}
	if cfg.States == nil {
		cfg.States = States()
		if nilcheck.IsNil(cfg.User) {
			cfg.States = cfg.States.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
		}
	}
	if cfg.Prompt == "" {
		cfg.Prompt = DefaultPrompt()
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.MaxReplans == 0 {
		cfg.MaxReplans = defaultMaxReplans
	}
	if cfg.LaunchTimeout == 0 {
		cfg.LaunchTimeout = defaultLaunchTimeout
	}
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = promptsize.Steps
	}
	if cfg.MaxPlan == 0 {
		cfg.MaxPlan = promptsize.PlanItems
	}
	cfg.MaxMemory = max(0, cfg.MaxMemory)
}
