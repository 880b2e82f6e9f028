package shellpolicy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// MaxLine is how long a command line may be, in bytes.
const MaxLine = 64 << 10

// policy is the policies.Func.
func (s *shell) policy(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	parameter, concerned := s.tools[cmd.ToolName]
	if !concerned {
		return policies.Verdict{Action: policies.Allow}
	}
	deny := func(reason string) policies.Verdict {
		return policies.Verdict{Action: policies.Deny, Reason: reason}
	}
	// As the tool gets it: parameters may hold any Go value that JSON can hold.
	raw, err := json.Marshal(cmd.Parameters)
	var parameters map[string]any
	if err != nil || json.Unmarshal(raw, &parameters) != nil {
		return deny("its parameters cannot be read")
	}
	line, ok := cmd.Parameters[parameter].(string) // JSON would mend what is not UTF-8
	if !ok {
		line, ok = parameters[parameter].(string)
	}
	if !ok {
		return deny("it has no command line in " + strconv.Quote(parameter))
	}
	for name := range parameters {
		if name != parameter && !slices.Contains(s.parameters, name) {
			return deny("it has another parameter than the command line, which may change what the line means")
		}
	}
	v := s.judge(ctx, line)
	if v.Reason != "" && isSecret(tool, cmd) {
		v.Reason = "the command line, which is a secret, is not allowed by the list"
	}
	return v
}

// isSecret reports whether something in the parameters may not be quoted.
func isSecret(tool desktop.Tool, cmd desktop.Command) bool {
	box, err := desktop.NewToolbox([]desktop.Tool{tool}, desktop.LeaveToTool)
	return err != nil || tool.Name != cmd.ToolName || len(box.Secrets(cmd)) > 0
}

// judge judges one command line.
func (s *shell) judge(ctx context.Context, line string) (v policies.Verdict) {
	j := &judge{shell: s, line: line, ended: ctx.Err, loop: map[string]word{}, set: map[string]word{}, surely: map[*syntax.CallExpr]bool{}}
	defer func() {
		// A parser that panics has not understood the line.
		if recover() != nil {
			v = policies.Verdict{Action: policies.Deny, Reason: "the command line cannot be read"}
		}
	}()
	j.read()
	return j.verdict()
}

// judge is one look at one command line.
type judge struct {
	*shell
	line     string
	ended    func() error              // whether the call has
	loop     map[string]word           // what for has set, around the place that is looked at
	set      map[string]word           // what the line has set for good, before this place
	times    map[string]int            // how often the line sets a variable
	surely   map[*syntax.CallExpr]bool // what runs in any case
	found    []finding
	judged   int
	work     int
	depth    int
	fed      bool // the line itself may write to the standard input, here
	finished bool // no need to look further
}

type finding struct {
	severity severity
	text     string
}

type severity int

const (
	unlisted severity = iota
	unclear
	broken
)

func (j *judge) add(s severity, pos syntax.Pos, format string, args ...any) {
	if j.finished {
		return
	}
	text := fmt.Sprintf(format, args...)
	if pos.Line() > 1 {
		text = fmt.Sprintf("line %d: %s", pos.Line(), text)
	}
	f := finding{s, text}
	if slices.Contains(j.found, f) {
		return
	}
	if len(j.found) == maxFound {
		f, j.finished = finding{broken, "there is too much to judge"}, true
	}
	if len(j.found) <= maxFound {
		j.found = append(j.found, f)
	}
}

// verdict is deny when one of the findings is, else confirm, else allow. At most
// three of the strictest are the reason.
func (j *judge) verdict() policies.Verdict {
	v := policies.Verdict{Action: policies.Allow}
	var reasons []string
	for _, f := range j.found {
		action := policies.Deny
		if f.severity == unlisted && j.askUnlisted || f.severity == unclear && j.askUnclear {
			action = policies.Confirm
		}
		if action == v.Action {
			reasons = append(reasons, f.text)
		} else if v.Action != policies.Deny {
			v.Action, reasons = action, []string{f.text}
		}
	}
	if more := len(reasons) - 3; more > 0 {
		reasons = append(reasons[:3], fmt.Sprintf("and %d more", more))
	}
	v.Reason = strings.Join(reasons, "; ")
	return v
}

func (j *judge) read() {
	if len(j.line) > MaxLine {
		j.add(broken, syntax.Pos{}, "the command line is longer than %d bytes", MaxLine)
		return
	}
	if !utf8.ValidString(j.line) {
		j.add(broken, syntax.Pos{}, "the command line is not UTF-8")
		return
	}
	for _, r := range j.line {
		if r != '\n' && r != '\t' && r != ' ' && (unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)) {
			j.add(broken, syntax.Pos{}, "the command line has the character %U, which is not what it looks like", r)
			return
		}
	}
	if opens(j.line) > maxOpen {
		j.add(broken, syntax.Pos{}, "the command line has more than %d brackets", maxOpen)
		return
	}
	text := reader{strings.NewReader(j.line), j.ended}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(text, "")
	if !j.spend(syntax.Pos{}, 0) {
		return
	}
	if err != nil {
		j.add(broken, syntax.Pos{}, "the command line cannot be read: %s", quote(err.Error()))
		return
	}
	j.comments(file)
	j.count(file)
	for _, s := range file.Stmts {
		j.sure(s)
		j.stmt(s)
	}
}

// comments are nothing to the shell, if it agrees that they are comments.
func (j *judge) comments(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			at := int(c.Hash.Offset())
			apart := at == 0 || at < len(j.line) && strings.IndexByte(" \t\n;", j.line[at-1]) >= 0
			if !apart || strings.Contains(c.Text, "\n") || strings.HasSuffix(c.Text, `\`) {
				j.add(broken, c.Hash, "what is behind a # may be a comment, or not")
			}
		}
		return true
	})
}
