package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// world is what the agents work in: the sites, and an MCP server for each application.
type world struct {
	cfg    Config
	data   sites.Data
	job    rules.Job
	folder string // is removed at the end
	sites  *sites.Sites
	tools  *mcp.Desktop
	shop   desktop.Desktop // the browser of the supplier
	screen desktop.Desktop
}

// ErrParts says that a program of others is not installed.
var ErrParts = errors.New("job: a part is not installed")

func start(ctx context.Context, cfg Config) (_ *world, err error) {
	w := &world{cfg: cfg, data: sites.Generate(cfg.Seed)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if w.folder, err = os.MkdirTemp("", "agentfsm-browser-"); err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	out, err := os.MkdirTemp(cfg.Out, fmt.Sprintf("run-%d-", cfg.Seed))
	if err == nil {
		out, err = filepath.EvalSymlinks(out) // as the server of the files does
	}
	if err == nil {
		out, err = filepath.Abs(out)
	}
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	if w.sites, err = sites.Start(w.data, cfg.Sites); err != nil { //nolint:contextcheck // they run until close
		return nil, err
	}
	w.job = rules.Job{
		Warehouse: w.sites.Warehouse(), Supplier: w.sites.Supplier(), User: w.data.User, Password: passwordName,
		Reference: w.data.Reference, Summary: filepath.Join(out, "summary.md"),
	}
	return w, w.open(ctx, out)
}

// open starts the servers and puts a window before each.
func (w *world) open(ctx context.Context, out string) error {
	secrets := filepath.Join(w.folder, "secrets.env")
	if err := os.WriteFile(secrets, []byte(passwordName+"="+w.data.Password+"\n"), 0o600); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	modules, err := filepath.Abs(filepath.Join(w.cfg.Parts, "node_modules")) // the servers run elsewhere
	if err != nil {
		return fmt.Errorf("job: %w", err)
	}
	browse, err := browser(modules, w.cfg.Headed)
	if err != nil {
		return err
	}
	files := filepath.Join(modules, "@modelcontextprotocol", "server-filesystem", "dist", "index.js")
	server := func(name string, command ...string) mcp.Server {
		return mcp.Server{Name: name, Command: command, Dir: w.folder, Env: []string{"TMPDIR=" + w.folder}, Stderr: w.cfg.Errors}
	}
	w.tools, err = mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{
		server(rules.Warehouse, append(browse, "--allowed-origins", w.job.Warehouse, "--secrets", secrets)...),
		server(rules.Supplier, append(browse, "--allowed-origins", w.job.Supplier)...),
		server(rules.Files, "node", files, out),
	}})
	if err != nil {
		return fmt.Errorf("job: %w", err)
	}
	warehouse, err := w.site(rules.Warehouse, w.job.Warehouse)
	if err != nil {
		return err
	}
	if w.shop, err = w.site(rules.Supplier, w.job.Supplier); err != nil {
		return err
	}
	w.screen, err = desktop.Screen(
		desktop.App{Window: desktop.Window{Root: rules.Warehouse, Title: "The warehouse in a browser"}, Desktop: warehouse},
		desktop.App{Window: desktop.Window{Root: rules.Supplier, Title: "The supplier in a browser"}, Desktop: w.shop},
		desktop.App{Window: desktop.Window{Root: rules.Files, Title: "The folder for the summary"}, Desktop: w.tools.Server(rules.Files)},
	)
	return err
}

// browser is the command of @playwright/mcp with a Chromium of its own.
func browser(modules string, headed bool) ([]string, error) {
	playwright := filepath.Join(modules, "@playwright", "mcp", "cli.js")
	if _, err := os.Stat(playwright); err != nil {
		return nil, fmt.Errorf("%w: -parts or AGENTFSM_REALPARTS names the folder with node_modules: %w", ErrParts, err)
	}
	for _, name := range []string{os.Getenv("AGENTFSM_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		chromium, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		command := []string{"node", playwright, "--isolated", "--executable-path", chromium}
		if !headed {
			command = append(command, "--headless")
		}
		if os.Geteuid() == 0 { // Chromium's own sandbox does not run as root
			command = append(command, "--no-sandbox")
		}
		return slices.Clip(command), nil
	}
	return nil, fmt.Errorf("%w: there is no Chromium; AGENTFSM_CHROMIUM can name one", ErrParts)
}

// site is a browser that stays on one site.
func (w *world) site(name, address string) (desktop.Desktop, error) {
	d, err := playwright.New(w.tools.Server(name), &playwright.Options{Name: name, Home: address + "/", Origins: []string{address}})
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	return d, nil
}

// close stops what start has started, browsers included.
func (w *world) close() error {
	var errs []error
	if w.tools != nil {
		errs = append(errs, w.tools.Close())
	}
	if w.sites != nil {
		errs = append(errs, w.sites.Close())
	}
	if w.folder != "" {
		errs = append(errs, os.RemoveAll(w.folder))
	}
	return errors.Join(errs...)
}
