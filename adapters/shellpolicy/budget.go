package shellpolicy

import (
	"io"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxJudged = 10_000 // commands, loops unrolled
	maxWork   = 50_000 // words, loops unrolled; a long one counts as several
	maxDepth  = 100    // of commands within commands
	maxFound  = 50     // things to say about one line
	maxOpen   = 8_000  // opening brackets, quoted or not
)

// tooMuch is what a word cannot be known for when there is no more looking.
const tooMuch = "what there is too much of"

// spend counts what looking at a word, or at so many bytes, costs. It reports
// whether to go on.
func (j *judge) spend(pos syntax.Pos, bytes int) bool {
	switch {
	case j.finished:
		return false
	case j.ended() != nil:
		j.stop(pos, "the call ended before all of it was judged")
		return false
	}
	if j.work += 1 + bytes/16; j.work > maxWork {
		j.stop(pos, "there is too much to judge")
		return false
	}
	return true
}

// stop says why nothing else is looked at. What was not looked at is denied.
func (j *judge) stop(pos syntax.Pos, why string) {
	j.add(broken, pos, "%s", why)
	j.finished = true
}

// opens counts the brackets that something may be nested in. A parser has a call of
// its own within itself for each, so there must not be any number of them. Which of
// them are quoted only the parser knows.
func opens(line string) int {
	n := 0
	for i := range len(line) {
		if strings.IndexByte("({[`", line[i]) >= 0 {
			n++
		}
	}
	return n
}

// reader gives a line to the parser as long as the call lasts.
type reader struct {
	io.Reader
	ended func() error
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ended(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
