package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/round"
)

// details logs what happened in a step. Every record is asked for before it is
// made.
func (l *steps) details(s *round.Step) {
	for i := range s.Repairs {
		if l.log.Enabled(l.ctx, slog.LevelDebug) {
			l.log.LogAttrs(l.ctx, slog.LevelDebug, "reply repaired", append(l.head(s), l.text("agentfsm.repair", s.Repairs[i].String()))...)
		}
	}
	for _, reason := range s.Refused {
		if l.log.Enabled(l.ctx, slog.LevelWarn) {
			l.log.LogAttrs(l.ctx, slog.LevelWarn, "reply refused", append(l.head(s), l.text("agentfsm.reason", reason))...)
		}
	}
	for i := range s.Verdicts {
		l.verdict(s, &s.Verdicts[i])
	}
	for i := range s.Asks {
		l.ask(s, &s.Asks[i])
	}
	for i := range s.Commands {
		l.command(s, &s.Commands[i])
	}
	for _, phase := range s.Phases {
		if l.log.Enabled(l.ctx, slog.LevelDebug) {
			l.log.LogAttrs(l.ctx, slog.LevelDebug, "phase", append(l.head(s),
				slog.String("agentfsm.phase", phase.Name),
				slog.Duration("agentfsm.duration", phase.Duration))...)
		}
	}
}

// denied is the Action of a Verdict that keeps an act from being executed.
const denied = "deny"

func (l *steps) verdict(s *round.Step, v *round.Verdict) {
	level := slog.LevelInfo
	if v.Action == denied {
		level = slog.LevelWarn
	}
	if !l.log.Enabled(l.ctx, level) {
		return
	}
	l.log.LogAttrs(l.ctx, level, "verdict", append(l.head(s),
		slog.String("gen_ai.tool.name", v.Tool),
		slog.String("gen_ai.tool.call.id", v.CallID),
		slog.String("agentfsm.verdict", v.Action),
		l.text("agentfsm.reason", v.Reason))...)
}

func (l *steps) ask(s *round.Step, a *round.Ask) {
	level := slog.LevelInfo
	if a.Err != "" {
		level = slog.LevelWarn
	}
	if !l.log.Enabled(l.ctx, level) {
		return
	}
	list := append(l.head(s), slog.String("agentfsm.question.id", a.ID))
	if a.Command != nil {
		list = append(list, slog.String("gen_ai.tool.name", a.Command.ToolName), slog.Bool("agentfsm.question.approved", a.Answer.Approved))
	}
	if l.content {
		list = append(list, l.text("agentfsm.question.text", a.Text), l.text("agentfsm.question.answer", a.Answer.Text))
	}
	if a.Err != "" {
		list = append(list, l.text("exception.message", a.Err))
	}
	l.log.LogAttrs(l.ctx, level, "question", list...)
}

func (l *steps) command(s *round.Step, c *round.Command) {
	level := slog.LevelDebug
	if c.Err != "" {
		level = slog.LevelWarn
	}
	if !l.log.Enabled(l.ctx, level) {
		return
	}
	list := append(l.head(s),
		slog.String("gen_ai.operation.name", "execute_tool"),
		slog.String("gen_ai.tool.name", c.Command.ToolName),
		slog.String("gen_ai.tool.call.id", c.Command.CallID),
		slog.Bool("agentfsm.command.looks", c.Command.Looks),
		slog.String("agentfsm.command.status", string(c.Result.Status)),
		slog.Duration("agentfsm.duration", c.Duration))
	if problem := c.Err + c.Result.Error; problem != "" { // never both
		list = append(list, l.text("exception.message", problem))
	}
	if l.content {
		list = append(list,
			l.text("gen_ai.tool.call.arguments", arguments(c.Command.Parameters)),
			l.text("gen_ai.tool.call.result", result(c.Result.Content)))
	}
	l.log.LogAttrs(l.ctx, level, "command", list...)
}

// arguments are parameters as a model writes them.
func arguments(parameters map[string]any) string {
	raw, err := json.Marshal(parameters)
	if err != nil {
		return fmt.Sprintf("(no JSON: %d parameters)", len(parameters))
	}
	return string(raw)
}

// result joins the pieces of a result, whose images are texts already.
func result(content []desktop.Content) string {
	pieces := make([]string, len(content))
	for i, c := range content {
		pieces[i] = c.Text + string(c.JSON)
	}
	return strings.Join(pieces, "\n")
}

// other is OpenTelemetry's error.type for what has no better one.
const other = "_OTHER"

// typeOf names the first error in the chain that has an exported type, as
// *round.PanicError: that is one that somebody can look for.
func typeOf(err error) (name string) {
	defer func() {
		if recover() != nil { // an error whose Unwrap panics, such as a nil pointer in an interface
			name = other
		}
	}()
	if name := exported(err); name != "" {
		return name
	}
	return other
}

func exported(err error) string {
	for err != nil {
		name := fmt.Sprintf("%T", err)
		if _, typ, ok := strings.Cut(name, "."); ok && typ != "" && unicode.IsUpper(rune(typ[0])) {
			return name
		}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range several.Unwrap() {
				if name := exported(e); name != "" {
					return name
				}
			}
			return ""
		}
		err = errors.Unwrap(err)
	}
	return ""
}
