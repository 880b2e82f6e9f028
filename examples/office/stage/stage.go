package stage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/libreoffice"
	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/llm"
)

// Screen is one that runs already.
type Screen struct {
	Display string   // such as ":0"
	Bus     string   // address of the session bus
	Env     []string // of programs that are started; nil: that of this process
}

// Config of a [Stage].
type Config struct {
	// Screen is where programs are. Nil: a new one that nobody sees.
	Screen *Screen
	// Programs must be installed. They are looked for before anything starts.
	Programs []string
	// Dir is the folder of the run, which stays. "": one that Close removes.
	Dir string
	// Decide are the rules. A *chatserver.RefusalError is a refusal.
	Decide func(*llm.Request) (string, error)
	// Model is what your own endpoint calls its model. "": the rules decide.
	Model string
	// Pictures is a folder for the pictures that agents take. "": they are not kept.
	Pictures string
}

// Stage is a screen, a model and a folder. Close it.
type Stage struct {
	cfg     Config
	dir     string
	env     []string
	session *headless.Session
	desktop *linuxdesktop.Desktop
	rules   *chatserver.Server
	client  *http.Client
	model   llm.Model
	costs   costs
}

// Start starts what cfg names. Its error says in one line what is not installed.
func Start(ctx context.Context, cfg Config) (_ *Stage, err error) {
	if err := headless.Missing(cfg.Programs...); err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	s := &Stage{cfg: cfg}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	screen := cfg.Screen
	if screen == nil {
		if s.session, err = headless.Start(ctx, nil); err != nil {
			return nil, fmt.Errorf("stage: %w", err)
		}
		screen = &Screen{Display: s.session.Display, Bus: s.session.Bus, Env: s.session.Env}
	}
	if s.env = screen.Env; s.env == nil {
		s.env = os.Environ()
	}
	if err := s.folders(); err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	if s.desktop, err = linuxdesktop.Open(ctx, linuxdesktop.Options{
		Display: screen.Display, Bus: screen.Bus, Env: screen.Env, Dir: s.dir, Extensions: []linuxdesktop.Extension{libreoffice.New()},
	}); err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	s.costs.tree = s.desktop.Calls
	if err := s.choose(); err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	return s, nil
}

// folders makes the folders.
func (s *Stage) folders() (err error) {
	s.dir = s.cfg.Dir
	switch {
	case s.dir != "":
	case s.session != nil: // which is removed also if this process is killed
		s.dir = filepath.Join(s.session.Dir, "stage")
	default:
		if s.dir, err = os.MkdirTemp("", "stage-"); err != nil {
			return err
		}
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	for _, dir := range []string{s.dir, s.cfg.Pictures} {
		if dir == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// choose is the user's own endpoint where a model is named, and else the rules. To a round they are the same.
func (s *Stage) choose() (err error) {
	cfg, retry := openai.Config{Model: s.cfg.Model}, &llm.RetryOptions{}
	if s.cfg.Model == "" {
		const name = "rules"
		if s.rules, err = chatserver.Start(chatserver.Options{Name: name, Decide: s.cfg.Decide}); err != nil {
			return err
		}
		cfg = openai.Config{Model: name, BaseURL: s.rules.URL(), APIKey: s.rules.Key()}
		retry = &llm.RetryOptions{MaxAttempts: 3, Base: 100 * time.Millisecond} // it is there at once, or not at all
	}
	s.client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()} //nolint:forcetypeassert // as its documentation says
	cfg.HTTPClient = s.client
	model, err := openai.New(cfg)
	if err == nil {
		s.model = s.costs.counted(llm.Retry(model, retry))
	}
	return err
}

// Desktop is the screen.
func (s *Stage) Desktop() *linuxdesktop.Desktop { return s.desktop }

// Model is the model.
func (s *Stage) Model() llm.Model { return s.model }

// Home is the folder that programs take for the user's.
func (s *Stage) Home() string { return s.variable("HOME") }

// Config is the folder of the settings of programs.
func (s *Stage) Config() string { return s.variable("XDG_CONFIG_HOME") }

// variable is one of the environment of programs.
func (s *Stage) variable(name string) string {
	for _, v := range s.env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// Dir is the folder of the run.
func (s *Stage) Dir() string { return s.dir }

// Close ends what Start has started, and no more. A program that was launched ends, too.
func (s *Stage) Close() error {
	var errs []error
	if s.desktop != nil {
		errs = append(errs, s.desktop.Close())
	}
	if s.session != nil {
		errs = append(errs, s.session.Close())
	}
	if s.client != nil {
		s.client.CloseIdleConnections()
	}
	if s.rules != nil {
		errs = append(errs, s.rules.Close())
	}
	if s.cfg.Dir == "" && s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}
