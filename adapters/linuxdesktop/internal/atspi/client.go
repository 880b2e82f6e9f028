package atspi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	ifAccessible  = "org.a11y.atspi.Accessible"
	ifApplication = "org.a11y.atspi.Application"
	ifComponent   = "org.a11y.atspi.Component"
	ifAction      = "org.a11y.atspi.Action"
	ifText        = "org.a11y.atspi.Text"
	ifEditable    = "org.a11y.atspi.EditableText"
	ifTable       = "org.a11y.atspi.Table"
	ifSelection   = "org.a11y.atspi.Selection"
	ifValue       = "org.a11y.atspi.Value"
	ifProperties  = "org.freedesktop.DBus.Properties"
	registry      = "org.a11y.atspi.Registry"
	rootPath      = "/org/a11y/atspi/accessible/root"
	pathPrefix    = "/org/a11y/atspi/accessible/"
)

// Ref names an object: the program's name on the bus, and the object's in the program. While
// the program runs, no other object gets its name.
type Ref struct {
	Bus  string
	Path dbus.ObjectPath
}

// Desktop is the object whose children are the programs.
var Desktop = Ref{registry, rootPath}

// Null reports whether r names no object.
func (r Ref) Null() bool { return r.Path == "" || r.Path == "/org/a11y/atspi/null" }

// ID is a short name of an object, such as 14.221. [ParseID] reads it.
func (r Ref) ID() string {
	return strings.TrimPrefix(r.Bus, ":1.") + "." + strings.TrimPrefix(string(r.Path), pathPrefix)
}

// ParseID reads what [Ref.ID] wrote.
func ParseID(id string) (Ref, bool) {
	bus, path, ok := strings.Cut(id, ".")
	r := Ref{":1." + bus, dbus.ObjectPath(pathPrefix + path)}
	return r, ok && bus != "" && strings.Trim(bus, "0123456789") == "" && path != "" && r.Path.IsValid()
}

// Client is a connection to the accessibility bus. It is safe for concurrent use.
type Client struct {
	conn    *dbus.Conn
	timeout time.Duration
	calls   atomic.Int64
	focus   focus
}

// Dial connects to the accessibility bus of a session bus, which starts it if need be, and tells programs that a screen reader
// runs: Chromium and Qt have no tree otherwise. bus is the address of the session bus, such as unix:path=/run/user/1000/bus. timeout
// is how long a program may take for one call. 0: 3 seconds. Dial may take ten times as long: the bus may have to be started.
func Dial(ctx context.Context, bus string, timeout time.Duration) (*Client, error) {
	timeout = cmp.Or(timeout, 3*time.Second)
	ctx, cancel := context.WithTimeoutCause(ctx, dialTimeouts*timeout, fmt.Errorf("%w within %v", errBus, dialTimeouts*timeout))
	defer cancel()
	session, err := connect(ctx, bus)
	if err != nil {
		return nil, fmt.Errorf("session bus: %w", err)
	}
	defer func() { _ = session.Close() }() // what was asked was answered
	o := session.Object("org.a11y.Bus", "/org/a11y/bus")
	var address string
	if err := o.CallWithContext(ctx, "org.a11y.Bus.GetAddress", 0).Store(&address); err != nil {
		return nil, fmt.Errorf("the session bus has no accessibility bus: %w", cause(ctx, err))
	}
	for _, p := range []string{"IsEnabled", "ScreenReaderEnabled"} {
		if err := o.CallWithContext(ctx, ifProperties+".Set", 0, "org.a11y.Status", p, dbus.MakeVariant(true)).Err; err != nil {
			return nil, fmt.Errorf("tell programs of a screen reader: %w", cause(ctx, err))
		}
	}
	conn, err := connect(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("accessibility bus: %w", err)
	}
	c := &Client{conn: conn, timeout: timeout}
	if err := c.watchFocus(ctx); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("accessibility bus: %w", cause(ctx, err))
	}
	return c, nil
}

const dialTimeouts = 10

var errBus = errors.New("the bus does not answer")

// cause says why ctx ended, if it did.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// connect is dbus.Connect that ends with ctx, while the connection it returns does not.
func connect(ctx context.Context, address string) (*dbus.Conn, error) {
	if address == "" {
		return nil, errors.New("no address was given") // the library would start a bus
	}
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end)
	conn, err := dbus.Connect(address, dbus.WithContext(own), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if !stop() && err == nil {
		_ = conn.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		end()
		return nil, cause(ctx, err)
	}
	context.AfterFunc(conn.Context(), end) //nolint:contextcheck // the two end together
	return conn, nil
}

// Close ends the connection.
func (c *Client) Close() error {
	err := c.conn.Close()
	c.focus.ended.Wait()
	if errors.Is(err, dbus.ErrClosed) {
		return nil
	}
	return err
}

// Calls returns how many calls were made.
func (c *Client) Calls() int64 { return c.calls.Load() }

// ErrBudget says that one look made more calls than it may.
var ErrBudget = errors.New("it has too many parts to read them all")

type budgetKey struct{}

// budget is how many calls are left, and the one that it is a part of.
type budget struct {
	left atomic.Int64
	of   *budget
}

// spend takes a call from a budget and those that it is a part of.
func (b *budget) spend() (ok bool) {
	for ; b != nil; b = b.of {
		if b.left.Add(-1) < 0 {
			return false
		}
	}
	return true
}

// WithBudget returns a context under which n calls can be made, and no more than ctx allows. Further
// ones end with [ErrBudget].
func WithBudget(ctx context.Context, n int) context.Context {
	b := new(budget)
	b.left.Store(int64(n))
	b.of, _ = ctx.Value(budgetKey{}).(*budget)
	return context.WithValue(ctx, budgetKey{}, b)
}

// call calls a method of an object.
func (c *Client) call(ctx context.Context, r Ref, method string, into []any, args ...any) error {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok && !b.spend() {
		return ErrBudget
	}
	if r.Null() {
		return errors.New("there is no such object")
	}
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	c.calls.Add(1)
	err := c.conn.Object(r.Bus, r.Path).CallWithContext(bounded, method, 0, args...).Store(into...)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w within %v", ErrSilent, c.timeout)
	}
	if e, ok := errors.AsType[dbus.Error](err); ok && e.Name == "org.freedesktop.DBus.Error.UnknownObject" {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// ask calls a method that returns one value.
func ask[T any](ctx context.Context, c *Client, r Ref, method string, args ...any) (value T, err error) {
	err = c.call(ctx, r, method, []any{&value}, args...)
	return value, err
}

// ErrGone says that a program has no such object any more.
var ErrGone = errors.New("the object is gone")

// ErrSilent says that a program did not answer in time.
var ErrSilent = errors.New("the program does not answer")

// property reads a property of an object.
func property[T any](ctx context.Context, c *Client, r Ref, iface, name string) (value T, err error) {
	v, err := ask[dbus.Variant](ctx, c, r, ifProperties+".Get", iface, name)
	if err != nil {
		return value, err
	}
	return value, v.Store(&value)
}

// IsGTK4 reports whether an object is of a program that uses GTK 4, which says of no control that it shows, and places them in
// their window.
func (c *Client) IsGTK4(ctx context.Context, r Ref) bool {
	app := Ref{r.Bus, rootPath}
	name, err := property[string](ctx, c, app, ifApplication, "ToolkitName")
	if err != nil || !strings.EqualFold(name, "gtk") {
		return false
	}
	version, err := property[string](ctx, c, app, ifApplication, "Version")
	return err == nil && strings.HasPrefix(version, "4")
}

// PID returns the process behind a name on the bus.
func (c *Client) PID(ctx context.Context, bus string) (uint32, error) {
	daemon := Ref{"org.freedesktop.DBus", "/org/freedesktop/DBus"}
	return ask[uint32](ctx, c, daemon, "org.freedesktop.DBus.GetConnectionUnixProcessID", bus)
}

// focus is where the input focus of each program went last.
type focus struct {
	mu    sync.Mutex
	where map[string]Ref // by the program's name on the bus
	ended sync.WaitGroup
}

// watchFocus asks programs to say when the focus moves.
func (c *Client) watchFocus(ctx context.Context) error {
	err := c.conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface("org.a11y.atspi.Event.Object"),
		dbus.WithMatchMember("StateChanged"), dbus.WithMatchArg(0, "focused"))
	if err != nil {
		return err
	}
	reg := Ref{registry, "/org/a11y/atspi/registry"}
	if err := c.call(ctx, reg, "org.a11y.atspi.Registry.RegisterEvent", nil, "object:state-changed:focused"); err != nil {
		return err
	}
	events := make(chan *dbus.Signal, 64)
	c.conn.Signal(events)
	c.focus.where = map[string]Ref{}
	c.focus.ended.Go(func() {
		for s := range events { // the connection closes it
			if len(s.Body) > 1 && s.Body[1] == int32(1) {
				c.Focused(Ref{s.Sender, s.Path})
			}
		}
	})
	return nil
}

// Focused notes an object that was found to have the input focus of its program.
func (c *Client) Focused(r Ref) {
	c.focus.mu.Lock()
	defer c.focus.mu.Unlock()
	c.focus.where[r.Bus] = r
}

// Focus returns the object of a program that has the input focus, as the program said last.
func (c *Client) Focus(ctx context.Context, bus string) (Ref, bool) {
	c.focus.mu.Lock()
	r, ok := c.focus.where[bus]
	c.focus.mu.Unlock()
	if !ok {
		return Ref{}, false
	}
	st, err := c.States(ctx, r)
	return r, err == nil && st.Has(Focused) && !st.Has(Defunct)
}
