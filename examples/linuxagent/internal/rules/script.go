package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
	"github.com/agentfsm/agentfsm/fsm"
)

// script runs command lines, in its mind: those of the history have their output,
// and the first that is not there is what comes next.
type script struct {
	done   []acting.MemoAction
	next   linux.Decision // set by the first line that was not run, or that failed
	notes  []string       // what was left out
	stderr string         // the first line that went there
}

func (s *script) stopped() bool { return s.next.Status != "" }

// output is what a command line printed, as the history shows it.
type output struct {
	terminal.Output
	Ref string `json:"$ref"` // it was too long for a prompt
}

// run returns what a line printed; whole says that all of it is in the history. ok is
// false when the script stops here.
func (s *script) run(line, why string) (out output, whole, ok bool) {
	if s.stopped() {
		return out, false, false
	}
	for _, a := range s.done {
		var parameters map[string]string
		if json.Unmarshal(a.Parameters, &parameters) != nil || parameters["bash_command"] != line {
			continue
		}
		if a.Status != "" {
			s.next = giveUp(broken + a.Error)
			return out, false, false
		}
		if err := json.Unmarshal(a.Output, &out); err != nil {
			s.next = giveUp(fmt.Sprintf("rules: what run_shell returned: %v", err))
			return out, false, false
		}
		if first, _, _ := strings.Cut(out.Stderr, "\n"); s.stderr == "" {
			s.stderr = first
		}
		return out, out.Ref == "", true
	}
	s.next = linux.Decision{Status: fsm.Continue, Comment: why, Bash: line}
	return out, false, false
}

// page is how many bytes of a list are read at once: more than the longest name,
// and little enough to be whole in a prompt even where each byte is escaped.
const page = 300

// list returns the names of the CSV files. No name has a slash, so that two of them
// stand between names whatever these are.
func (s *script) list() (files []string) {
	const none = "./*.[cC][sS][vV]" // the pattern itself: nothing matches
	for at := 1; ; {
		line := fmt.Sprintf(`printf '%%s//' %s | tail -c +%d | head -c %d`, none, at, page)
		out, whole, ok := s.run(line, "I have to know which files there are.")
		if !ok {
			return nil
		}
		end := strings.LastIndex(out.Stdout, "//")
		switch {
		case !whole, out.Note != "": // bytes that are no text: where a name ends cannot be counted
			s.next = giveUp("the folder has a file whose name is not UTF-8, and I cannot write it")
			return nil
		case end < 0:
			return files
		}
		for name := range strings.SplitSeq(out.Stdout[:end], "//") {
			switch name = strings.TrimPrefix(name, "./"); {
			case "./"+name == none:
			case !sayable(name):
				s.leave(name, "its name has characters that no command line may have")
			default:
				files = append(files, name)
			}
		}
		if len(out.Stdout) < page {
			return files
		}
		at += end + len("//")
	}
}

// leave notes that a file does not take part.
func (s *script) leave(name, why string) { s.notes = append(s.notes, short(name)+": "+why) }

// sayable reports whether a name can be written into a command line that the
// policy reads: it refuses what does not look like what it is.
func sayable(name string) bool {
	for _, r := range name {
		if r == utf8.RuneError || r != '\n' && r != '\t' && r != ' ' && (unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)) {
			return false
		}
	}
	return true
}

// quoted is a file as an argument: not a flag, and read by no shell.
func quoted(name string) string {
	return `'./` + strings.ReplaceAll(name, `'`, `'\''`) + `'`
}

// maxLine is how long a line may be, as JSON, so that the history has it whole.
const maxLine = acting.MaxOutput - 64

// each makes lines that do the same for several files, as many as there is room
// for. A file that has no room even alone is left out.
func (s *script) each(files []string, most int, write func(files []string) string, do func(line string, batch []string)) {
	for len(files) > 0 && !s.stopped() {
		n := min(most, len(files))
		line := write(files[:n])
		for ; n > 1 && !fits(line); line = write(files[:n]) {
			n--
		}
		if fits(line) {
			do(line, files[:n])
		} else {
			s.leave(files[0], "its name is too long")
		}
		files = files[n:]
	}
}

// loop writes lines that do something with $f for each file, and print a line break
// behind that, whatever becomes of it.
func loop(body string) func(files []string) string {
	return func(files []string) string {
		return "for f in " + arguments(files) + "; do\n  " + body + "\n  printf '\\n'\ndone"
	}
}

func arguments(files []string) string {
	list := make([]string, len(files))
	for i, name := range files {
		list[i] = quoted(name)
	}
	return strings.Join(list, " ")
}

func fits(line string) bool {
	raw, err := json.Marshal(line)
	return err == nil && len(raw) <= maxLine
}

// lines returns one line for each file, if that is what was printed.
func lines(out output, whole bool, files []string) ([]string, bool) {
	list := strings.Split(strings.TrimSuffix(out.Stdout, "\n"), "\n")
	return list, whole && len(list) == len(files)
}
