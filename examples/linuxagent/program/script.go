package program

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
	"github.com/agentfsm/agentfsm/fsm"
)

// script is a list of command lines that begins anew with each prompt: a line in the history has its output, and the
// first one that is not there is the reply.
type script struct {
	done []acting.MemoAction
	next fakemodel.Reply
	left []string // what takes no part, and why
}

// run returns what a line printed. It is false if the script stops here.
func (s *script) run(line, why string) (string, bool) {
	if s.next.Status != "" {
		return "", false
	}
	for _, act := range s.done {
		var in map[string]string
		if json.Unmarshal(act.Parameters, &in) != nil || in["bash_command"] != line {
			continue
		}
		var out struct {
			terminal.Output
			Ref string `json:"$ref"`
		}
		err := json.Unmarshal(act.Output, &out)
		switch {
		case act.Status == desktop.Failure:
			s.next = fakemodel.Fail("a command failed: %s", act.Error)
		case err != nil || out.Ref != "":
			s.next = fakemodel.Fail("a command printed more than I can keep in mind")
		}
		return out.Stdout, s.next.Status == ""
	}
	s.next = fakemodel.Reply{Status: fsm.Continue, Comment: why, Bash: line}
	return "", false
}

// each runs a line for several files, as many as the history shows whole, and calls see with what it printed for each.
func (s *script) each(files []string, most int, body, why string, see func(file, printed string)) {
	for len(files) > 0 && s.next.Status == "" {
		line := ""
		n := min(most, len(files))
		for ; n > 0; n-- {
			line = "for f in " + quoted(files[:n]) + "; do\n  " + body + "\n  printf '\\n'\ndone"
			if raw, err := json.Marshal(line); err == nil && len(raw) < acting.MaxOutput-64 {
				break
			}
		}
		if n == 0 {
			s.leave(files[0], "its name is too long")
			files = files[1:]
			continue
		}
		printed, ok := s.run(line, why)
		lines := strings.Split(strings.TrimSuffix(printed, "\n"), "\n")
		if ok && len(lines) != n {
			s.next = fakemodel.Fail("a command printed %d lines, not %d", len(lines), n)
		}
		for i := 0; ok && i < min(n, len(lines)); i++ {
			see(files[i], lines[i])
		}
		files = files[n:]
	}
}

func (s *script) leave(file, why string) {
	s.left = append(s.left, fmt.Sprintf("%.60q: %s", file, why))
}

// quoted writes names so that no shell reads them and none is a flag.
func quoted(files []string) string {
	var b strings.Builder
	for _, name := range files {
		b.WriteString(` './` + strings.ReplaceAll(name, `'`, `'\''`) + `'`)
	}
	return b.String()[1:]
}
