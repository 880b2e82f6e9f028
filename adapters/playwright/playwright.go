package playwright

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Options of [New]. The zero value is a browser that may go anywhere.
type Options struct {
	// Name is the Root of the browser's window. "": browser.
	Name string
	// Home is the page that the first look opens if the browser shows none. "": the
	// model has to navigate.
	Home string
	// Origins are the only ones whose pages are shown and acted on, such as
	// "https://shop.example" or "http://127.0.0.1:8080". "https://*.shop.example" is
	// every host under it. Nil: no limit. The package comment says what this stops.
	Origins []string
}

// ErrServer says that the server lacks tools of @playwright/mcp. Tools and Execute return it.
var ErrServer = errors.New("playwright: the server is not a known @playwright/mcp")

// New returns the browser behind a server as a [desktop.Desktop] with one window.
// server has the tools of @playwright/mcp; mostly it is one server of adapters/mcp.
// Nothing else may use it meanwhile.
//
// The Desktop is also a [desktop.Scoper]. It is safe for concurrent use; calls wait
// for one another. It has nothing to close: close the server. opts may be nil. The
// error says which option is not valid. New does not call the server.
func New(server desktop.Desktop, opts *Options) (desktop.Desktop, error) {
	if nilcheck.IsNil(server) {
		return nil, errors.New("playwright: the server is nil")
	}
	b := &browser{server: server, turn: make(chan struct{}, 1), instance: 1, ids: ids{known: map[string]labelled{}}}
	if opts != nil {
		b.name, b.home = opts.Name, opts.Home
		var err error
		if b.origins, err = newOrigins(opts.Origins); err != nil {
			return nil, err
		}
	}
	if b.name == "" {
		b.name = "browser"
	}
	if b.home != "" {
		if problem := b.origins.problem(b.home); problem != "" {
			return nil, fmt.Errorf("playwright: Home: %s", problem)
		}
	}
	return &view{browser: b, part: 1}, nil
}

// browser is what all views of one New share. The fields after turn belong to the
// call that has the turn.
type browser struct {
	server     desktop.Desktop
	name, home string
	origins    origins

	turn     chan struct{}
	known    bool   // the server has the tools
	instance int    // counts the browsers that were lost, from 1
	lost     bool   // and no page was opened since
	opened   bool   // home
	at       string // the URL at the last look
	ids      ids    // that elements were shown with
}

// shown are the controls that a view was shown, and where they were.
type shown struct {
	instance int // of the browser
	url      string
	tab      int                // the current one
	tabs     int                // how many there were
	controls map[string]control // by id
}

// view is how one agent sees a browser. It acts on what it was shown itself, whatever
// other views look at meanwhile.
type view struct {
	*browser
	only   int    // the instance that it is of; 0: any
	shown  shown  // what get_ui_tree returned last
	part   int    // of the page that is shown, from 1
	partOf string // the URL that part was chosen for
}

// Scope returns the browser as long as it is the one that was listed.
func (v *view) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	done, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if windowID != v.windowID() {
		return nil, errors.New("playwright: there is no such window")
	}
	v.lost = false // the caller knows that this window is another one
	return &view{browser: v.browser, only: v.instance, part: 1}, nil
}

func (b *browser) windowID() string { return fmt.Sprint(b.instance) }

// closed reports whether the browser that the view is of was closed.
func (v *view) closed() bool { return v.only != 0 && v.only != v.instance }

// refusal is the reason of a result with status failure.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

func isRefusal(err error) bool {
	_, ok := errors.AsType[refusal](err)
	return ok
}

// gone is the refusal after the browser was closed unasked.
const gone = refusal("the browser was closed; the page is lost, and with it what was filled in and perhaps the login")
