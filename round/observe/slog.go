package observe

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// maxText bounds each text in a record, in bytes.
const maxText = 1 << 10

// SlogOptions configure [Slog] and [SlogResult]. Nil and the zero value are the defaults.
type SlogOptions struct {
	// Content adds what commands were given and returned, and what people were asked and answered. It is redacted, and
	// may yet be more than a log should have.
	Content bool
	// Context is what the handler gets, for the ids of traces in it. Nil:
	// context.Background(). That it is cancelled changes nothing.
	Context context.Context //nolint:containedctx // an observer gets none, and a handler takes its trace from one
}

// Slog returns an observer that logs steps; nil means slog.Default() at the time of the call. The package comment has
// its levels, messages and attributes. It is safe for concurrent use.
func Slog(logger *slog.Logger, opts *SlogOptions) func(round.Step) {
	return newSteps(logger, opts).step
}

func newSteps(logger *slog.Logger, opts *SlogOptions) *steps {
	if opts == nil {
		opts = &SlogOptions{}
	}
	return &steps{log: cmp.Or(logger, slog.Default()), content: opts.Content, ctx: cmp.Or(opts.Context, context.Background())}
}

// steps logs steps.
type steps struct {
	log     *slog.Logger
	content bool
	ctx     context.Context //nolint:containedctx // see SlogOptions.Context
}

// attrs is enough room for every record. It must not be made before the level is known to be on.
const attrs = 26

func (l *steps) step(s round.Step) {
	l.details(&s)
	level, message := levelOf(&s), "transition"
	if level == slog.LevelError {
		message = "fault"
	}
	if l.log.Enabled(l.ctx, level) {
		l.log.LogAttrs(l.ctx, level, message, l.transition(&s)...)
	}
}

// levelOf says how much a transition matters to whoever reads the log.
func levelOf(s *round.Step) slog.Level {
	switch {
	case s.Err != nil || s.By == fsm.ByFault:
		return slog.LevelError
	case s.To == fsm.Fail, s.From == fsm.Fail, s.By == fsm.ByTimeout:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func (l *steps) transition(s *round.Step) []slog.Attr {
	list := l.head(s)
	list = append(list,
		slog.String("agentfsm.agent.kind", s.Kind),
		slog.String("agentfsm.from", string(s.From)),
		slog.String("agentfsm.to", string(s.To)),
		slog.String("agentfsm.by", s.By.String()))
	if s.NextAgent != s.Agent {
		list = append(list, slog.String("agentfsm.next.agent.name", s.NextAgent))
	}
	if s.Reason != "" {
		list = append(list, l.text("agentfsm.reason", s.Reason))
	}
	if s.Err != nil {
		list = append(list, slog.String("error.type", typeOf(s.Err)), l.text("exception.message", s.Err.Error()))
	}
	if s.Attempts > 1 {
		list = append(list, slog.Int("agentfsm.attempts", s.Attempts))
	}
	if s.Calls > 0 {
		list = append(list,
			slog.Int("agentfsm.calls", s.Calls),
			slog.String("gen_ai.response.model", s.Model),
			slog.Int("gen_ai.usage.input_tokens", s.Usage.InputTokens),
			slog.Int("gen_ai.usage.output_tokens", s.Usage.OutputTokens))
		list = parts(list, s.Usage, "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.reasoning.output_tokens")
	}
	if s.Cost != 0 {
		list = append(list, slog.Float64("agentfsm.cost", s.Cost))
	}
	if s.Duration > 0 {
		list = append(list, slog.Duration("agentfsm.duration", s.Duration))
	}
	return subtasks(list, s.Progress)
}

func subtasks(list []slog.Attr, t round.Progress) []slog.Attr {
	if t == (round.Progress{}) {
		return list
	}
	if t.Current != "" {
		list = append(list, slog.String("agentfsm.subtask.id", t.Current))
	}
	return append(list,
		slog.Int("agentfsm.subtasks.opened", t.Opened),
		slog.Int("agentfsm.subtasks.finished", t.Finished),
		slog.Int("agentfsm.subtasks.failed", t.Failed),
		slog.Int("agentfsm.subtasks.planned", t.Planned))
}

// head starts the attributes of a record: those that all have.
func (l *steps) head(s *round.Step) []slog.Attr {
	return append(l.place(s.Run, s.Round),
		slog.Int("agentfsm.step", s.Seq),
		slog.String("gen_ai.agent.name", s.Agent))
}

// place starts the attributes of a record with the run and the round, if there are any.
func (l *steps) place(run string, round int) []slog.Attr {
	list := make([]slog.Attr, 0, attrs)
	if run != "" {
		list = append(list, slog.String("agentfsm.run.id", run))
	}
	if round != 0 {
		list = append(list, slog.Int("agentfsm.round", round))
	}
	return list
}

func (l *steps) text(key, text string) slog.Attr {
	return slog.String(key, clip.Text(text, maxText))
}

// parts adds the tokens that a provider read from its cache and wrote into it, and those of thoughts.
func parts(list []slog.Attr, used llm.Usage, read, written, reasoning string) []slog.Attr {
	for _, part := range []struct {
		key    string
		tokens int
	}{{read, used.CacheReadTokens}, {written, used.CacheCreationTokens}, {reasoning, used.ReasoningTokens}} {
		if part.tokens != 0 {
			list = append(list, slog.Int(part.key, part.tokens))
		}
	}
	return list
}

// All returns an observer that calls these, in their order; nil ones are left out. A panic of one is not caught: it is
// the round's fault, and those behind it do not see that step. So what must be kept comes first. Without any, it is
// nil, and nobody observes.
func All(observers ...func(round.Step)) func(round.Step) {
	list := slices.DeleteFunc(slices.Clone(observers), func(f func(round.Step)) bool { return f == nil })
	if len(list) == 0 {
		return nil
	}
	return func(s round.Step) {
		for _, f := range list {
			f(s)
		}
	}
}
