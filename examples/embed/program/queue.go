package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// office is the orchestrator. It knows jobs, and that some of them are done by agents.
type office struct {
	out    io.Writer
	model  llm.Model
	logger *slog.Logger // nil: nothing is logged
	shop   *shop
	ids    atomic.Int64
}

// job is one entry of the queue. What drives its round differs from job to job
// here, because each shows another way; a real queue has one.
type job struct {
	title string
	do    func(ctx context.Context) (round.Result, error)
}

func newOffice(out io.Writer, model llm.Model, logger *slog.Logger) *office {
	return &office{out: out, model: model, logger: logger, shop: newShop()}
}

func (o *office) jobs() []job {
	return []job{
		{"two look-ups, a step of each in turn", o.pulled},
		{"a refund, approved over a channel", o.overChannel},
		{"a refund, put aside until it is approved", o.putAside},
		{"a look-up, interrupted by closing time", o.closingTime},
		{"a look-up with too small a budget", o.shortOfMoney},
		{"a look-up that our own code checks", o.withCheck},
	}
}

// work takes jobs until one does not end in FINISH. Run returns an error for every
// other outcome, so that is what jobs hand on.
func (o *office) work(ctx context.Context, jobs []job) error {
	for i, j := range jobs {
		o.say("job %d: %s", i+1, j.title)
		res, err := j.do(ctx)
		if err == nil && res.Outcome != round.Finished {
			err = errNotReached // a job that forgot to go on
		}
		if err != nil {
			return fmt.Errorf("job %d: %w", i+1, err)
		}
		o.say("job %d ended at %s:%s with %s", i+1, res.Agent, res.Status, res.Answer)
	}
	return nil
}

// say prints a line of the story.
func (o *office) say(format string, args ...any) { fmt.Fprintf(o.out, format+"\n", args...) }

// show prints a step, as an observer of rounds.
func (o *office) show(s round.Step) { o.say("    %v", s) }

// setup is what differs between the rounds of the jobs. The zero value is a round like any other.
type setup struct {
	model  llm.Model                      // nil: that of the office
	user   people.User                    // nil: nobody approves anything
	states *fsm.Manager[*hostagent.Agent] // nil: the host's own table
	bounds func(*round.Options)           // nil: the defaults
	show   func(round.Step)               // nil: office.show
}

// round makes a host and a round for one request. An agent belongs to one round at a time, so every job that may run
// beside another one has a host of its own. What they share, the shop, the model and the table, is safe for that.
func (o *office) round(request string, s setup) (*round.Round, error) {
	if s.model == nil {
		s.model = o.model
	}
	if s.show == nil {
		s.show = o.show
	}
	screen, err := o.shop.desktop()
	if err != nil {
		return nil, err
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: s.model, Desktop: screen, User: s.user, NewID: func() string { return fmt.Sprintf("Q%d", o.ids.Add(1)) }, // of questions; UUIDs else
		},
		States: s.states,
	})
	if err != nil {
		return nil, err
	}
	opts := &round.Options{Observe: s.show}
	if o.logger != nil {
		opts.Observe = observe.All(s.show, observe.Slog(o.logger.With("request", request), nil))
	}
	if s.bounds != nil {
		s.bounds(opts)
	}
	return round.New(host, request, opts)
}

// errNotReached says that a job left its round somewhere else than it wants it.
var errNotReached = errors.New("the round is not where this job wants it")
