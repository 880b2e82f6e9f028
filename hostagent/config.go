package hostagent

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
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
	"github.com/agentfsm/agentfsm/policies"
)

const (
	defaultLaunchTimeout = 30 * time.Second
)

// Config describes a HostAgent. Only Model and Desktop are required; of
// everything else the zero value is the default.
type Config struct {
	// Config is what the host has in common with the agents of its applications: Model,
	// Desktop, User, Board, NoImages, MaxTokens, Temperature, MaxReasks, MaxRetries, AskTimeout,
	// MaxMemory, MaxReplans, ToolCalls, Knowledge, Verify, NewID, Validator, Logger, and Policy, whose default is [DefaultPolicy] of Apps. The rest is
	// for those agents alone: Prompt, Docs, Examples, States, MaxActions and LeaveOut. The host sets
	// their Name and Window.
	appagent.Config

	Name string // unique in a session; "": "HostAgent"
	// GraphPlans tells the model how to write plans of objects, which say what depends on
	// what and bind the host (ADR 0013). The host follows one that the model writes unasked, too.
	GraphPlans bool
	// Apps are the programs that can be launched, where the desktop can launch
	// any, and what is known of programs that run.
	Apps []Program
	// AppModel is the model of all AppAgents. Nil: Model.
	AppModel llm.Model
	// NewApp makes the agent that works in an application. Nil: appagent.New does. It is
	// called once for each application of a session. It gets what appagent.New needs: the
	// Config above with what the Program has of its own, the window, and a Name of
	// "AppAgent/" and the key of the application, root/process, in which %2F is a slash and %25 a
	// percent sign; with the name of the host before the key where that is not "HostAgent".
	NewApp func(ctx context.Context, cfg appagent.Config) (fsm.Worker, error)
	// States are the host's table. Nil: [States], and with a nil User a copy of it, where
	// the model may write FAIL; with Verify one where the system may lead there. A table of
	// your own is taken as it is. Give it the model's edge to FAIL when nobody can be asked, else
	// PENDING and CONFIRM are how the model gives up. New refuses one without the system's edge
	// that Verify needs.
	States *fsm.Manager[*Agent]
	// Prompt is a text/template for the system message, executed with the fields Name, GraphPlans,
	// ToolCalls, Shell (there is one) and TextArgs (as in appagent) and the method Offers: {{if .Offers "PENDING"}} is a part for when that status is
	// offered. "": hostagent/prompt.tmpl, or calls.tmpl with ToolCalls.
	Prompt string

	LaunchTimeout time.Duration // for a launched program's window; 0: 30 s, negative: none

	// CloseApps makes Close close the windows of the Apps that the host launched. It takes the tool
	// close_application; where the desktop has none, Logger is told.
	CloseApps bool
}

// Program is an application that the host may launch.
type Program struct {
	Name     string   // as the desktop calls it: the Root of its windows, in capitals or not: "Word" is "word"
	Command  []string // how the desktop starts it, with launch_application; empty: by its name
	Docs     string   // how it is used, for its AppAgent's prompt
	Examples string   // decisions to follow, for its AppAgent's prompt

	// Of its AppAgent, in place of what Config says:

	Model    llm.Model     // nil: Config.AppModel
	Prompt   string        // a template, as in [appagent.Config]; "": Config.Config.Prompt
	NoImages *bool         // nil: Config.NoImages; false takes the tool capture_window_screenshot
	Policy   policies.Func // nil: Config.Policy
	LeaveOut []string      // names of tools that it does not have, besides Config.LeaveOut
}

//go:embed prompt.tmpl
var defaultPrompt string

// ErrConfig is matched by each error of [New] about its Config, such as a nil Model. The text names the field.
var ErrConfig = errors.New("hostagent: Config")

// ErrReplans ends a round whose sub-tasks failed more often in a row than MaxReplans allows.
var ErrReplans = errors.New("hostagent: too many sub-tasks failed in a row")

// New returns a HostAgent. It fails where a Config cannot be used: Model or Desktop is nil, a
// Program has no name or is named twice, a prompt is broken, fsm.Manager.Validate objects to
// States, or States lack an edge that Verify needs: from CONTINUE to CONTINUE, and to FAIL unless
// MaxReplans is negative.
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
	if err := cfg.Config.States.Validate(); err != nil {
		return nil, fmt.Errorf("%w.Config.States: %w", ErrConfig, err)
	}
	if cfg.Verify != nil {
		if err := builtin.CheckProving(cfg.States, cfg.replans()); err != nil {
			return nil, fmt.Errorf("%w.States: %w", ErrConfig, err)
		}
	}
	all := builtin.StatusesOf(cfg.States.Statuses())
	prompt, err := builtin.ParsePrompt(cfg.Prompt, builtin.HostFields{Name: cfg.Name}, builtin.HostFields{Name: cfg.Name, GraphPlans: true, ToolCalls: true, Statuses: all})
	if err != nil {
		return nil, fmt.Errorf("%w.Prompt: %w", ErrConfig, err)
	}
	if err := cfg.checkPrompts(); err != nil { // now, not at the first ASSIGN
		return nil, err
	}
	a := &Agent{
		cfg: cfg, model: builtin.Retried(cfg.Model, cfg.MaxRetries), prompt: prompt, apps: map[string]fsm.Worker{},
		tools: builtin.Tools{Agent: cfg.Name, Needs: cfg.needs(), Validator: cfg.Validator, Logger: cfg.Logger},
	}
	if cfg.ToolCalls {
		if a.tools.Calls, err = cfg.toolCalls(); err != nil {
			return nil, err
		}
	}
	a.pipeline = a.phases()
	return a, nil
}

// checkPrompts reads the templates of the agents of applications.
func (cfg *Config) checkPrompts() error {
	app := builtin.AppFields{Name: "an app", Docs: "its manual", Examples: "some examples"}
	offered := app
	offered.Statuses = builtin.StatusesOf(cfg.Config.States.Statuses())
	if _, err := builtin.ParsePrompt(cfg.Config.Prompt, app, offered); err != nil {
		return fmt.Errorf("%w.Config.Prompt: %w", ErrConfig, err)
	}
	for i := range cfg.Apps {
		if _, err := builtin.ParsePrompt(cfg.Apps[i].Prompt, app, offered); err != nil {
			return fmt.Errorf("%w.Apps[%d].Prompt: %w", ErrConfig, i, err)
		}
	}
	return nil
}

// needs are the options that do nothing without a tool.
func (cfg *Config) needs() (list []builtin.Need) {
	if !cfg.NoImages {
		list = append(list, builtin.Need{Option: "NoImages: false", Tool: desktop.CaptureDesktopScreenshot, Level: slog.LevelDebug})
	}
	if cfg.CloseApps {
		list = append(list, builtin.Need{Option: "CloseApps", Tool: desktop.CloseApplication})
	}
	for _, p := range cfg.Apps {
		if len(p.Command) > 0 {
			list = append(list, builtin.Need{Option: "Command of " + p.Name, Tool: desktop.LaunchApplication})
		}
	}
	return list
}

// memory is how many remembered steps a prompt of the host shows.
func (cfg *Config) memory() int {
	if cfg.MaxMemory == 0 {
		return promptsize.Steps
	}
	return max(0, cfg.MaxMemory)
}

// replans is how often the host may plan anew.
func (cfg *Config) replans() int { return cmp.Or(cfg.MaxReplans, promptsize.Replans) }

func (cfg *Config) fill() {
	cfg.Apps = slices.Clone(cfg.Apps)
	for i := range cfg.Apps {
		cfg.Apps[i].Command, cfg.Apps[i].LeaveOut = slices.Clone(cfg.Apps[i].Command), slices.Clone(cfg.Apps[i].LeaveOut)
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
			cfg.States = statesAlone()
		}
		if cfg.Verify != nil { // which may say no too often
			cfg.States = cfg.States.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem})
		}
	}
	if cfg.Config.States == nil {
		cfg.Config.States = appagent.States()
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
	if cfg.LaunchTimeout == 0 {
		cfg.LaunchTimeout = defaultLaunchTimeout
	}
}
