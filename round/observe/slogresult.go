package observe

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/round"
)

// SlogResult returns a func that logs what a round came to; nil means slog.Default() at the time of the call. It
// belongs behind Run: a round that reached a bound, was suspended or was cancelled has no step that says so, and [Slog]
// sees steps alone. The package comment has its levels, messages and attributes. The answer and the data of sub-tasks
// are not logged. It is safe for concurrent use.
func SlogResult(logger *slog.Logger, opts *SlogOptions) func(round.Result) {
	return newSteps(logger, opts).result
}

func (l *steps) result(res round.Result) {
	level, message := endOf(res.Outcome)
	if !l.log.Enabled(l.ctx, level) {
		return
	}
	list := append(l.place(res.Run, res.Round),
		slog.String("agentfsm.outcome", outcome(res.Outcome)),
		slog.String("gen_ai.agent.name", res.Agent),
		slog.String("agentfsm.status", string(res.Status)))
	if res.Reason != "" {
		list = append(list, l.text("agentfsm.reason", res.Reason))
	}
	if res.Err != nil {
		list = append(list, slog.String("error.type", typeOf(causeOf(res.Err))), l.text("exception.message", res.Err.Error()))
	}
	list = append(list, l.proven(&res)...)
	list = append(list,
		slog.Int("agentfsm.round.steps", res.Steps),
		slog.Int("agentfsm.round.transitions", res.Transitions),
		slog.Int("agentfsm.round.calls", res.Calls),
		slog.Int("agentfsm.round.input_tokens", res.Usage.InputTokens),
		slog.Int("agentfsm.round.output_tokens", res.Usage.OutputTokens))
	list = parts(list, res.Usage, "agentfsm.round.cache_read_tokens", "agentfsm.round.cache_creation_tokens", "agentfsm.round.reasoning_tokens")
	if res.Cost != 0 {
		list = append(list, slog.Float64("agentfsm.round.cost", res.Cost))
	}
	l.log.LogAttrs(l.ctx, level, message, list...)
}

// proven says how far an answer can be trusted.
func (l *steps) proven(res *round.Result) (list []slog.Attr) {
	if found := res.Verified; found != nil {
		list = append(list, slog.String("agentfsm.verified", string(found.Verdict)))
		if found.By != "" {
			list = append(list, l.text("agentfsm.verified.by", found.By))
		}
		if found.Evidence != "" {
			list = append(list, l.text("agentfsm.verified.evidence", found.Evidence))
		}
	}
	if len(res.Partial) > 0 {
		parts := make([]string, len(res.Partial))
		for i, p := range res.Partial {
			parts[i] = strings.TrimSuffix(strings.TrimSpace(p.ID+" "+strconv.Quote(p.Task))+" "+p.Status+": "+p.Reason, ": ")
		}
		list = append(list, slog.Int("agentfsm.partial", len(parts)), l.text("agentfsm.partial.parts", strings.Join(parts, "; ")))
	}
	return list
}

// endOf says how much an outcome matters to whoever reads the log, and whether the round can go on.
func endOf(o round.Outcome) (level slog.Level, message string) {
	switch o {
	case round.Finished:
		return slog.LevelInfo, "round ended"
	case round.Failed:
		return slog.LevelWarn, "round ended"
	case round.Lost:
		return slog.LevelError, "round stopped" // here
	case round.OverBudget, round.Cancelled:
		return slog.LevelWarn, "round stopped"
	case round.Suspended, round.Unfinished:
		return slog.LevelInfo, "round stopped"
	case round.Faulted:
	}
	return slog.LevelError, "round ended" // also what no round makes
}

func outcome(o round.Outcome) string {
	if o == round.Unfinished {
		return "UNFINISHED"
	}
	return string(o)
}

// causeOf returns what is behind the error of a Run, which says no more than the outcome does, or that error itself.
func causeOf(err error) error {
	if e, ok := errors.AsType[*round.Error](err); ok && e.Err != nil {
		return e.Err
	}
	return err
}
