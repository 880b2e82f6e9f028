package shop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/llm"
)

// The names of the servers, and of the windows that the host chooses from.
const (
	Warehouse = rules.Warehouse
	Supplier  = rules.Supplier
	Files     = rules.Files
)

// World is all that a run needs: the two sites, the servers of the browsers and of
// the files, and the model. [Start] makes one, [World.Close] ends it.
type World struct {
	cfg    Config
	data   sites.Data
	folder string // for what nobody keeps
	out    string // for the summary

	sites  *sites.Sites
	rules  *rules.Server // nil: the user's own endpoint
	model  llm.Model
	client *http.Client // of the model
	tools  *mcp.Desktop
	screen desktop.Desktop
	shop   desktop.Desktop // the browser of the supplier

	family family
	once   sync.Once
	closed error
}

// Start starts everything. What was started is stopped again when something else
// cannot be. The context is for Start alone.
func Start(ctx context.Context, cfg Config) (*World, error) {
	w := &World{cfg: cfg, data: sites.Generate(cfg.Seed)}
	err := w.start(ctx)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *World) start(ctx context.Context) error {
	found, err := w.cfg.find()
	if err != nil {
		return err
	}
	if w.folder, err = os.MkdirTemp("", "agentfsm-browser-"); err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	if w.out, err = w.output(); err != nil {
		return err
	}
	w.family.marks = []string{w.folder, w.out}
	w.sites, err = sites.Start(w.data, &w.cfg.Sites) //nolint:contextcheck // they run until Close, not as long as Start
	if err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	if err := w.chooseModel(); err != nil {
		return err
	}
	return w.open(ctx, found)
}

// Data is what the sites are about.
func (w *World) Data() sites.Data { return w.data }

// Sites are the sites.
func (w *World) Sites() *sites.Sites { return w.sites }

// Model is the server of the own model, nil when the model is the user's own.
func (w *World) Model() *rules.Server { return w.rules }

// Close stops what Start has started, and exactly that. What a server left behind is
// killed, and named in the error. Closing again returns the same.
func (w *World) Close() error {
	w.once.Do(func() { w.closed = w.stop() })
	return w.closed
}

// patience is how long processes have to end when their server has.
const patience = 5 * time.Second

func (w *World) stop() error {
	w.family.look()
	var errs []error
	if w.tools != nil {
		errs = append(errs, w.tools.Close())
	}
	left := w.family.left()
	for end := time.After(patience); len(left) > 0; left = w.family.left() {
		select {
		case <-time.After(50 * time.Millisecond):
			continue
		case <-end:
		}
		break
	}
	for _, p := range left {
		p.kill()
		errs = append(errs, fmt.Errorf("shop: process %d (%s) had to be killed", p.PID, p.Name))
	}
	if w.client != nil {
		w.client.CloseIdleConnections()
	}
	if w.rules != nil {
		errs = append(errs, w.rules.Close())
	}
	if w.sites != nil {
		errs = append(errs, w.sites.Close())
	}
	if w.cfg.Out != "" && w.out != "" {
		_ = os.Remove(w.out) // where nothing was written
	}
	if w.folder != "" {
		errs = append(errs, os.RemoveAll(w.folder))
	}
	return errors.Join(errs...)
}
