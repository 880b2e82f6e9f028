package round

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
)

type journaledDesktop struct {
	j     *Journal
	inner desktop.Desktop
}

// Tools keeps the list, once, and notes which tools say that they only read.
func (w journaledDesktop) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Tools(ctx)
	}
	tools, given, err := w.j.toolsAgain(ctx)
	if !given && err == nil {
		tools, err = w.inner.Tools(w.j.within(ctx))
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	w.j.noteTools(tools)
	if given || err != nil && (ctx.Err() != nil || suspends(err)) {
		return tools, err
	}
	if lost := w.j.listed(tools, err); lost != nil {
		return nil, lost
	}
	return tools, err
}

// noteTools notes which tools only read: a name that any list has without that word is one
// of a tool that acts. j.mu is held.
func (j *Journal) noteTools(tools []desktop.Tool) {
	if j.readOnly == nil {
		j.readOnly = map[string]bool{}
	}
	for _, t := range tools {
		before, listed := j.readOnly[t.Name]
		j.readOnly[t.Name] = t.Annotations.ReadOnlyHint && (before || !listed)
	}
}

// toolsAgain gives a list back to a run that is replayed. One that was resumed is to
// see the tools that there are now.
func (j *Journal) toolsAgain(ctx context.Context) (tools []desktop.Tool, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil || j.replay == nil {
		return nil, false, j.err
	}
	c, err := j.take(ctx, records.KindTools, records.KindTools, "", "list the tools")
	if err != nil {
		return nil, true, err
	}
	if c.tools.Err != nil {
		return nil, true, givenBack(c.tools.Err)
	}
	raw, err := j.replay.list(c.tools.Ref)
	if err == nil {
		err = json.Unmarshal(raw, &tools)
	}
	return tools, true, err
}

// listed keeps a list of tools, for a replay. j.mu is held.
func (j *Journal) listed(tools []desktop.Tool, failed error) error {
	n := &records.Tools{Err: noteError(failed)}
	if failed == nil {
		raw, err := json.Marshal(tools)
		if err != nil {
			// A schema that is no JSON: whoever reads it says so.
			n.Err = noteError(err)
		} else if n.Ref, err = j.blob(raw); err != nil {
			return err
		}
	}
	return j.later(records.Record{Kind: records.KindTools, Tools: n})
}

// refOf is the name of bytes.
func refOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// blob keeps bytes once and returns their name. j.mu is held.
func (j *Journal) blob(data []byte) (ref string, err error) {
	ref = refOf(data)
	if _, kept := j.blobs[ref]; kept {
		return ref, nil
	}
	if err := j.later(records.Record{Kind: records.KindBlob, Blob: &records.Blob{Ref: ref, Data: data}}); err != nil {
		return "", err
	}
	if j.blobs == nil {
		j.blobs = map[string]int64{}
	}
	j.blobs[ref] = j.seq + int64(len(j.pending))
	return ref, nil
}

func (j *Journal) image(ctx context.Context, ref string) ([]byte, error) {
	if j.replay != nil {
		return j.replay.blob(ref)
	}
	return j.fetch(ctx, ref)
}
