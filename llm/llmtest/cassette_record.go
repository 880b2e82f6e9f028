package llmtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/agentfsm/agentfsm/llm"
)

// recordCall asks the real model. Its answer goes to the caller as it is, secrets
// included: only the file is without them.
func (p *Tape) recordCall(ctx context.Context, req *llm.Request, request storedRequest, key string) (*llm.Response, error) {
	p.t.Helper()
	if what := suspicious(request.text()); what != "" {
		return nil, p.spoil("the request", what)
	}
	tr, slot := p.reserve(request, key)
	var stored *storedReply
	defer func() { // also after a panic of the model
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pending--
		tr.replies[slot] = stored
	}()
	resp, err := p.real.Complete(ctx, req)
	if err != nil && ctx.Err() != nil {
		stored = &storedReply{Waits: true}
		return resp, err
	}
	reply := p.clean.reply(resp, err)
	text, broken := writeJSON(reply)
	if broken != nil {
		return nil, p.refuse("the reply has no JSON form: %v", broken)
	}
	if what := suspicious(string(text)); what != "" {
		return nil, p.spoil("the reply", what)
	}
	stored = reply
	return resp, err
}

// reserve keeps a place, so that replies to equal requests are in the order of
// the calls.
func (p *Tape) reserve(request storedRequest, key string) (*track, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending++
	tr := p.tracks[key]
	if tr == nil {
		tr = &track{key: key, request: request}
		p.tracks[key] = tr
		p.order = append(p.order, tr)
	}
	tr.replies = append(tr.replies, nil)
	return tr, len(tr.replies) - 1
}

// spoil fails the test, and with it the recording.
func (p *Tape) spoil(where, what string) error {
	p.t.Helper()
	p.mu.Lock()
	p.spoiled = true
	p.mu.Unlock()
	return p.refuse("%s holds what looks like %s, so nothing is recorded: name it in Secrets, or cut it out with Redact", where, what)
}

// write replaces the file.
func (p *Tape) write() {
	p.t.Helper()
	raw, pending, err := p.recorded()
	switch {
	case p.t.Failed() || p.t.Skipped() || p.isSpoiled():
		p.t.Logf("llmtest: cassette %s was not written: the test failed or was skipped", p.path)
	case pending > 0:
		p.t.Errorf("llmtest: cassette %s was not written: %d calls were still running at the end of the test", p.path, pending)
	case err != nil:
		p.t.Errorf("llmtest: cassette %s was not written: %v", p.path, err)
	default:
		if err := replaceFile(p.file, raw); err != nil {
			p.t.Errorf("llmtest: cassette %s was not written: %v", p.path, err)
			return
		}
		p.t.Logf("llmtest: cassette %s was recorded", p.path)
	}
}

func (p *Tape) isSpoiled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spoiled
}

// recorded returns the file. Requests are sorted by what they say, because the
// order of calls of several goroutines is another at every run.
func (p *Tape) recorded() (raw []byte, pending int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := cassette{Version: cassetteVersion, Exchanges: []exchange{}}
	for _, tr := range slices.SortedFunc(slices.Values(p.order), func(a, b *track) int { return cmp.Compare(a.key, b.key) }) {
		replies := slices.DeleteFunc(slices.Clone(tr.replies), func(r *storedReply) bool { return r == nil })
		if len(replies) > 0 {
			c.Exchanges = append(c.Exchanges, exchange{Request: tr.request, Replies: replies})
		}
	}
	raw, err = writeJSON(c)
	if err == nil && p.clean.found(raw) {
		return nil, p.pending, errSecret
	}
	return raw, p.pending, err
}

// replaceFile writes a file whole or not at all, and leaves one alone that is
// the same already.
func replaceFile(path string, raw []byte) (err error) {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, raw) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
