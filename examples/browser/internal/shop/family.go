package shop

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Process is one that this program started, or that such a one started.
type Process struct {
	PID, Parent int
	Name        string // of the program
	Command     string // with its arguments
	Begun       string // when, in the words of the system
}

// alive reports whether it has not ended.
func (p Process) alive() bool {
	now, ok := process(p.PID)
	return ok && now.same(p)
}

// kill ends it, when it has not ended yet.
func (p Process) kill() {
	if !p.alive() {
		return
	}
	if found, err := os.FindProcess(p.PID); err == nil {
		_ = found.Kill() // it may end meanwhile
	}
}

// family are the processes of a world: the servers, which this program started, with
// a folder of the world in their command lines, and all that those started, also when
// who started them has ended.
type family struct {
	marks []string // folders that nobody else has

	mu   sync.Mutex
	seen map[int]Process
}

// look notes those that are there now.
func (f *family) look() {
	now := processes()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[int]Process{}
	}
	for added := true; added; {
		added = false
		for pid, p := range now {
			if old := f.seen[pid]; old.same(p) {
				p.Parent = old.Parent // who started it, also when that one has ended
				f.seen[pid] = p       // it may be another program by now
				continue
			}
			parent, known := f.seen[p.Parent]
			if known && now[p.Parent].same(parent) || f.marked(p) {
				f.seen[pid], added = p, true
			}
		}
	}
}

// same reports whether it is one process, and not another that got its number.
func (p Process) same(o Process) bool { return p.PID == o.PID && p.Begun == o.Begun }

// marked reports whether it is a server: somebody else's program may have the name of
// a folder in its command line, too, and is none of ours.
func (f *family) marked(p Process) bool {
	return p.Parent == os.Getpid() && slices.ContainsFunc(f.marks, func(mark string) bool { return strings.Contains(p.Command, mark) })
}

// left are those that were seen and have not ended.
func (f *family) left() []Process {
	f.look()
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.Collect(maps.Values(f.seen))
	list = slices.DeleteFunc(list, func(p Process) bool { return !p.alive() })
	slices.SortFunc(list, func(a, b Process) int { return cmp.Compare(a.PID, b.PID) })
	return list
}

// Processes are those that the servers consist of and that have not ended, browsers
// included. It is empty where the system does not tell them.
func (w *World) Processes() []Process { return w.family.left() }

// Server is the process of the server of that name, and Browser those of the browser
// behind it.
func (w *World) Server(name string) (Process, bool) {
	mark := filepath.Join(w.folder, name)
	if name == Files {
		mark = w.out
	}
	all := w.Processes()
	i := slices.IndexFunc(all, func(p Process) bool { return p.Parent == os.Getpid() && strings.Contains(p.Command, mark) })
	if i < 0 {
		return Process{}, false
	}
	return all[i], true
}

// Browser are the processes that the server of that name started.
func (w *World) Browser(name string) []Process {
	server, ok := w.Server(name)
	if !ok {
		return nil
	}
	inside := map[int]bool{server.PID: true}
	all := w.Processes()
	var list []Process
	for added := true; added; {
		added = false
		for _, p := range all {
			if inside[p.Parent] && !inside[p.PID] {
				inside[p.PID], added = true, true
				list = append(list, p)
			}
		}
	}
	return list
}
