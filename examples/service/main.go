package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/agentfsm/agentfsm/runs"
)

// What the program ends with.
const (
	done     = 0
	failed   = 1
	wrongUse = 2
)

// The kinds of stores.
const (
	files    = "files"
	sqlite   = "sqlite"
	postgres = "postgres"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := program{in: os.Stdin, out: os.Stdout, problems: os.Stderr}.run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// program is one process of it.
type program struct {
	in            io.Reader
	out, problems io.Writer
}

// call is what the program was called with.
type call struct {
	dir, kind, dsn string
	engine         string // what schedules the runs
	at, namespace  string // of Temporal
	name           string // of the process
	address        string // of serve
	work           bool   // of serve
	hold           string // which run a worker is killed in
	child          bool   // the process ends with its input
	args           []string
}

// role is what a process is for.
type role struct {
	name, args string
	do         func(p program, ctx context.Context, c *call, svc *runs.Service) error
}

func roles() []role {
	return []role{
		{"work", "", program.work},
		{"serve", "", program.serve},
		{"answer", "RUN ID yes|no", program.answer},
	}
}

// run is the program. It returns its status.
func (p program) run(ctx context.Context, args []string) int {
	r := role{}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		i := slices.IndexFunc(roles(), func(r role) bool { return r.name == args[0] })
		if i < 0 {
			fmt.Fprintf(p.problems, "service: what is %q? There are work, serve and answer\n", args[0])
			return wrongUse
		}
		r, args = roles()[i], args[1:]
	}
	c, err := p.parse(r, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return done
	case err != nil:
		return wrongUse
	case r.do == nil:
		err = p.story(ctx, c)
	default:
		err = p.be(ctx, r, c)
	}
	if err != nil {
		fmt.Fprintln(p.problems, "service:", err)
		return failed
	}
	return done
}

// be plays a role.
func (p program) be(ctx context.Context, r role, c *call) (err error) {
	if c.child {
		var cancel context.CancelFunc
		ctx, cancel = untilEnd(ctx, p.in)
		defer cancel()
	}
	st, closes, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closes()) }()
	engine, closeEngine, err := c.openEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeEngine()) }()
	svc, err := p.service(c, st, engine)
	if err != nil {
		return err
	}
	return r.do(p, ctx, c, svc)
}

// parse reads the arguments of a role. What is wrong with them was written already, unless the error is flag.ErrHelp.
func (p program) parse(r role, args []string) (*call, error) {
	c := &call{}
	flags := flag.NewFlagSet(strings.TrimSpace("service "+r.name), flag.ContinueOnError)
	flags.SetOutput(io.Discard) // until it is known that the usage is wanted
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), strings.TrimSpace("Usage: "+flags.Name()+" [flags] "+r.args))
		flags.PrintDefaults()
	}
	flags.StringVar(&c.kind, "store", files, "`KIND` of the store: files, sqlite or postgres")
	flags.StringVar(&c.dsn, "dsn", "", "which database of PostgreSQL, as a URL or words such as host=… dbname=…")
	flags.StringVar(&c.engine, "engine", "", "what schedules the runs: dbos or temporal; the workers themselves when it is empty")
	flags.StringVar(&c.at, "temporal", "127.0.0.1:7233", "`ADDRESS` of the Temporal server")
	flags.StringVar(&c.namespace, "namespace", "default", "which `NAMESPACE` of the Temporal server")
	if r.name != "" {
		flags.StringVar(&c.name, "name", "", "the `NAME` of this process, for DBOS: no other one has it, and the process keeps it when it is started again")
		flags.StringVar(&c.dir, "dir", "service-runs", "`FOLDER` of documents and workbooks, and of a store that is files or sqlite")
		flags.BoolVar(&c.child, "child", false, "end when the standard input ends")
	}
	switch r.name {
	case "serve":
		flags.StringVar(&c.address, "address", "127.0.0.1:0", "where to serve; the port 0 is a free one")
		flags.BoolVar(&c.work, "work", false, "drive runs, too")
	case "work":
		flags.StringVar(&c.hold, "hold", "", "stand still, once, when the chart of `RUN` is drawn, so that this process can be killed there")
	}
	err := flags.Parse(args)
	c.args = flags.Args()
	switch want := strings.Fields(r.args); {
	case err != nil:
	case len(c.args) != len(want):
		err = fmt.Errorf("it takes %d arguments, not %d", len(want), len(c.args))
	case !slices.Contains([]string{files, sqlite, postgres}, c.kind):
		err = fmt.Errorf("-store is %q, not files, sqlite or postgres", c.kind)
	case !slices.Contains([]string{"", onDBOS, onTemporal}, c.engine):
		err = fmt.Errorf("-engine is %q, not dbos or temporal", c.engine)
	case c.engine == onDBOS && r.name != "" && c.name == "":
		err = errors.New("-engine dbos needs a -name")
	case (c.kind == postgres) != (c.dsn != ""):
		err = errors.New("-store postgres and -dsn belong together")
	}
	if err == nil {
		return c, nil
	}
	flags.SetOutput(p.problems)
	flags.Usage()
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(p.problems, "service:", err) // last, where it is seen
	}
	return nil, err
}
