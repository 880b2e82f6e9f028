package program

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// newPolicy is what may be done without asking, by the shell and with the file. The strictest word of the two holds.
func newPolicy(dir, file string) (policies.Func, error) {
	shell, err := shellpolicy.New(readOnly(dir))
	return policies.All(shell, askBeforeReplacing(file)), err
}

// readOnly lists commands that only read, and only files in dir. What is missing here is missing for a reason:
//
//   - awk, sed and find can run programs or write files by what their arguments say.
//   - sort has -o, and uniq a second argument: both write.
//   - tail has -f, which never ends.
//   - grep has -e, with which the first argument is no pattern but a file.
//   - Nothing sets a variable but f, so that no PATH and no IFS changes what the other words mean.
//   - No wildcard stands for names outside of dir, wherever it is: what prints its arguments, or names them in its
//     complaint, lists a directory as well as ls does.
//
// A line with anything else in it is not refused but asked about (AskUnlisted, AskUnclear), as a whole and as it will
// run. A link that somebody makes between the judgement and the command is not seen: others must not write in the folder.
func readOnly(dir string) shellpolicy.Config {
	in := []string{dir}
	return shellpolicy.Config{
		Dir: dir, Resolve: true, // a link in the folder does not lead out of it
		Wildcards:   in,
		Vars:        []string{"f"},
		AskUnlisted: true, AskUnclear: true,
		Rules: []shellpolicy.Rule{
			{Command: "ls", Flags: []string{"-1", "-l", "-a", "-h", "-p", "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "cat", Flags: []string{"--"}, Args: []string{"path..."}, Paths: in},
			{Command: "head", Flags: []string{"-n=number", "-c=number", "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "tail", Flags: []string{`-n=/\+?[0-9]+/`, `-c=/\+?[0-9]+/`, "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "wc", Flags: []string{"-l", "-c", "-w", "-m", "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "cut", Flags: []string{"-d=any", "-f=any", "-c=any", "-s", "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "sort", Flags: []string{"-n", "-r", "-u", "-t=any", "-k=any", "--"}, Args: []string{"path..."}, Paths: in},
			{Command: "grep", Flags: []string{"-c", "-h", "-i", "-l", "-n", "-v", "-F", "-E"}, Args: []string{"any", "path..."}, Paths: in},
			{Command: "tr", Flags: []string{"-d", "-s", "-c"}, Args: []string{"any", "any?"}},
			{Command: "test -f", Args: []string{"path"}, Paths: in},
			{Command: "uniq", Flags: []string{"-c", "-d", "-u"}}, // without files
			// It prints names of files, or a line break, and nothing of what is in them.
			{Command: "printf", Args: []string{"=%s//", "any..."}},
			{Command: "printf", Args: []string{`=\n`}},
		},
	}
}

// docs tell a language model what runs without asking.
const docs = `The working folder has the files of the task. Without asking you may use, on these files: ls, cat, head, tail,
wc, cut, sort, grep, tr, uniq (without files), test -f, and printf '%s//' with a pattern that begins with ./ to list names.
Write names of files between single quotes and with ./ in front. Everything else, awk and sed too, is shown to a person first.`

// askBeforeReplacing has a person approve that a file is replaced.
func askBeforeReplacing(path string) policies.Func {
	return func(_ context.Context, tool desktop.Tool, _ desktop.Command) policies.Verdict {
		if _, err := os.Stat(path); err == nil && tool.Name == "save_workbook" {
			return policies.Verdict{Action: policies.Confirm, Reason: path + " exists and would be replaced"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}

// reader is a person who reads the lines of a shell as they are typed. The question has the same line as JSON. A line
// with characters that a terminal may obey or hide is shown as JSON only.
type reader struct{ *person.Person }

func (r reader) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if q.Shown != nil {
		line, _ := q.Shown.Parameters["bash_command"].(string)
		if !strings.ContainsFunc(line, func(r rune) bool { return (r < ' ' || r > '~') && r != '\n' }) && line != "" {
			fmt.Fprintln(r.Out, "  | "+strings.ReplaceAll(line, "\n", "\n  | "))
		}
	}
	return r.Person.Ask(ctx, q)
}
