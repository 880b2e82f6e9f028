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

const (
	maxWork  = 50_000 // commands and words, loops unrolled; a long word counts as several
	maxFound = 50     // things to say about one line
	maxOpen  = 8_000  // opening brackets, quoted or not: the parser calls itself for each
)

// policy is the policies.Func.
func (l *list) policy(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	parameter, concerned := l.Tools[cmd.ToolName]
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
		if name != parameter && !slices.Contains(l.Parameters, name) {
			return deny("it has another parameter than the command line, which may change what the line means")
		}
	}
	v := l.judge(ctx, line)
	if v.Reason != "" && isSecret(tool, cmd) {
		v.Reason = "the command line, which is a secret, is not allowed by the list"
	}
	return v
}

// isSecret reports whether a reason may not quote the parameters.
func isSecret(tool desktop.Tool, cmd desktop.Command) bool {
	box, err := desktop.NewToolbox([]desktop.Tool{tool}, desktop.LeaveToTool)
	return err != nil || tool.Name != cmd.ToolName || len(box.Secrets(cmd)) > 0
}

// judge judges one command line.
func (l *list) judge(ctx context.Context, line string) (v policies.Verdict) {
	j := &judge{list: l, line: line, ended: ctx.Err, values: map[string]word{}, times: map[string]int{}}
	defer func() {
		if recover() != nil { // a parser that panics has not understood the line
			v = policies.Verdict{Action: policies.Deny, Reason: "the command line cannot be read"}
		}
	}()
	j.read()
	return j.verdict()
}

// judge is one look at one command line.
type judge struct {
	*list
	line     string
	ended    func() error    // whether the call has
	values   map[string]word // of variables, at the place that is looked at
	times    map[string]int  // how often the line sets a variable
	found    []finding
	work     int
	fed      bool // the line itself may write to the standard input here
	finished bool // nothing else is looked at
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
	j.found = append(j.found, f)
}

// stop says why nothing else is looked at. What was not looked at is denied.
func (j *judge) stop(pos syntax.Pos, why string) {
	j.add(broken, pos, "%s", why)
	j.finished = true
}

// spend counts what looking at a word, or at so many bytes, costs. It reports whether to go on.
func (j *judge) spend(pos syntax.Pos, bytes int) bool {
	j.work += 1 + bytes/16
	switch {
	case j.finished:
	case j.ended() != nil:
		j.stop(pos, "the call ended before all of it was judged")
	case j.work > maxWork:
		j.stop(pos, "there is too much to judge")
	}
	return !j.finished
}

// verdict is deny if one of the findings is, else confirm, else allow. At most three of the strictest are the reason.
func (j *judge) verdict() policies.Verdict {
	v := policies.Verdict{Action: policies.Allow}
	var reasons []string
	for _, f := range j.found {
		action := policies.Deny
		if f.severity == unlisted && j.AskUnlisted || f.severity == unclear && j.AskUnclear {
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

// unreadable says why a line is not given to the parser; "" if it is.
func (j *judge) unreadable() string {
	brackets := 0
	for _, c := range "({[`" {
		brackets += strings.Count(j.line, string(c))
	}
	switch {
	case len(j.line) > MaxLine:
		return fmt.Sprintf("the command line is longer than %d bytes", MaxLine)
	case !utf8.ValidString(j.line):
		return "the command line is not UTF-8"
	case brackets > maxOpen:
		return fmt.Sprintf("the command line has more than %d brackets", maxOpen)
	}
	for _, r := range j.line {
		if r != '\n' && r != '\t' && r != ' ' && (unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)) {
			return fmt.Sprintf("the command line has the character %U, which is not what it looks like", r)
		}
	}
	return ""
}

func (j *judge) read() {
	if problem := j.unreadable(); problem != "" {
		j.stop(syntax.Pos{}, problem)
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(j.line), "")
	if !j.spend(syntax.Pos{}, 0) {
		return
	}
	if err != nil {
		j.add(broken, syntax.Pos{}, "the command line cannot be read: %s", quote(err.Error()))
		return
	}
	j.survey(file)
	for _, s := range file.Stmts {
		j.stmt(s, true)
	}
}

// survey counts how often a line sets each variable, and looks at its comments. What sets a variable in another way (read,
// declare, arithmetic) is on no list, or unclear.
func (j *judge) survey(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				j.times[n.Name.Value]++
			}
		case *syntax.WordIter:
			j.times[n.Name.Value]++
		case *syntax.Redirect:
			if n.N != nil {
				j.times[strings.Trim(n.N.Value, "{}")]++
			}
		case *syntax.Comment:
			// Shell and parser must agree that it is one.
			at := int(n.Hash.Offset())
			apart := at == 0 || at < len(j.line) && strings.IndexByte(" \t\n;", j.line[at-1]) >= 0
			if !apart || strings.Contains(n.Text, "\n") || strings.HasSuffix(n.Text, `\`) {
				j.add(broken, n.Hash, "what is behind a # may be a comment, or not")
			}
		}
		return true
	})
}
