// Service refunds money of a shop, in runs that survive the processes that drive them. Without a subcommand it is a
// demonstration with processes of its own: a worker is killed with kill -9 between a payment and its record, another
// one goes on, and a person answers from a third.
//
//	service serve [-work]        serves the runs over HTTP; with -work it drives them, too
//	service work                 drives runs; start as many as you like
//	service answer RUN ID yes    answers a question
//	service show RUN             prints the journal
//	service replay RUN           tells whether this program would still do the same
//
// agent.go makes the agent, shop.go has its tools, and roles.go drives and serves. story.go is the demonstration.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/llm"
)

// process is one process of the program.
type process struct {
	dir, address, hold string
	work               bool
	model              llm.Model
	args               []string
	store              *store.FileStore
	shop               *shop
	out, errs          io.Writer
}

// roles are the subcommands, and how many arguments they take.
var roles = map[string]struct {
	args int
	do   func(context.Context, *process) error
}{
	"serve": {0, serve}, "work": {0, work}, "answer": {3, answer}, "show": {1, show}, "replay": {1, replay},
}

// Run runs the program and returns its exit status.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	if len(args) == 0 {
		if err := story(ctx, c.Out); err != nil {
			fmt.Fprintln(c.Err, "service:", err)
			return 1
		}
		return 0
	}
	p := &process{model: model, out: c.Out, errs: c.Err}
	role, known := roles[args[0]]
	flags := flag.NewFlagSet("service "+args[0], flag.ContinueOnError)
	flags.SetOutput(c.Err)
	flags.StringVar(&p.dir, "dir", "service-runs", "`FOLDER` of the journals and the payments")
	flags.StringVar(&p.address, "address", "127.0.0.1:0", "serve: where; the port 0 is a free one")
	flags.BoolVar(&p.work, "work", false, "serve: drive runs, too")
	flags.StringVar(&p.hold, "hold", "", "work: stand still once, behind the payment of `RUN`")
	child := flags.Bool("child", false, "end with the standard input")
	if err := flags.Parse(args[1:]); err != nil {
		return map[bool]int{true: 0, false: 2}[errors.Is(err, flag.ErrHelp)]
	}
	if p.args = flags.Args(); !known || len(p.args) != role.args {
		fmt.Fprintln(c.Err, "usage: service [serve|work|answer RUN ID yes|no|show RUN|replay RUN], with flags before the arguments")
		return 2
	}
	if *child { // whoever started this process has closed its input, or is gone
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		go func() {
			_, _ = io.Copy(io.Discard, c.In)
			cancel()
		}()
	}
	err := os.MkdirAll(p.dir, 0o700)
	if err == nil {
		p.store, err = store.Files(filepath.Join(p.dir, "journals"))
	}
	if err == nil {
		p.shop = &shop{file: filepath.Join(p.dir, "payments.jsonl"), paid: p.standStill}
		err = role.do(ctx, p)
	}
	if err != nil {
		fmt.Fprintln(c.Err, "service:", err)
		return 1
	}
	return 0
}

const standsStill = "the money is paid, the journal does not know it yet, and this process stands still"

// standStill waits to be killed behind the payment of the run of -hold: once, whatever process does it.
func (p *process) standStill(ctx context.Context, run string) {
	if run != p.hold {
		return
	}
	once, err := os.OpenFile(filepath.Join(p.dir, "held"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_ = once.Close()
	fmt.Fprintf(p.out, "%s: %s\n", run, standsStill)
	<-ctx.Done()
}

// isYes reads the word of an answer.
func isYes(word string) bool { return slices.Contains([]string{"y", "yes"}, word) }
