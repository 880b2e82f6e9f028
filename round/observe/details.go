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

// write logs a record of a step. A level that is off costs nothing: attrs is not called.
func (l *steps) write(level slog.Level, message string, s *round.Step, attrs func() []slog.Attr) {
	if l.log.Enabled(l.ctx, level) {
		l.log.LogAttrs(l.ctx, level, message, append(l.head(s), attrs()...)...)
	}
}

// levelIf is WARN if something is wrong.
func levelIf(wrong bool, level slog.Level) slog.Level {
	if wrong {
		return slog.LevelWarn
	}
	return level
}

// details logs what happened in a step.
func (l *steps) details(s *round.Step) {
	for _, repair := range s.Repairs {
		l.write(slog.LevelDebug, "reply repaired", s, func() []slog.Attr { return []slog.Attr{l.text("agentfsm.repair", repair.String())} })
	}
	for _, reason := range s.Refused {
		l.write(slog.LevelWarn, "reply refused", s, func() []slog.Attr { return []slog.Attr{l.text("agentfsm.reason", reason)} })
	}
	for _, v := range s.Verdicts {
		l.write(levelIf(v.Action == "deny", slog.LevelInfo), "verdict", s, func() []slog.Attr {
			return []slog.Attr{
				slog.String("gen_ai.tool.name", v.Tool), slog.String("gen_ai.tool.call.id", v.CallID),
				slog.String("agentfsm.verdict", v.Action), l.text("agentfsm.reason", v.Reason),
			}
		})
	}
	for i := range s.Asks {
		a := &s.Asks[i]
		l.write(levelIf(a.Err != "", slog.LevelInfo), "question", s, func() []slog.Attr { return l.ask(a) })
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		l.write(levelIf(c.Err != "", slog.LevelDebug), "command", s, func() []slog.Attr { return l.command(c) })
	}
	for _, phase := range s.Phases {
		l.write(slog.LevelDebug, "phase", s, func() []slog.Attr {
			return []slog.Attr{slog.String("agentfsm.phase", phase.Name), slog.Duration("agentfsm.duration", phase.Duration)}
		})
	}
}

func (l *steps) ask(a *round.Ask) []slog.Attr {
	list := []slog.Attr{slog.String("agentfsm.question.id", a.ID)}
	if a.Command != nil {
		list = append(list, slog.String("gen_ai.tool.name", a.Command.ToolName), slog.Bool("agentfsm.question.approved", a.Answer.Approved))
	}
	if l.content {
		list = append(list, l.text("agentfsm.question.text", a.Text), l.text("agentfsm.question.answer", a.Answer.Text))
	}
	if a.Err != "" {
		list = append(list, l.text("exception.message", a.Err))
	}
	return list
}

func (l *steps) command(c *round.Command) []slog.Attr {
	list := []slog.Attr{
		slog.String("gen_ai.operation.name", "execute_tool"),
		slog.String("gen_ai.tool.name", c.Command.ToolName),
		slog.String("gen_ai.tool.call.id", c.Command.CallID),
		slog.Bool("agentfsm.command.looks", c.Command.Looks),
		slog.String("agentfsm.command.status", string(c.Result.Status)),
		slog.Duration("agentfsm.duration", c.Duration),
	}
	if problem := c.Err + c.Result.Error; problem != "" { // never both
		list = append(list, l.text("exception.message", problem))
	}
	if l.content {
		list = append(list,
			l.text("gen_ai.tool.call.arguments", arguments(c.Command.Parameters)),
			l.text("gen_ai.tool.call.result", result(c.Result.Content)))
	}
	return list
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
