package shellpolicy

import (
	"fmt"
	"path"
	"strings"

	"github.com/agentfsm/agentfsm/policies"
)

// places are directories with what is in them. What is in /dev and /proc is in no directory above them: a file there
// is a device, or the memory and the variables of another process.
type places struct {
	dirs    *policies.Roots
	kernel  *policies.Roots // /dev and /proc
	own     *policies.Roots // those of dirs that are in there
	resolve bool
}

func newPlaces(field string, dirs []string, opts *policies.RootOptions) (*places, error) {
	p := &places{resolve: opts.Resolve}
	var err error
	if p.dirs, err = policies.NewRoots(dirs, opts); err != nil {
		return nil, &ConfigError{field, strings.Join(dirs, " "), err}
	}
	// By their letters: /dev/stdin itself is a link.
	if p.kernel, err = policies.NewRoots([]string{"/dev", "/proc"}, &policies.RootOptions{Base: opts.Base, Plain: true}); err != nil {
		return nil, &ConfigError{"Dir", opts.Base, err}
	}
	var own []string
	for _, dir := range dirs {
		if p.kernel.Problem(dir) == "" {
			own = append(own, dir)
		}
	}
	if p.own, err = policies.NewRoots(own, opts); err != nil {
		return nil, &ConfigError{field, strings.Join(own, " "), err}
	}
	return p, nil
}

// problem says why a file may not be used.
func (p *places) problem(name string) string {
	problem := p.dirs.Problem(name)
	if problem == "" {
		problem = elsewhere(name)
	}
	if problem != "" || path.Clean(name) == "/dev/null" || p.kernel.Problem(name) != "" || p.own.Problem(name) == "" {
		return problem
	}
	return "is in /dev or /proc, which must be on the list themselves"
}

// elsewhere says why a relative name may be something else to the command that gets it: rsync, scp, tar and git take
// host:x for a file on another machine, dd takes if=x, gcc takes @x, curl takes file:x.
func elsewhere(name string) string {
	first, _, _ := strings.Cut(name, "/")
	var sign, what string
	switch {
	case strings.Contains(first, ":"):
		sign, what = ":", "a file on another machine, or a URL"
	case strings.LastIndex(first, "=") > 0:
		sign, what = "=", "a setting"
	case strings.Contains(first, "@"):
		sign, what = "@", "a user, or a file with options"
	case strings.HasPrefix(first, "$"):
		sign, what = "$", "a variable"
	default:
		return ""
	}
	return fmt.Sprintf("has %q before its first slash, which some commands take for %s; write ./ in front of it", sign, what)
}

// wordProblem is problem for what a word may become. With wildcards it must be in a directory by what is in front of
// them, and have nothing behind them that leads out.
func (p *places) wordProblem(w word) string {
	switch {
	case !w.glob:
		return p.problem(w.text)
	case p.resolve:
		return "has wildcards, which may lead through links"
	case !strings.Contains(w.prefix, "/"): // a*: a file may be called a:b
		return "may become a name that some commands take for something else; write " + quote("./"+w.text)
	}
	dir := w.prefix[:strings.LastIndexByte(w.prefix, '/')+1]
	for _, name := range []string{"", "dev", "proc"} {
		if problem := p.problem(dir + name); problem != "" {
			return problem
		}
	}
	return p.problem(strings.NewReplacer("*", "x", "?", "x", "[", "x").Replace(w.text))
}
