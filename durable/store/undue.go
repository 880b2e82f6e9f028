package store

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// undue remembers the marks that had no Due, such as those of ended runs. A query by Due, which a service repeats at each
// poll, reads such a mark again only if its file or its journal has changed.
type undue struct {
	mu    sync.Mutex
	marks map[string]undueMark // by run
}

type undueMark struct {
	file fs.FileInfo
	size int64 // of the journal
}

// settled is how old a file must be before its time tells it from the next one: the clock of a file system is coarse.
const settled = time.Second

// has reports whether the mark of a run still has no Due. now is the file of the mark, nil if there is none.
func (u *undue) has(run sized, now fs.FileInfo) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	m, ok := u.marks[run.id]
	return ok && now != nil && m.size == run.size && os.SameFile(m.file, now) &&
		m.file.ModTime().Equal(now.ModTime()) && m.file.Size() == now.Size()
}

// set records the mark that was read after its file was now.
func (u *undue) set(run sized, now fs.FileInfo, mark *Mark) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if mark.Seq == 0 || mark.Behind || !mark.Due.IsZero() || now == nil || time.Since(now.ModTime()) < settled {
		delete(u.marks, run.id)
		return
	}
	if u.marks == nil {
		u.marks = map[string]undueMark{}
	}
	u.marks[run.id] = undueMark{now, run.size}
}

// trim drops all marks if they are many more than the n runs that there are: other processes delete runs, too.
func (u *undue) trim(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.marks) > 2*n {
		clear(u.marks)
	}
}
