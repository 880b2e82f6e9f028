package durable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// looks reports whether a command only looks: its tool says so, or, where nobody listed it, it is a well-known one that
// collects data. A picture that is written to a file is an act. j.mu is held.
func (j *recording) looks(cmd desktop.Command) bool {
	if path, given := cmd.Parameters["save_path"]; given && path != nil && path != "" {
		return false
	}
	if reads, listed := j.readOnly[cmd.ToolName]; listed {
		return reads
	}
	if commands.Asks(cmd) {
		return true
	}
	known, ok := desktop.ToolNamed(cmd.ToolName)
	return ok && known.Annotations.ReadOnlyHint && cmd.Looks
}

func (w recordedDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Execute(ctx, cmd)
	}
	a := act{recorder: w.j, cmd: cmd, key: w.j.keyOf(cmd)}
	other, err := w.otherTool(ctx, cmd)
	if err != nil {
		return desktop.Result{}, err
	}
	again, err := w.repeated(ctx, cmd, a.key)
	if err != nil {
		return desktop.Result{}, err
	}
	if result, done, err := a.begin(ctx, other, again); done || err != nil {
		return result, err
	}
	back := false
	defer func() {
		if !back {
			_ = a.end(ctx, desktop.Result{}, errPanicked, true) // an error is kept
		}
	}()
	result, err := w.inner.Execute(w.j.within(ctx), cmd)
	back = true
	ended := err != nil && (ctx.Err() != nil || comesBack(err))
	if a.kind == records.KindLook && (ended || errors.Is(err, round.ErrBudget)) {
		return result, err // it is looked at again
	}
	if lost := a.end(ctx, result, err, ended); lost != nil {
		return desktop.Result{}, lost
	}
	return result, err
}

// act is a command on its way.
type act struct {
	*recorder
	cmd  desktop.Command
	key  string // "": no record can be of this command
	kind string // look or intent
}

// keyOf returns calls.Key of a command; "" where no record can be of it: most steps are not resumed.
func (j *recording) keyOf(cmd desktop.Command) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.past.ops)+len(j.void) == 0 {
		return ""
	}
	return calls.Key(cmd)
}

// begin gives a result back, or records that the command is about to be executed. again: it may be where it was
// before, perhaps.
func (a *act) begin(ctx context.Context, otherTool, again bool) (result desktop.Result, done bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kind = records.KindIntent
	if a.looks(a.cmd) && !a.past.executed(a.key) {
		a.kind = records.KindLook
	}
	c, err := a.take(ctx, a.kind, a.key, "", a.cmd.ToolName)
	switch {
	case err != nil:
		return result, true, err
	case c != nil && again && c.open():
	case c != nil:
		result, err = a.giveBack(ctx, c, a.cmd.CallID)
		return result, true, err
	case a.kind == records.KindLook:
		return result, false, nil
	case len(a.unreported) > 0:
		result, err = a.refuse(a.cmd, fmt.Sprintf(owed, strings.Join(a.unreported, ", ")))
		return result, true, err
	case a.asksAgain(a.key):
		result, err = a.refuse(a.cmd, "it was not executed: it was approved in the run that this one was forked from, and executed there; ask again")
		return result, true, err
	case otherTool:
		result, err = a.refuse(a.cmd, "it was not executed: the run was interrupted, and its tool is another one by now; look at the tools first")
		return result, true, err
	}
	a.past.given = false
	return result, false, a.write(ctx, records.Record{Kind: records.KindIntent, Act: &records.Act{
		ID: a.cmd.CallID, Command: a.cmd, Idempotent: a.repeats[a.cmd.ToolName], Again: c != nil,
	}})
}

// asksAgain reports whether a command has an approval that was used already, once.
func (j *recording) asksAgain(key string) bool { return takeOut(&j.void, key) }

// takeOut reports whether a key is in a list, once for each time.
func takeOut(list *[]string, key string) bool {
	i := slices.Index(*list, key)
	if i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	return i >= 0
}

// end keeps what came of the command.
func (a *act) end(ctx context.Context, result desktop.Result, failed error, ended bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.record(ctx, a.kind, a.cmd, result, failed, ended)
}

// record keeps what came of a command: of a look with the next record that must be there, of an act now. j.mu is held.
func (j *recorder) record(ctx context.Context, kind string, cmd desktop.Command, result desktop.Result, failed error, ended bool) error {
	late := kind == records.KindIntent && !ended && errors.Is(failed, context.DeadlineExceeded)
	n := &records.Result{ID: cmd.CallID, Status: result.Status, Error: result.Error, Gone: result.Gone, Unverified: result.Unverified,
		Err: noteError(failed), Uncertain: ended, Late: late}
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
		j.settle(cmd)
	}
	err := j.write(ctx, records.Record{Kind: records.KindResult, Result: n})
	if err == nil || j.err != nil {
		return err
	}
	// It was executed, and what came of it has no room: that is what its agent is told, now and when
	// the run is resumed.
	n = &records.Result{ID: n.ID, Err: noteError(err), Uncertain: n.Uncertain, Late: n.Late}
	return errors.Join(err, j.write(ctx, records.Record{Kind: records.KindResult, Result: n}))
}

// unknown is the result of a command whose execution was interrupted.
const unknown = "nobody knows whether it happened: the run was interrupted while it was executed; look before you repeat it"

// giveBack returns what came of a command when it was executed. One of which nobody
// knows is not executed again. j.mu is held.
func (j *recorder) giveBack(ctx context.Context, c *op, id string) (desktop.Result, error) {
	j.doubt(c)
	if c.open() {
		// From now on that is the answer, also for whoever goes on next.
		c.result = &records.Result{ID: c.act.ID, Status: desktop.Failure, Error: unknown, Uncertain: true}
		if err := j.write(ctx, records.Record{Kind: records.KindResult, Result: c.result}); err != nil {
			return desktop.Result{}, err
		}
	}
	j.reported = j.reported || c.act.Refused
	if c.result.Err != nil {
		return desktop.Result{}, givenBack(c.result.Err)
	}
	result, err := resultOf(c.result, id, func(ref string) ([]byte, error) { return j.fetch(ctx, ref) })
	if err != nil {
		return desktop.Result{}, j.fail(err)
	}
	return result, nil
}

// resultOf is a result as it was recorded, for a command of that id.
func resultOf(n *records.Result, id string, image func(ref string) ([]byte, error)) (desktop.Result, error) {
	result := desktop.Result{Status: n.Status, Error: n.Error, CallID: id, Gone: n.Gone, Unverified: n.Unverified}
	for _, content := range n.Content {
		back := desktop.Content{Text: content.Text, JSON: slices.Clone(content.JSON)}
		if content.Blob != "" {
			data, err := image(content.Blob)
			if err != nil {
				return desktop.Result{}, err
			}
			back.Image = &desktop.Image{MediaType: content.MediaType, Data: data}
		}
		result.Content = append(result.Content, back)
	}
	return result, nil
}

// owed is the answer to a command of an agent that does not know what was executed before it.
const owed = "it was not executed: the run was interrupted, and in that step these commands were executed before, with a result that is lost: %s; look first"

// refuse answers a command that is not executed. j.mu is held.
func (j *recorder) refuse(cmd desktop.Command, text string) (desktop.Result, error) {
	j.reported = true
	result := desktop.Result{Status: desktop.Failure, Error: text, CallID: cmd.CallID}
	n := &records.Result{ID: cmd.CallID, Status: result.Status, Error: text}
	return result, j.later(records.Record{Kind: records.KindIntent, Act: &records.Act{ID: cmd.CallID, Command: cmd, Refused: true}, Result: n})
}

// stale reports whether what the agent knows of its desktop was given back, and
// what it does next is done for the first time, or once more.
func (j *recorder) stale() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.past.given && (j.past.left() == nil || j.past.onlyCalls() || j.past.repeats())
}

// doubts returns the commands of which nobody knows whether they were executed.
func (j *recording) doubts() []desktop.Command {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.uncertain)
}
