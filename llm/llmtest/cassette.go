package llmtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// recordVariable is the environment variable that makes cassettes record. Only
// "1" does; "" and "0" replay, everything else stops the test.
const recordVariable = "AGENTFSM_RECORD"

// CassetteOptions may be nil, which is enough to replay what has nothing to hide.
// Its funcs may be called by several goroutines.
type CassetteOptions struct {
	// Record is the real model. It is asked only when the test records: when
	// AGENTFSM_RECORD is 1 and CI is not set. nil: the cassette only replays.
	Record llm.Model

	// Normalize replaces what else differs from run to run in a text of a request, such
	// as temporary paths: times (RFC 3339) and UUIDs are <time> and <id> by then. Replies
	// stay as they are, since a program acts on them.
	Normalize func(string) string

	// Secrets are values that must not be in the file. They are replaced by *** in
	// requests, replies and errors, also as JSON, quotes, URLs and HTML write them, one
	// inside of the other, in hex and in base64, there also as a part of a longer text
	// (which may be JSON inside of JSON, four times at most). Shorter than four bytes is refused. An empty one, as of a variable that is not set,
	// counts for nothing when the test replays, and is refused when it records.
	Secrets []string

	// Redact cuts out more than values can say, for example by a regular
	// expression. It is called after Secrets have been replaced, and before Normalize.
	Redact func(string) string

	// AllowUnused lets recordings be left over at the end of the test.
	AllowUnused bool
}

// ErrCassette is what is behind every error of a [Tape] itself, such as
// that of a request it has no reply to. The test has failed then, too.
var ErrCassette = errors.New("llmtest: the cassette cannot answer this")

// Tape is a model that replays a recording or makes one, see [Cassette]. It is safe for
// concurrent use.
type Tape struct {
	t     testing.TB
	path  string // as it was given
	file  string // absolute: a test may change the directory
	opts  CassetteOptions
	clean *cleaner
	real  llm.Model // nil: it replays

	mu      sync.Mutex
	tracks  map[string]*track // by the key of the request
	order   []*track
	calls   int
	pending int  // calls of the real model that have not returned
	spoiled bool // nothing is written
}

// track has the replies to one request.
type track struct {
	key     string
	request storedRequest
	replies []*storedReply // nil while it is being recorded, and when it was not
	next    int
}

var _ llm.Model = (*Tape)(nil)

// Cassette returns a model that answers from the file at path, such as
// testdata/chart.json, or that records it.
//
// A request is found by what it says: its messages, schema, MaxTokens and
// Temperature, images by type and hash. Replies to equal requests are replayed in
// the order in which they were recorded, each once. A request that is not there, or
// not so often, fails the test and returns [ErrCassette]; so do recordings that
// are left at its end, unless AllowUnused.
//
// With AGENTFSM_RECORD set to 1 and a model in Record, that model is asked, and
// the file is replaced at the end of the test, whole or not at all. It stays as it was
// when the test failed, and when something that looks like a credential would be in
// it: then the call fails. Where CI is set nothing is recorded, and the
// test stops. A call that ended with its context is recorded as one that waits for the end
// of its context.
//
// Errors come back as what they were: a *[llm.CallError] with its Kind, Status and
// RetryAfter, other errors by their text. No [llm.Retry] waits after one that is replayed.
//
// A cassette belongs to one test, since the end of the test writes it. A nil t is for
// examples, as in [Script], and replays only.
func Cassette(t testing.TB, path string, opts *CassetteOptions) *Tape {
	if t == nil {
		t = nobody{}
	}
	t.Helper()
	p := &Tape{t: t, path: path, tracks: map[string]*track{}}
	if opts != nil {
		p.opts = *opts
	}
	if err := p.open(); err != nil {
		p.spoiled = true
		t.Fatalf("llmtest: cassette %s: %v", path, err)
		return p
	}
	t.Cleanup(p.end)
	return p
}

func (p *Tape) open() error {
	recording, err := wantsRecording(p.t)
	if err != nil {
		return err
	}
	if p.file, err = filepath.Abs(p.path); err != nil {
		return err
	}
	recording = recording && !nilcheck.IsNil(p.opts.Record)
	if p.clean, err = newCleaner(p.opts, recording); err != nil {
		return err
	}
	if recording {
		p.real = p.opts.Record
		return nil
	}
	return p.load()
}

// Recording reports whether the real model is asked.
func (p *Tape) Recording() bool { return p.real != nil }

// Complete replays or records one call.
func (p *Tape) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	p.t.Helper()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req == nil {
		return nil, p.refuse("the request is nil")
	}
	request, key, err := p.clean.request(req)
	if err != nil {
		return nil, p.refuse("the request has no JSON form: %v", err)
	}
	if p.Recording() {
		return p.recordCall(ctx, req, request, key)
	}
	reply, miss := p.take(request, key)
	if miss != nil {
		if _, example := p.t.(nobody); example {
			panic(miss)
		}
		p.t.Errorf("%v\n%s\n%s", miss, miss.Diff, howToRecord(p.t, p.path))
		return nil, miss
	}
	if reply.Waits {
		if ctx.Done() == nil {
			return nil, p.refuse("the call that was recorded ended with its context, and this one's has no end")
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	resp, err := reply.result()
	return resp, attempts.NoWait(err)
}

// refuse fails the test.
func (p *Tape) refuse(format string, args ...any) error {
	p.t.Helper()
	err := fmt.Errorf("%w: %s: %s", ErrCassette, p.path, fmt.Sprintf(format, args...))
	p.t.Errorf("%v", err)
	return err
}

func (p *Tape) take(request storedRequest, key string) (*storedReply, *missError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	found := p.tracks[key]
	if found != nil && found.next < len(found.replies) {
		found.next++
		return found.replies[found.next-1], nil
	}
	miss := &missError{Path: p.path, Call: p.calls}
	switch {
	case found != nil:
		miss.Recorded = len(found.replies)
		miss.Diff = "the request is in the recording; its replies are used up"
	case len(p.order) == 0:
		miss.Diff = "the recording is empty"
	default:
		asked := request.lines()
		near, number := nearest(p.order, asked)
		miss.Diff = fmt.Sprintf("the nearest is request %d of %d in the file (- recorded, + asked):\n%s",
			number, len(p.order), diffLines(near, asked))
	}
	return nil, miss
}

// end checks or writes the recording.
func (p *Tape) end() {
	p.t.Helper()
	if p.Recording() {
		p.write()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opts.AllowUnused || p.t.Failed() || p.t.Skipped() {
		return // a test that stopped early leaves recordings over
	}
	left := 0
	var first *track
	for _, tr := range p.order {
		if n := len(tr.replies) - tr.next; n > 0 {
			left += n
			if first == nil {
				first = tr
			}
		}
	}
	if left > 0 {
		p.t.Errorf("llmtest: cassette %s: %d recorded replies were not asked for; the first answers\n%s\n%s",
			p.path, left, clip(first.request.text()), howToRecord(p.t, p.path))
	}
}
