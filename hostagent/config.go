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
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

const (
	defaultMaxReplans    = 3
	defaultLaunchTimeout = 30 * time.Second
)

// Config describes a HostAgent. Only Model and Desktop are required; of
// everything else the zero value is the default.
type Config struct {
	// Config is what the host has in common with the agents of its applications: Model,
	// Desktop, User, Board, NoImages, MaxTokens, Temperature, MaxReasks, AskTimeout,
	// MaxMemory, NewID, Validator, Logger, and Policy, whose default is [DefaultPolicy] of Apps. The rest is
	// for those agents alone: Prompt, Docs, Examples, States and MaxActions. The host sets
	// their Name and Window.
	appagent.Config

	Name string // unique in a session; "": "HostAgent"
	// Apps are the programs that can be launched, where the desktop can launch
	// any, and what is known of programs that run.
	Apps []Program
	// NewApp makes the agent that works in an application. Nil: appagent.New does. It is
	// called once for each application of a session. It gets what appagent.New needs: the
	// Config above with the Docs and Examples of the Program, the window, and a Name of
	// "AppAgent/" and the key of the application, root/process, in which %2F is a slash and %25 a
	// percent sign; with the name of the host before the key where that is not "HostAgent".
	NewApp func(ctx context.Context, cfg appagent.Config) (fsm.Worker, error)
	// States are the host's table. Nil: [States], and with a nil User a copy of it, where
	// the model may write FAIL. A table of your own is taken as it is: give it that edge
	// when nobody can be asked, else PENDING and CONFIRM are how the model gives up.
	States *fsm.Manager[*Agent]
	// Prompt is a text/template for the system message, executed with the field
	// Name. "": hostagent/prompt.tmpl.
	Prompt string

	MaxReplans    int           // after failed sub-tasks in a row; 0: 3, negative: until a bound stops it
	LaunchTimeout time.Duration // for a launched program's window; 0: 30 s, negative: none

	// CloseApps makes Close close the windows of the Apps that the host launched.
	CloseApps bool
}

// Program is an application that the host may launch.
type Program struct {
	Name     string   // as the desktop calls it: the Root of its windows
	Command  []string // how the desktop starts it; empty: by its name
	Docs     string   // how it is used, for its AppAgent's prompt
	Examples string   // decisions to follow, for its AppAgent's prompt
}

//go:embed prompt.tmpl
var defaultPrompt string

// errConfig says that a Config cannot be used.
var errConfig = errors.New("hostagent: Config")

// New returns a HostAgent. It fails where a Config cannot be used: Model or Desktop is nil, a
// Program has no name or is named twice, a prompt is broken, or fsm.Manager.Validate objects to
// States.
func New(cfg Config) (*Agent, error) {
	switch {
	case nilcheck.IsNil(cfg.Model):
		return nil, fmt.Errorf("%w.Model is nil", errConfig)
	case nilcheck.IsNil(cfg.Desktop):
		return nil, fmt.Errorf("%w.Desktop is nil", errConfig)
	}
	cfg.fill()
	for i, p := range cfg.Apps {
		if strings.TrimSpace(p.Name) == "" || program(cfg.Apps[:i], p.Name) != nil {
			return nil, fmt.Errorf("%w.Apps[%d]: the name %q is empty or used twice", errConfig, i, p.Name)
		}
	}
	if err := cfg.States.Validate(); err != nil {
		return nil, fmt.Errorf("%w.States: %w", errConfig, err)
	}
	if err := cfg.Config.States.Validate(); err != nil {
		return nil, fmt.Errorf("%w.Config.States: %w", errConfig, err)
	}
	all := cfg.States.Statuses()
	prompt, err := builtin.ParsePrompt(cfg.Prompt, builtin.HostFields{Name: cfg.Name}, builtin.HostFields{Name: cfg.Name, Statuses: all})
	if err != nil {
		return nil, fmt.Errorf("%w.Prompt: %w", errConfig, err)
	}
	app := builtin.AppFields{Name: "an app", Docs: "its manual", Examples: "some examples"}
	offered := app
	offered.Statuses = cfg.Config.States.Statuses()
	if _, err := builtin.ParsePrompt(cfg.Config.Prompt, app, offered); err != nil { // now, not at the first ASSIGN
		return nil, fmt.Errorf("%w.Config.Prompt: %w", errConfig, err)
	}
	a := &Agent{
		cfg: cfg, prompt: prompt, apps: map[string]fsm.Worker{},
		tools: builtin.Tools{Agent: cfg.Name, Validator: cfg.Validator, Logger: cfg.Logger},
	}
	a.pipeline = a.phases()
	return a, nil
}

// memory is how many remembered steps a prompt of the host shows.
func (cfg *Config) memory() int {
	if cfg.MaxMemory == 0 {
		return promptsize.Steps
	}
	return max(0, cfg.MaxMemory)
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
		cfg.Board = blackboard.New(0)
	}
	if cfg.NewApp == nil {
		cfg.NewApp = newApp
	}
	if cfg.States == nil {
		cfg.States = States()
		if nilcheck.IsNil(cfg.User) {
			cfg.States = cfg.States.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
		}
	}
	if cfg.Config.States == nil {
		cfg.Config.States = appagent.States()
	}
	if cfg.Prompt == "" {
		cfg.Prompt = defaultPrompt
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	if cfg.MaxReplans == 0 {
		cfg.MaxReplans = defaultMaxReplans
	}
	if cfg.LaunchTimeout == 0 {
		cfg.LaunchTimeout = defaultLaunchTimeout
	}
}
