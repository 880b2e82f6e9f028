package fsm

import "context"

// State is one state of a kind of agent A. It holds no data of a run: one
// instance serves every agent and goroutine, so everything that a run knows
// lives in the agent.
//
// A state that ends may also be [Successful].
type State[A any] interface {
	// Name is the status that the state is registered under.
	Name() Status
	// Handle does the state's work. All effects happen here, and whatever it
	// wants next it leaves in the agent's decision. An error (or a panic) is a
	// fault and leads to the agent's ERROR, unless the context was cancelled or
	// the error wraps [ErrSuspend]; then the agent stays where it is.
	Handle(ctx context.Context, agent A) error
	// NextState names the status that follows, in the Manager of the agent
	// that NextAgent returns. It is pure: it reads the agent, changes nothing.
	NextState(agent A) Status
	// NextAgent returns the agent that takes the next step, mostly the same
	// one. It is pure, and never nil.
	NextAgent(agent A) Agent
	// IsRoundEnd reports whether the agent's work ends in this state: control returns to
	// the agent that handed over, and where there is none, the round ends.
	IsRoundEnd() bool
	// IsSubtaskEnd has the same effect. A kind says by it that it works for others.
	IsSubtaskEnd() bool
}

// Successful is a [State] that says whether to end there is a success; this is
// optional. FINISH is one by itself, FAIL and ERROR never are. A [Row] has a field
// for it.
type Successful interface {
	// IsSuccess is asked once, when the state is first looked up.
	IsSuccess() bool
}

// Row is a [State] as one line of a table. A nil func has a default: no
// effect, the status that Handle decided, the same agent. The receiver comes
// first, so that method expressions fit: Handle: (*Agent).process.
type Row[A Agent] struct {
	Status     Status
	Handle     func(A, context.Context) error
	NextState  func(A) Status
	NextAgent  func(A) Agent
	RoundEnd   bool // one of the two is enough: control returns to the agent that
	SubtaskEnd bool // handed over; where there is none, the round ends
	Success    bool // to end here is a success, as it is in FINISH by itself
}

// State returns the row as a state, for [Manager.Register] and
// [Manager.AddState]; [Table] takes rows as they are.
func (r Row[A]) State() State[A] { return &rowState[A]{r} }

// To returns a NextState func for a row that always goes on to the same status.
func To[A Agent](s Status) func(A) Status { return func(A) Status { return s } }

type rowState[A Agent] struct{ row Row[A] }

func (s *rowState[A]) Name() Status { return s.row.Status }

func (s *rowState[A]) Handle(ctx context.Context, agent A) error {
	if s.row.Handle == nil {
		return nil
	}
	return s.row.Handle(agent, ctx)
}

func (s *rowState[A]) NextState(agent A) Status {
	if s.row.NextState == nil {
		return agent.Decision().To
	}
	return s.row.NextState(agent)
}

func (s *rowState[A]) NextAgent(agent A) Agent {
	if s.row.NextAgent == nil {
		return agent
	}
	return s.row.NextAgent(agent)
}

func (s *rowState[A]) IsRoundEnd() bool   { return s.row.RoundEnd }
func (s *rowState[A]) IsSubtaskEnd() bool { return s.row.SubtaskEnd }
func (s *rowState[A]) IsSuccess() bool    { return s.row.Success }

// noneState stands for a status that nobody registered. It is made for each
// look-up and never kept.
type noneState[A Agent] struct {
	kind   string
	status Status
	known  []Status
}

func (s noneState[A]) Name() Status { return s.status }

func (s noneState[A]) err() error { return unknownStatus(s.kind, s.status, s.known) }

func (s noneState[A]) Handle(context.Context, A) error { return s.err() }

func (s noneState[A]) NextState(A) Status      { return Error }
func (s noneState[A]) NextAgent(agent A) Agent { return agent }
func (s noneState[A]) IsRoundEnd() bool        { return false }
func (s noneState[A]) IsSubtaskEnd() bool      { return false }
