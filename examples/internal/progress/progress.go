package progress

import (
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/round"
)

// Options configure a [Printer]. Nil and the zero value are the
// defaults.
type Options struct {
	// Mode is Auto by default: Live where the writer is a terminal.
	Mode Mode
	// Width is how many columns a live line may take (COLUMNS, else 80). A negative
	// one is no bound, for a terminal that does not wrap. Plain lines are as long as
	// they are.
	Width int
	// MaxSteps is the bound that steps are shown against, as in round.Options
	// (50). Negative: none is shown. One that was raised in mid-run
	// and passed is not shown either.
	MaxSteps int
	// Currency stands before what the round cost, such as "$" or "EUR " ("cost ").
	Currency string
	// Elapsed shows the time from the start of the first step to the end of the
	// last, in whole seconds.
	Elapsed bool
}

// Printer writes how far a round is. Make one with [New], give its Step
// to the round, and call Done at the end. It is safe for concurrent use; a
// live line belongs to one round at a time. A round that starts anew, with the
// first step, starts its counts anew.
type Printer struct {
	w        io.Writer
	live     bool
	limit    int // columns; negative: none
	maxSteps int
	currency string
	elapsed  bool

	mu     sync.Mutex
	counts counts
	shown  int // columns of the live line that is on the terminal
	err    error
}

// counts add up what the steps of a round used.
type counts struct {
	steps   int
	tokens  int
	cost    float64
	started time.Time
	elapsed time.Duration
	planned int // sub-tasks, when one was open last
}

// New returns a Printer that writes to w, mostly os.Stderr; nil writes
// nowhere.
func New(w io.Writer, opts *Options) *Printer {
	if w == nil {
		w = io.Discard
	}
	var o Options
	if opts != nil {
		o = *opts
	}
	p := &Printer{w: w, currency: clean(o.Currency), elapsed: o.Elapsed, limit: o.Width, maxSteps: o.MaxSteps}
	p.live = o.Mode == Live || o.Mode == Auto && isTerminal(w)
	if p.limit == 0 {
		p.limit = columns()
	}
	if p.maxSteps == 0 {
		p.maxSteps = 50
	}
	return p
}

// Step shows a step. It is an observer of rounds.
func (p *Printer) Step(s round.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.Seq <= 1 {
		p.counts = counts{started: s.Started}
	}
	p.counts.add(&s)
	if p.live {
		p.rewrite(p.liveLine(&s))
		return
	}
	p.write(p.plainLine(&s) + "\n")
}

// Clear wipes the live line, so that something else can be written, such as a
// question. The next step shows it again. Plain lines stay.
func (p *Printer) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rewrite("")
}

// Done wipes the live line and writes a last line with what the round came to, also
// where it can go on; without an Answer, which is the caller's to show. It
// returns the error of the first write that failed, also an earlier one.
func (p *Printer) Done(res round.Result) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rewrite("")
	p.write(p.lastLine(&res) + "\n")
	return p.err
}

// rewrite replaces the live line in one Write.
func (p *Printer) rewrite(line string) {
	size := width(line)
	if p.shown == 0 && size == 0 {
		return
	}
	var b strings.Builder
	b.WriteString("\r" + line)
	if rest := p.shown - size; rest > 0 {
		b.WriteString(strings.Repeat(" ", rest))
		b.WriteString("\r" + line) // the cursor is behind the line, not behind the spaces
	}
	p.shown = size
	p.write(b.String())
}

// write writes until a write failed. The round is not to blame for it.
func (p *Printer) write(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text)
	}
}

func (c *counts) add(s *round.Step) {
	if s.Calls > 0 {
		c.steps++
	}
	c.tokens += min(s.Usage.Total(), math.MaxInt-c.tokens)
	c.cost += s.Cost
	if !s.Started.IsZero() && !c.started.IsZero() {
		c.elapsed = max(c.elapsed, s.Started.Add(s.Duration).Sub(c.started))
	}
	if t := s.Progress; t.Current != "" {
		c.planned = t.Opened + t.Planned
	} else {
		// Between two the plan has lost the next one, and it is not open yet.
		c.planned = max(c.planned, t.Opened+t.Planned)
	}
}
