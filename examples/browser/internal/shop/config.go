package shop

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// DefaultMaxDuration is how long a run may take.
const DefaultMaxDuration = 10 * time.Minute

// DefaultMaxCommand is how long a command may take. A server that takes longer hangs.
const DefaultMaxCommand = time.Minute

// Config says what a [World] is made of. The zero value works where the parts are
// installed; nobody approves anything then.
type Config struct {
	// Seed makes the data.
	Seed uint64
	// Sites says what the sites do besides their work, such as giving orders to the agent.
	Sites sites.Options
	// Gullible makes the own model follow such orders.
	Gullible bool
	// Headed shows the browsers, on a machine with a display.
	Headed bool

	// Out is the folder for the summary. It is made when it is not there. "": one that
	// [World.Close] removes.
	Out string
	// Parts is the folder that has node_modules, see internal/lab/realparts. "": that of
	// AGENTFSM_REALPARTS, or .parts of this repository, which is looked for in the
	// folders above.
	Parts string
	// Chromium is the browser. "": that of AGENTFSM_CHROMIUM, or one of the system.
	Chromium string

	// Model is what the user's own endpoint calls the model. It is used when
	// OPENAI_BASE_URL or OPENAI_API_KEY is set. "": the own model, whatever is set.
	Model string

	// User approves. Nil: nobody does.
	User people.User
	// Observe is called with each step, by the goroutine that drives the run.
	Observe func(round.Step)
	// Record gets each step and the end as a line of JSON. Nil: nobody does.
	Record io.Writer
	// Errors gets what the servers write to their standard error. Nil: nobody does.
	Errors io.Writer
	// MaxDuration bounds a run: 0 is [DefaultMaxDuration], negative none.
	MaxDuration time.Duration
	// MaxCommand is how long one command of a browser or of the files may take: 0 is
	// [DefaultMaxCommand], negative no bound of its own.
	MaxCommand time.Duration
}

// ErrParts is behind the error for what is not installed.
var ErrParts = errors.New("shop: a part is not installed: run internal/lab/realparts/install.sh")

// parts are the programs of others.
type parts struct {
	node, chromium      string
	playwright, folders string
}

func (c *Config) find() (p parts, err error) {
	modules, err := c.modules()
	if err != nil {
		return p, err
	}
	p.playwright = filepath.Join(modules, "@playwright", "mcp", "cli.js")
	p.folders = filepath.Join(modules, "@modelcontextprotocol", "server-filesystem", "dist", "index.js")
	for _, name := range []string{p.playwright, p.folders} {
		if _, err := os.Stat(name); err != nil {
			return p, fmt.Errorf("%w: %w", ErrParts, err)
		}
	}
	if p.node, err = exec.LookPath("node"); err != nil {
		return p, fmt.Errorf("%w: %w", ErrParts, err)
	}
	p.chromium, err = c.browser()
	return p, err
}

// browser is the Chromium that was named, and else the first that is there.
func (c *Config) browser() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	for _, named := range []string{os.Getenv("AGENTFSM_CHROMIUM"), c.Chromium} {
		if named != "" {
			names = []string{named}
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: there is no Chromium among %q; AGENTFSM_CHROMIUM can name one", ErrParts, names)
}

// modules is the folder node_modules.
func (c *Config) modules() (string, error) {
	named := c.Parts
	if named == "" {
		named = os.Getenv("AGENTFSM_REALPARTS")
	}
	if named != "" {
		return filepath.Abs(filepath.Join(named, "node_modules"))
	}
	at, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("shop: %w", err)
	}
	for {
		realparts := filepath.Join(at, "internal", "lab", "realparts")
		if _, err := os.Stat(filepath.Join(realparts, "install.sh")); err == nil {
			return filepath.Join(realparts, ".parts", "node_modules"), nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("%w: no folder above has internal/lab/realparts, and neither -parts nor AGENTFSM_REALPARTS says where it is", ErrParts)
		}
		at = up
	}
}
