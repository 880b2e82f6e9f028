package processor_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/processor"
)

// Whatever a person is asked, the answer leads where the kind says: a Waiting does not
// know the names CONTINUE and FAIL better than the kind. With nobody to ask it is No,
// with a reason that names no package.
func TestWaitingLeads(t *testing.T) {
	says := func(a processor.Answer) processor.User {
		return processor.UserFunc(func(context.Context, processor.Question) (processor.Answer, error) { return a, nil })
	}
	act := processor.Act{Command: desktop.Command{ToolName: "deploy"}, Target: "db"}
	gone := func(act processor.Act) processor.Act { act.Target = "another db"; return act }
	approval := func(w *processor.Waiting) { w.Approval = processor.NewApproval("q", act, "policy") }
	confirm := func(w *processor.Waiting, by processor.Asker) (fsm.Decision, error) {
		return w.Confirm(t.Context(), by, "", nil)
	}
	for name, c := range map[string]struct {
		user    processor.User
		waits   func(*processor.Waiting)
		body    func(*processor.Waiting, processor.Asker) (fsm.Decision, error)
		want    fsm.Status // with Yes and No
		builtIn fsm.Status // without
		reason  string
	}{
		"an approval":       {says(processor.Answer{Approved: true}), approval, confirm, "DEPLOY", fsm.Continue, "approved: deploy"},
		"no approval":       {says(processor.Answer{}), approval, confirm, "ROLL_BACK", fsm.Fail, "not approved: deploy"},
		"nobody to approve": {nil, approval, confirm, "ROLL_BACK", fsm.Fail, "not approved: deploy: there is nobody to ask"},
		"a target that is gone": {says(processor.Answer{Approved: true}), approval, func(w *processor.Waiting, by processor.Asker) (fsm.Decision, error) {
			return w.Confirm(t.Context(), by, "", gone)
		}, "ROLL_BACK", fsm.Continue, "deploy was not executed: its target is not there any more: db"},
		"go on":  {says(processor.Answer{Approved: true}), nil, confirm, "DEPLOY", fsm.Continue, "approved"},
		"not on": {says(processor.Answer{Text: "wait"}), nil, confirm, "ROLL_BACK", fsm.Fail, "wait"},
		"an answer": {says(processor.Answer{Text: "red"}), nil, func(w *processor.Waiting, by processor.Asker) (fsm.Decision, error) {
			d, _, err := w.Pending(t.Context(), by, "")
			return d, err
		}, "DEPLOY", fsm.Continue, "answered"},
		"nobody to answer": {nil, nil, func(w *processor.Waiting, by processor.Asker) (fsm.Decision, error) {
			d, _, err := w.Pending(t.Context(), by, "")
			return d, err
		}, "ROLL_BACK", fsm.Fail, "there is nobody to ask: Waiting for an event."},
	} {
		t.Run(name, func(t *testing.T) {
			for _, by := range []processor.Asker{{User: c.user, Yes: "DEPLOY", No: "ROLL_BACK"}, {User: c.user}} {
				var w processor.Waiting
				if c.waits != nil {
					c.waits(&w)
				}
				d, err := c.body(&w, by)
				require.NoError(t, err)
				want := c.want
				if by.Yes == "" {
					want = c.builtIn
				}
				assert.Equal(t, want, d.To)
				assert.Equal(t, c.reason, d.Reason)
				assert.Equal(t, name == "an approval", w.Approval != nil && w.Approval.Granted, "the yes is kept for whoever executes")
			}
		})
	}
}

// A state that asks by itself makes the same decision of nobody as a Waiting does.
func TestUnanswered(t *testing.T) {
	_, err := processor.Ask(t.Context(), nil, processor.Question{ID: "q", Text: "deploy?"}, 0)
	require.ErrorIs(t, err, processor.ErrNobody)
	d, err := processor.Unanswered(t.Context(), err)
	require.NoError(t, err)
	assert.Equal(t, fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "there is nobody to ask"}, d)

	d, err = processor.Unanswered(t.Context(), &processor.AskError{ID: "q", Err: fmt.Errorf("no client: %w", processor.ErrNobody)})
	require.NoError(t, err)
	assert.Contains(t, d.Reason, "no client", "a User's own words stay")

	_, err = processor.Unanswered(t.Context(), fsm.ErrSuspend)
	require.ErrorIs(t, err, fsm.ErrSuspend)
}
