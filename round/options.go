package round

import (
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/llm"
)

// Defaults of the bounds in [Options].
const (
	defaultMaxSteps       = 50
	defaultMaxTransitions = 200
	defaultMaxRepeats     = 10

	// defaultCallsOfAStep is how many model calls MaxCalls has for each of MaxSteps: one,
	// and as many more as deciding.Ask asks again.
	defaultCallsOfAStep = 4

	defaultCallTimeout = 5 * time.Minute
)

// Options configure a [Round] or a [Session]. They are copied; nil and the zero value mean the defaults. Of a bound,
// zero is the default and negative is none.
type Options struct {
	// MaxSteps bounds the steps of a round whose Handle called the model (50).
	MaxSteps int
	// MaxCalls bounds all model calls of a round, retries and re-asks included (four for each of
	// MaxSteps: 200; none where MaxSteps is none). It holds within a step, too, also
	// where an agent asks a model again without a limit of its own.
	MaxCalls int
	// MaxTransitions bounds all steps of a round (200).
	MaxTransitions int
	// MaxRepeats bounds how often in a row an agent may do the same on the same observation (10). A command with Looks
	// observes, all others act. Effects of package effects do not count.
	MaxRepeats int
	// MaxTokens bounds the input and output tokens of a round (none).
	MaxTokens int
	// MaxCost bounds what a round costs, in the unit of Price (none).
	MaxCost float64
	// MaxDuration bounds the time spent in Run and Steps (none), added up over all calls for the round, with a Recorder
	// those in other processes among them: one that stopped because of it goes on with a higher bound. It cancels what
	// is under way. Time without a bound does not count later.
	MaxDuration time.Duration
	// CallTimeout bounds each model call (5 minutes). After it the call fails with an [llm.CallError] of [llm.ErrSlow],
	// and may be made again. The wait of an [llm.Limit] does not count. Waits for people have bounds of their own.
	CallTimeout time.Duration
	// RequireAll ends a round that finished although its Result has a Partial as Failed, with ErrPartial.
	RequireAll bool

	// MaxSessionSteps, MaxSessionTokens and MaxSessionCost bound all rounds of a
	// session together (none). A Round of its own ignores them.
	MaxSessionSteps  int
	MaxSessionTokens int
	MaxSessionCost   float64

	// Price returns what a model call costs; model is the name that the response carries. Each attempt of an
	// [llm.Retry] or [llm.Fallback] is such a call. Where a middleware hides them they are priced by model, each with
	// its name; attempts of one model that follow one another are priced as their sum. What was cached is a part of the
	// input: who does not look at it prices it as input. Nil: calls cost nothing, and cost bounds never trip.
	Price func(model string, usage llm.Usage) float64

	// SuspendOn says which errors of a Handle only need time, such as a model's provider that is away: llm.Retryable.
	// The round then stops as Suspended where it stands, instead of ending in ERROR, and going on handles the state
	// again, with a Recorder also in another process. It is not asked after a command was sent that does not only look,
	// or an effect was done that no journal gives back: nobody knows what came of that. Nil: every error is a fault.
	SuspendOn func(err error) bool

	// Run is the id of the run that the rounds belong to, such as a key of the caller's own. It is in each Step and
	// Result, and RunID returns it from the contexts that agents get. durable.Open sets it to the id of the run.
	Run string

	// Observe is called with each step after it was taken, by the goroutine that drives the round. A panic in it is a
	// fault: a run whose observer is broken does not end as success. Nil costs nothing.
	Observe func(Step)
	// Redact returns text without what must not be shown. It is applied to every text in a Step, to reasons and to
	// error texts, after parameters that a tool's schema marks as secret are gone, and may be given what it returned.
	// It must be safe for concurrent use.
	Redact func(text string) string

	// Board is the blackboard that sub-tasks are recorded on. Nil: the first agent's, if it has a method Board, else a
	// new one; New refuses another one than the agent's. A blackboard belongs to one session: a round that ends closes
	// every sub-task that was opened on it meanwhile.
	Board *blackboard.Board

	// Recorder is told where the rounds stand, so that another process can go on with them; package durable sets its
	// own. The first agent must be a fsm.Saver, and so must those that it hands work to, which it must be able to make
	// again: see fsm.WorkerProvider. Nil costs nothing.
	Recorder Recorder
}
