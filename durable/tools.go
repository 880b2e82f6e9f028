package durable

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
)

type recordedDesktop struct {
	j     *recorder
	inner desktop.Desktop
}

// Tools keeps the list, once, and notes which tools say that they only read.
func (w recordedDesktop) Tools(ctx context.Context) ([]desktop.Tool, error) {
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
	if given || err != nil && (ctx.Err() != nil || comesBack(err)) {
		return tools, err
	}
	if lost := w.j.listed(tools, err); lost != nil {
		return nil, lost
	}
	return tools, err
}

// noteTools notes which tools only read, and which are idempotent: a name that any list has without that
// word is one of a tool that acts, or harms the second time. j.mu is held.
func (j *recording) noteTools(tools []desktop.Tool) {
	if j.readOnly == nil {
		j.readOnly, j.repeats = map[string]bool{}, map[string]bool{}
	}
	for _, t := range tools {
		before, listed := j.readOnly[t.Name]
		j.readOnly[t.Name] = t.Annotations.ReadOnlyHint && (before || !listed)
		j.repeats[t.Name] = t.Annotations.IdempotentHint && (j.repeats[t.Name] || !listed)
	}
}

// toolsAgain gives a list back to a step that was interrupted after its model had replied: with other tools the request
// would be another one. A step that decides anew gets the tools of now.
func (j *recorder) toolsAgain(ctx context.Context) (tools []desktop.Tool, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil || j.past.left() == nil || j.past.onlyCalls() {
		return nil, false, j.err
	}
	c, err := j.take(ctx, records.KindTools, records.KindTools, "", "list the tools")
	if err != nil || c == nil {
		return nil, err != nil, err
	}
	if c.tools.Err != nil {
		return nil, true, givenBack(c.tools.Err)
	}
	raw, err := j.fetch(ctx, c.tools.Ref)
	if err != nil {
		return nil, true, j.fail(err)
	}
	if err = json.Unmarshal(raw, &tools); err == nil {
		if j.past.tools == nil {
			j.past.tools = map[string]desktop.Tool{}
		}
		for _, t := range tools {
			if _, twice := j.past.tools[t.Name]; !twice { // of two the first one counts
				j.past.tools[t.Name] = t
			}
		}
	}
	return tools, true, err
}

// otherTool reports whether a command that is executed for the first time was decided by a list that
// was given back, in which its tool was another one than it is now.
func (w recordedDesktop) otherTool(ctx context.Context, cmd desktop.Command) (bool, error) {
	w.j.mu.Lock()
	was, given := w.j.past.tools[cmd.ToolName]
	given = given && w.j.past.left() == nil
	w.j.mu.Unlock()
	if !given {
		return false, nil
	}
	return w.changed(ctx, was)
}

// changed reports whether a tool is another one by now, or gone.
func (w recordedDesktop) changed(ctx context.Context, was desktop.Tool) (bool, error) {
	now, err := w.inner.Tools(w.j.within(ctx))
	if err != nil {
		return false, err
	}
	t, there := toolNamed(now, was.Name)
	is, _ := json.Marshal(t) // without a JSON form it is not what was recorded
	text, _ := json.Marshal(was)
	return !there || !bytes.Equal(is, text), nil
}

// toolNamed returns a tool of a list; of two the first one counts.
func toolNamed(list []desktop.Tool, name string) (tool desktop.Tool, there bool) {
	if i := slices.IndexFunc(list, func(t desktop.Tool) bool { return t.Name == name }); i >= 0 {
		return list[i], true
	}
	return desktop.Tool{}, false
}

// repeated reports whether a command of which nobody knows whether it was executed is executed once more: its
// tool says that this does no harm, and is the one by which the command was decided.
func (w recordedDesktop) repeated(ctx context.Context, cmd desktop.Command, key string) (bool, error) {
	was, harmless := w.j.idempotent(cmd.ToolName, key)
	if !harmless {
		return false, nil
	}
	other, err := w.changed(ctx, was)
	return err == nil && !other, err
}

// idempotent returns the tool of a command of which nobody knows whether it was executed, as it was when the
// command was decided.
func (j *recorder) idempotent(name, key string) (tool desktop.Tool, harmless bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.past.find(records.KindIntent, key, "", false)
	if c == nil || !c.act.Idempotent || !c.open() || !j.repeats[name] {
		return desktop.Tool{}, false
	}
	return toolNamed(c.listed, name)
}

// listed keeps a list of tools, for a replay. j.mu is held.
func (j *recorder) listed(tools []desktop.Tool, failed error) error {
	n := &records.Tools{Err: noteError(failed)}
	if failed == nil {
		raw, err := json.Marshal(tools)
		if err != nil { // a schema that is no JSON: whoever reads it says so
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
func (j *recorder) blob(data []byte) (ref string, err error) {
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
