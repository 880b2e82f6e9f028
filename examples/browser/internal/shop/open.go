package shop

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

// output makes the folder for the summary. It is a new one, so that nothing in it can
// be overwritten.
func (w *World) output() (string, error) {
	out := w.folder
	if w.cfg.Out != "" {
		out = w.cfg.Out
		if err := os.MkdirAll(out, 0o755); err != nil {
			return "", fmt.Errorf("shop: %w", err)
		}
	}
	out, err := os.MkdirTemp(out, "run-"+strconv.FormatUint(w.cfg.Seed, 10)+"-")
	if err == nil {
		out, err = filepath.Abs(out)
	}
	if err == nil { // the server of the files follows links, too
		out, err = filepath.EvalSymlinks(out)
	}
	if err != nil {
		return "", fmt.Errorf("shop: %w", err)
	}
	return out, nil
}

// chooseModel is the user's own endpoint where one is named, and else the rules. To
// the round they are the same.
func (w *World) chooseModel() error {
	cfg, retry := openai.Config{Model: w.cfg.Model}, &llm.RetryOptions{}
	if w.cfg.Model == "" {
		var err error
		if w.rules, err = rules.Start(&rules.Options{Gullible: w.cfg.Gullible}); err != nil {
			return fmt.Errorf("shop: %w", err)
		}
		cfg = openai.Config{Model: rules.Name, BaseURL: w.rules.URL(), APIKey: w.rules.Key()}
		// It is on this machine: it is there at once, or not at all.
		retry = &llm.RetryOptions{MaxAttempts: 3, Base: 100 * time.Millisecond}
	}
	w.client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()} //nolint:forcetypeassert // as its documentation says
	cfg.HTTPClient = w.client
	model, err := openai.New(cfg)
	if err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	w.model = llm.Retry(model, retry)
	return nil
}

// open starts the servers, and puts a window before each.
func (w *World) open(ctx context.Context, found parts) error {
	secrets := filepath.Join(w.folder, "secrets.env")
	if err := os.WriteFile(secrets, []byte(passwordName+"="+w.data.Password+"\n"), 0o600); err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	temporary := filepath.Join(w.folder, "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	server := func(name string, command ...string) mcp.Server {
		return mcp.Server{Name: name, Command: command, Dir: w.folder, Env: []string{"TMPDIR=" + temporary}, Stderr: w.cfg.Errors}
	}
	tools, err := mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{
		server(Warehouse, w.browser(found, Warehouse, w.sites.WarehouseURL(), "--secrets", secrets)...),
		server(Supplier, w.browser(found, Supplier, w.sites.SupplierURL())...),
		server(Files, found.node, found.folders, w.out),
	}})
	if err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	w.tools = tools
	w.family.look()
	warehouse, err := site(tools, Warehouse, w.sites.WarehouseURL())
	if err != nil {
		return err
	}
	if w.shop, err = site(tools, Supplier, w.sites.SupplierURL()); err != nil {
		return err
	}
	return w.arrange(warehouse, tools.Server(Files))
}

// arrange puts a window before each application.
func (w *World) arrange(warehouse, files desktop.Desktop) (err error) {
	w.screen, err = desktop.Screen(
		desktop.App{Window: desktop.Window{Root: Warehouse, Title: "The warehouse in a browser"}, Desktop: warehouse},
		desktop.App{Window: desktop.Window{Root: Supplier, Title: "The supplier in a browser"}, Desktop: w.shop},
		desktop.App{Window: desktop.Window{Root: Files, Title: "The folder for the summary"}, Desktop: files},
	)
	return err
}

// browser is the command of @playwright/mcp with a browser of its own, which requests
// nothing from elsewhere.
func (w *World) browser(found parts, name, origin string, more ...string) []string {
	command := []string{
		found.node, found.playwright,
		"--isolated", "--executable-path", found.chromium, "--output-dir", filepath.Join(w.folder, name),
		"--allowed-origins", origin,
	}
	if !w.cfg.Headed {
		command = append(command, "--headless")
	}
	if os.Geteuid() == 0 { // Chromium's own sandbox does not run as root
		command = append(command, "--no-sandbox")
	}
	return append(command, more...)
}

// site is a browser that stays on one site.
func site(tools *mcp.Desktop, name, address string) (desktop.Desktop, error) {
	d, err := playwright.New(tools.Server(name), &playwright.Options{
		Name: name, Home: address + "/", Origins: []string{address},
		MaxBytes: 64 << 10, // the whole catalogue at once
	})
	if err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	return d, nil
}
