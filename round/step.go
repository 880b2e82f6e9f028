package round

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// Step is one transition: who stood where, what its Handle did, and who stands where now. All texts in it are redacted
// and images are left out, so that a Step can be logged as it is. Reasons, errors, questions and answers are cut at 16
// KiB; what commands returned is whole.
type Step struct {
	Run       string     `json:"run,omitempty"`   // Options.Run; in a round within another one's Handle, that of the outer round
	Round     int        `json:"round,omitempty"` // the number of the round in its session, from 1; 0: the round is in no session
	Seq       int        `json:"seq"`             // counts from 1 in a round
	Agent     string     `json:"agent"`           // who was handled; what a terminal would obey in a name is escaped
	Kind      string     `json:"kind"`            // its kind
	From      fsm.Status `json:"from"`            // where it stood
	NextAgent string     `json:"next_agent"`      // who takes the next step
	To        fsm.Status `json:"to"`              // where it stands
	By        fsm.Cause  `json:"by"`              // who is behind it; ByFault: an error
	Reason    string     `json:"reason,omitempty"`

	// Attempts is how often the state was handled for this step: more than once when going on called it again after an
	// interruption, in other processes too, but for one that died in it. What follows is of all attempts. 0: it was not
	// handled, as in the fault of an observer.
	Attempts int             `json:"attempts,omitempty"` // in JSON only if more than 1
	Calls    int             `json:"calls,omitempty"`    // model calls, re-asks included
	Usage    llm.Usage       `json:"usage,omitzero"`     // of these calls
	Cost     float64         `json:"cost,omitempty"`     // of these calls, by Options.Price
	Model    string          `json:"model,omitempty"`    // the name of the model that answered last
	Decision json.RawMessage `json:"decision,omitempty"` // the last decision that passed its checks
	Repairs  []llm.Repair    `json:"repairs,omitempty"`  // what was repaired in replies that were not quite what was asked for
	Refused  []string        `json:"refused,omitempty"`  // why replies could not be used, in order
	Verdicts []Verdict       `json:"verdicts,omitempty"` // what a Policy did not simply allow
	Commands []Command       `json:"commands,omitempty"` // what was executed, in order; an effect of package effects is one, by its key
	Asks     []Ask           `json:"asks,omitempty"`     // what a person was asked

	Progress Progress `json:"progress,omitzero"` // how far the round's sub-tasks are, after the step

	Started  time.Time     `json:"started,omitzero"` // zero when nobody observes
	Duration time.Duration `json:"ns"`               // of the whole step
	Phases   []Phase       `json:"phases,omitempty"` // the phases that ran, in order
	Err      error         `json:"-"`                // the fault; its text is redacted
}

// Phase is how long one phase of a step took.
type Phase struct {
	Name     string        `json:"name"`
	Duration time.Duration `json:"ns"`
}

// Command is one executed command of a step.
type Command struct {
	Command  desktop.Command `json:"command"`
	Result   desktop.Result  `json:"result"`
	Err      string          `json:"error,omitempty"` // of the transport
	Duration time.Duration   `json:"ns"`
}

// Ask is one question to a person, with its answer. Its Command is without secrets.
type Ask struct {
	people.Question
	Answer people.Answer `json:"answer,omitzero"`
	Err    string        `json:"error,omitempty"`
}

// Verdict is what a Policy said of a command, where it did not simply allow it.
type Verdict struct {
	Tool   string `json:"tool"`
	CallID string `json:"call_id,omitempty"`
	Action string `json:"action"` // allow, confirm or deny
	Reason string `json:"reason,omitempty"`
}

// maxName bounds the name of an agent where it is shown, in bytes.
const maxName = 1 << 10

// named is the name of an agent as it is shown. An application's agent is called by names of its window, which are a
// stranger's: no terminal obeys them, and they do not go over several lines. Of a longer one only the length is said,
// as half a secret would not be found in it.
func named(agent string) string { return clip.Name(legible.Exact(agent), maxName) }

// agentAt is an agent and its status, as positions are written everywhere.
func agentAt(agent string, status fsm.Status) string { return named(agent) + ":" + string(status) }

// String returns the step as "agent:FROM -> agent:TO (cause)".
func (s Step) String() string {
	if s.Agent == "" && s.NextAgent == "" {
		return "" // what comes with the error at the end of Steps
	}
	return agentAt(s.Agent, s.From) + " -> " + agentAt(s.NextAgent, s.To) + " (" + s.By.String() + ")"
}

// maxRefusal bounds what a step has of one refused reply, in bytes: the reason
// may quote the reply. What is cut is without secrets already, so that no half of one is
// left: errors that quote a name quote all of it, or say only how long it is.
const maxRefusal = 2 << 10

// maxWhere bounds the place of a repair: it has names of the reply.
const maxWhere = 256

// publish returns the step as it may be shown, and how far the round is.
func (m *meter) publish(progress Progress) Step {
	s := m.step
	m.mu.Lock()
	s.Attempts = m.tries
	s.Calls, s.Usage, s.Cost, s.Model = m.now.calls, m.now.usage, m.now.cost, m.now.model
	decision := m.now.decision
	if !m.started.IsZero() {
		s.Started, s.Duration = m.started, time.Since(m.started)
	}
	s.Repairs, s.Refused = slices.Clone(m.repairs), slices.Clone(m.refused)
	s.Verdicts, s.Commands = slices.Clone(m.verdicts), slices.Clone(m.commands)
	asks := slices.Clone(m.asks)
	s.Phases = slices.Clone(m.phases)
	m.mu.Unlock()

	s.Run, s.Round = m.id.run, m.id.round
	s.Progress = progress
	s.Progress.Current = m.brief(s.Progress.Current)
	s.Agent, s.NextAgent, s.Model = named(m.scrub(s.Agent)), named(m.scrub(s.NextAgent)), m.brief(s.Model)
	s.Reason = m.brief(s.Reason)
	if s.Err != nil {
		s.Err = &shownError{text: m.brief(textOf(s.Err)), err: s.Err}
	}
	if decision != nil {
		s.Decision = m.scrubber.decision(decision)
	}
	for i := range s.Repairs {
		s.Repairs[i].Where = clip.Text(m.scrub(s.Repairs[i].Where), maxWhere)
	}
	for i := range s.Refused {
		s.Refused[i] = clip.Text(m.scrub(s.Refused[i]), maxRefusal)
	}
	for i := range s.Verdicts {
		s.Verdicts[i].Reason = m.brief(s.Verdicts[i].Reason)
	}
	for i := range s.Commands {
		m.scrubber.command(&s.Commands[i])
	}
	for _, asked := range asks {
		q := m.words(asked.toShow)
		q.Shown = nil // it is what Command is here
		a := Ask{Question: hideWords(m.shown(q), m.brief), Answer: asked.answer, Err: m.brief(asked.err)}
		a.Answer.Text = m.brief(a.Answer.Text)
		s.Asks = append(s.Asks, a)
	}
	return s
}

// show gives a step to whoever watches. A panic of the observer is a fault of its own, wherever the step led: it is
// yielded after the step that it was shown, and the observer is not called again.
func (r *Round) show(yield func(Step) bool) bool {
	s, err := r.observe()
	goOn := yield == nil || yield(s)
	if err == nil {
		return goOn
	}
	// Also when the loop over Steps was left: what comes next must not be a success.
	r.blind = true
	first := r.fault
	r.meter.begin()
	step := &r.meter.step
	step.Agent, step.Kind, step.From = r.pos.agent.Name(), r.pos.agent.States().Kind(), r.pos.bound.Status()
	r.toError(err)
	r.fault = err
	if first != nil {
		r.fault = errors.Join(first, err)
	}
	r.finish(true)
	return goOn && (yield == nil || yield(r.meter.publish(r.progress())))
}

func (r *Round) observe() (s Step, err error) {
	err = guard(func() error {
		s = r.meter.publish(r.progress())
		if observe := r.options.Load().Observe; observe != nil && !r.blind {
			observe(s)
		}
		return nil
	})
	return s, err
}
