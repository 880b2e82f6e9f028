package playwright

import (
	"context"
	"errors"
	"fmt"
	neturl "net/url"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/policies"
)

// Options of [New]. The zero value is a browser that may go anywhere.
type Options struct {
	// Name is the Root of the browser's window. "": browser.
	Name string
	// Home is the page that is opened when somebody looks for the first time and the
	// browser shows none. "": the model has to navigate.
	Home string
	// Origins are the only ones whose pages are shown and acted on, such as
	// "https://shop.example" or "http://127.0.0.1:8080"; "https://*.shop.example" is
	// every host under it. Nil: no limit. See the package's comment for what this
	// stops.
	Origins []string
	// ServerTools are names of the server's own tools that the model may use as they
	// are, such as browser_evaluate. What they act on nobody compares with what was
	// shown.
	ServerTools []string
	// MaxBytes is about how much JSON get_ui_tree returns as one part of a page; what
	// its controls are in, and browser tabs, come on top. 0: 16384. Negative: no limit.
	MaxBytes int
}

// OptionsError says that an option of [New] cannot be used.
type OptionsError struct {
	Field string // of [Options], or "server"
	Err   error
}

func (e *OptionsError) Error() string { return fmt.Sprintf("playwright: %s: %v", e.Field, e.Err) }

// Unwrap returns the reason.
func (e *OptionsError) Unwrap() error { return e.Err }

// ErrServer says that the server has not the tools of @playwright/mcp, or takes
// other arguments. Only New's Desktop returns it, from Tools and Execute.
var ErrServer = errors.New("playwright: the server is no @playwright/mcp that is known here")

// New returns the browser behind a server as a [desktop.Desktop] with one window.
// server has the tools of @playwright/mcp, with their own names or a prefix that
// ends with a dot; mostly it is one server of adapters/mcp. Nobody else may use it
// meanwhile: two that click in one browser do not know what they click on.
//
// The Desktop is also a [desktop.Scoper]. It is safe for concurrent use; calls wait
// for one another. It has nothing to close: close the server. opts may be nil. The
// error is an [*OptionsError]; the server is not asked anything yet.
func New(server desktop.Desktop, opts *Options) (desktop.Desktop, error) {
	b := &browser{server: server, turn: make(chan struct{}, 1), instance: 1}
	if opts != nil {
		b.opts = *opts
	}
	b.opts.ServerTools = slices.Clone(b.opts.ServerTools)
	if nilcheck.IsNil(server) {
		return nil, &OptionsError{Field: "server", Err: errors.New("there is none")}
	}
	if b.opts.Name == "" {
		b.opts.Name = "browser"
	}
	if b.opts.MaxBytes == 0 {
		b.opts.MaxBytes = 16 << 10
	}
	for _, name := range b.opts.ServerTools {
		if !strings.HasPrefix(name, "browser_") {
			return nil, &OptionsError{Field: "ServerTools", Err: fmt.Errorf("%q is no tool of the server", name)}
		}
	}
	var err error
	if b.origins, err = newOrigins(b.opts.Origins); err != nil {
		return nil, &OptionsError{Field: "Origins", Err: err}
	}
	if b.opts.Home != "" {
		if problem := b.origins.problem(b.opts.Home); problem != "" {
			return nil, &OptionsError{Field: "Home", Err: errors.New(problem)}
		}
	}
	return &view{browser: b, part: 1}, nil
}

// browser is what all views of one New share. What follows turn is changed by
// whoever has it.
type browser struct {
	server  desktop.Desktop
	opts    Options
	origins origins

	turn     chan struct{}
	tools    map[string]desktop.Tool // of the server, by the name that it has in its README
	box      *desktop.Toolbox        // what is offered
	instance int                     // counts the browsers that were lost, from 1
	lost     bool                    // and nobody has opened a page since
	opened   bool                    // Home
	at       string                  // the URL when the page was last seen
	ids      ids                     // that elements were shown with
}

// shown are the controls that somebody was shown, and where they were.
type shown struct {
	instance int // of the browser
	url      string
	tab      int                // the current one
	tabs     int                // how many there were
	controls map[string]control // by id
}

// take waits until no other call is running.
func (b *browser) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *browser) give() { <-b.turn }

// view is how one agent sees a browser: it acts on what it was shown itself, whatever
// others look at meanwhile. What follows browser is changed by whoever has the turn.
type view struct {
	*browser
	only   int    // the instance that it is of; 0: whichever there is
	shown  shown  // what get_ui_tree returned last
	part   int    // of the page that is shown, from 1
	partOf string // the URL that part was chosen for
}

// Scope returns the browser as long as it is the one that was listed.
func (v *view) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	if err := v.take(ctx); err != nil {
		return nil, err
	}
	defer v.give()
	if windowID != v.windowID() {
		return nil, errors.New("playwright: there is no such window")
	}
	v.lost = false // whoever was told of this window knows that it is another
	return &view{browser: v.browser, only: v.instance, part: 1}, nil
}

func (b *browser) windowID() string { return fmt.Sprint(b.instance) }

// origins are what pages may have; nil: any.
type origins []*policies.HostList

func newOrigins(list []string) (origins, error) {
	var o origins
	for _, entry := range list {
		scheme, host, ok := strings.Cut(entry, "://")
		if !ok || scheme != "http" && scheme != "https" {
			return nil, fmt.Errorf("%q does not begin with https:// or http://", entry)
		}
		l, err := policies.NewHostList([]string{strings.TrimSuffix(host, "/")}, scheme)
		if err != nil {
			return nil, err
		}
		o = append(o, l)
	}
	if list != nil && o == nil {
		return nil, errors.New("the list is empty: nothing could be opened")
	}
	return o, nil
}

// problem says why a URL that somebody gives may not be opened, "" when it may.
func (o origins) problem(url string) string {
	if scheme, _, _ := strings.Cut(url, ":"); !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "the URL must begin with https:// or http://"
	}
	if o == nil {
		switch u, err := neturl.Parse(url); {
		case err != nil || u.Host == "":
			return "the URL cannot be read"
		case u.User != nil: // people read that for the host
			return "the URL has a user in front of its host"
		}
		return ""
	}
	reason := "is not of an origin on the list"
	for _, l := range o {
		switch problem := l.Problem(url); {
		case problem == "":
			return ""
		case len(o) == 1:
			reason = problem
		}
	}
	return "the URL " + reason
}

// elsewhere reports whether a page that is open is none that may be. The browser
// wrote its URL, so there is one way to read it.
func (o origins) elsewhere(url string) bool {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end]
	}
	return o != nil && !nowhere(url) && o.problem(url) != ""
}

// nowhere reports whether a URL is that of no page, but of the browser's own.
func nowhere(url string) bool {
	return blankPage(url) || strings.HasPrefix(url, "chrome-error://")
}

// blankPage reports whether a URL is that of an empty page, or was when it was opened.
func blankPage(url string) bool {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end]
	}
	return url == blank || url == ""
}

const blank = "about:blank"
