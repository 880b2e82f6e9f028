package round

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/processor"
)

// The interceptors of a Journal are behind those of the meter: what is given back
// counts as if it were done now.

func (j *Journal) model(inner llm.Model) llm.Model               { return journaledModel{j, inner} }
func (j *Journal) desktop(inner desktop.Desktop) desktop.Desktop { return journaledDesktop{j, inner} }
func (j *Journal) user(inner processor.User) processor.User      { return journaledUser{j, inner} }

// within is the mark of a context under which something is done that is recorded as a
// whole. What a desktop, a model or a user does with that context is part of it.
type within struct{ j *Journal }

func (j *Journal) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, within{j}, true)
}

func (j *Journal) isWithin(ctx context.Context) bool { return ctx.Value(within{j}) != nil }

type journaledModel struct {
	j     *Journal
	inner llm.Model
}

func (w journaledModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Complete(ctx, req)
	}
	c, err := w.j.takeLocked(ctx, records.KindCall, records.KindCall, records.KindCall)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return c.call.Response.Clone(), recorded(c.call.Err)
	}
	resp, err := w.inner.Complete(w.j.within(ctx), req)
	if suspends(err) || resp == nil && err == nil {
		return resp, err // it is made again
	}
	n := &records.Call{Response: resp, Err: noteError(err), Ended: err != nil && w.j.current.cancelled()}
	if n.Ended && resp == nil {
		return resp, err // likewise
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	if err := w.j.write(ctx, records.Record{Kind: records.KindCall, Call: n}); err != nil {
		return nil, err
	}
	return resp, err
}

func (j *Journal) takeLocked(ctx context.Context, kind, key, name string) (*cut, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.take(ctx, kind, key, name)
}

type journaledDesktop struct {
	j     *Journal
	inner desktop.Desktop
}

// Tools notes which tools say that they only read. A name that any list has
// without that word is one of a tool that acts. The list is kept once.
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
	for _, t := range tools {
		before, listed := w.j.readOnly[t.Name]
		if w.j.readOnly == nil {
			w.j.readOnly = map[string]bool{}
		}
		w.j.readOnly[t.Name] = t.Annotations.ReadOnlyHint && (before || !listed)
	}
	if given || err != nil && (ctx.Err() != nil || suspends(err)) {
		return tools, err
	}
	if lost := w.j.listed(tools, err); lost != nil {
		return nil, lost
	}
	return tools, err
}

// toolsAgain gives a list back to a run that is replayed. One that was resumed is to
// see the tools that there are now.
func (j *Journal) toolsAgain(ctx context.Context) (tools []desktop.Tool, given bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil || j.replay == nil {
		return nil, false, j.err
	}
	c, err := j.take(ctx, records.KindTools, records.KindTools, "list the tools")
	if err != nil {
		return nil, true, err
	}
	if c.tools.Err != nil {
		return nil, true, recorded(c.tools.Err)
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

// looks reports whether a command only looks: its tool says so, or, where nobody
// listed it, it is a well-known one that collects data. A picture that is written to
// a file is an act. j.mu is held.
func (j *Journal) looks(cmd desktop.Command) bool {
	if path, given := cmd.Parameters["save_path"]; given && path != nil && path != "" {
		return false
	}
	if reads, listed := j.readOnly[cmd.ToolName]; listed {
		return reads
	}
	known, ok := desktop.ToolNamed(cmd.ToolName)
	return ok && known.Annotations.ReadOnlyHint && cmd.ToolType == desktop.DataCollection
}

func (w journaledDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Execute(ctx, cmd)
	}
	key := actKey(cmd)
	w.j.mu.Lock()
	kind := records.KindIntent
	if w.j.looks(cmd) && !w.j.tape.executed(key) {
		kind = records.KindLook
	}
	if p := w.j.replay; p != nil && kind == records.KindLook && w.j.tape.find(kind, key) == nil && p.waitsFor(ctx) {
		w.j.mu.Unlock()
		<-ctx.Done()
		return desktop.Result{}, context.Cause(ctx)
	}
	c, err := w.j.take(ctx, kind, key, cmd.ToolName)
	if c != nil {
		defer w.j.mu.Unlock()
		return w.j.giveBack(ctx, c, cmd.CallID)
	}
	if err == nil && kind == records.KindIntent {
		if len(w.j.untold) > 0 {
			defer w.j.mu.Unlock()
			return w.j.refuse(cmd)
		}
		w.j.tape.given = false
		err = w.j.write(ctx, records.Record{Kind: records.KindIntent, Act: &records.Act{ID: cmd.CallID, Command: cmd}})
	}
	w.j.mu.Unlock()
	if err != nil {
		return desktop.Result{}, err
	}
	result, err := w.inner.Execute(w.j.within(ctx), cmd)
	ended := err != nil && (ctx.Err() != nil || suspends(err))
	if kind == records.KindLook && ended {
		return result, err // it is looked at again
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	if lost := w.j.record(ctx, kind, key, cmd, result, err, ended); lost != nil {
		return desktop.Result{}, lost
	}
	return result, err
}

// record keeps what came of a command: of a look with the next record that must be
// there, of an act now. j.mu is held.
func (j *Journal) record(ctx context.Context, kind, key string, cmd desktop.Command, result desktop.Result, failed error, ended bool) error {
	var timeout *desktop.TimeoutError
	late := kind == records.KindIntent && !ended && errors.As(failed, &timeout)
	n := &records.Result{ID: cmd.CallID, Status: result.Status, Error: result.Error, Err: noteError(failed), Uncertain: ended, Late: late}
	for _, c := range result.Content {
		content := records.Content{Text: c.Text, JSON: c.JSON}
		if c.Image != nil {
			content.MediaType = c.Image.MediaType
			var err error
			if content.Blob, err = j.blob(c.Image.Data); err != nil {
				return err
			}
		}
		n.Content = append(n.Content, content)
	}
	if kind == records.KindLook {
		return j.later(records.Record{Kind: records.KindLook, Act: &records.Act{ID: cmd.CallID, Command: cmd}, Result: n})
	}
	if ended || late {
		j.doubtAbout(cmd)
	} else if failed == nil {
		j.settle(key)
	}
	return j.write(ctx, records.Record{Kind: records.KindResult, Result: n})
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

// unknown is the result of a command whose execution was interrupted.
const unknown = "it may or may not have happened: the run was interrupted while it was executed; look before you do it again"

// giveBack returns what came of a command when it was executed. One of which nobody
// knows is not executed again. j.mu is held.
func (j *Journal) giveBack(ctx context.Context, c *cut, id string) (desktop.Result, error) {
	j.doubt(c)
	if j.replay == nil && (c.result == nil || c.result.Uncertain) {
		if c.result == nil || c.result.Err != nil {
			// From now on that is the answer, also for whoever resumes next.
			c.result = &records.Result{ID: c.act.ID, Status: desktop.Failure, Error: unknown, Uncertain: true}
			if err := j.write(ctx, records.Record{Kind: records.KindResult, Result: c.result}); err != nil {
				return desktop.Result{}, err
			}
		}
	}
	if c.act.Refused {
		j.told = true
	}
	n := c.result
	switch {
	case n == nil: // of a replay: the record ends within the command
		return desktop.Result{}, j.replay.missing(c.kind, c.name())
	case j.replay == nil:
	case n.Err == nil && !n.Uncertain && !n.Late:
		j.settle(c.key)
	}
	if n.Err != nil {
		return desktop.Result{}, recorded(n.Err)
	}
	result := desktop.Result{Status: n.Status, Error: n.Error, CallID: id}
	for _, content := range n.Content {
		back := desktop.Content{Text: content.Text, JSON: slices.Clone(content.JSON)}
		if content.Blob != "" {
			data, err := j.image(ctx, content.Blob)
			if err != nil {
				return desktop.Result{}, j.fail(err)
			}
			back.Image = &desktop.Image{MediaType: content.MediaType, Data: data}
		}
		result.Content = append(result.Content, back)
	}
	return result, nil
}

func (j *Journal) image(ctx context.Context, ref string) ([]byte, error) {
	if j.replay != nil {
		return j.replay.blob(ref)
	}
	return j.fetch(ctx, ref)
}

// refuse answers a command that is not executed, because the agent does not know
// what was executed before it. j.mu is held.
func (j *Journal) refuse(cmd desktop.Command) (desktop.Result, error) {
	j.told = true
	text := fmt.Sprintf("it was not executed: the run was interrupted, and in that step these commands were executed before, with a result that is lost: %s; look first",
		strings.Join(j.untold, ", "))
	result := desktop.Result{Status: desktop.Failure, Error: text, CallID: cmd.CallID}
	n := &records.Result{ID: cmd.CallID, Status: result.Status, Error: text}
	return result, j.later(records.Record{Kind: records.KindIntent, Act: &records.Act{ID: cmd.CallID, Command: cmd, Refused: true}, Result: n})
}

// stale reports whether what the agent knows of its desktop was given back, and
// what it does next is done for the first time.
func (j *Journal) stale() bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.replay != nil {
		return j.replay.stale()
	}
	return j.tape.given && j.tape.left() == nil
}

// doubts returns the commands of which nobody knows whether they were executed.
func (j *Journal) doubts() []desktop.Command {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.uncertain)
}
