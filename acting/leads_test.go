package acting_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// Whatever a person is asked, the answer leads where the kind says: a Work does not
// know the names CONTINUE and FAIL better than the kind. With nobody to ask it is No,
// with a reason that names no package.
func TestWorkLeads(t *testing.T) {
	says := func(a people.Answer) people.User {
		return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { return a, nil })
	}
	act := acting.Act{Command: desktop.Command{ToolName: "deploy"}, Target: "db"}
	gone := looks("another db")
	approval := func(w *acting.Work) { w.Approval = acting.NewApproval("q", act, "policy") }
	confirm := func(w *acting.Work, by acting.Asker) (fsm.Decision, error) {
		return w.Confirm(t.Context(), by, "")
	}
	for name, c := range map[string]struct {
		user    people.User
		waits   func(*acting.Work)
		body    func(*acting.Work, acting.Asker) (fsm.Decision, error)
		want    fsm.Status // with Yes and No
		builtIn fsm.Status // without
		reason  string
	}{
		"an approval":       {says(people.Answer{Approved: true}), approval, confirm, "DEPLOY", fsm.Continue, "approved: deploy"},
		"no approval":       {says(people.Answer{}), approval, confirm, "ROLL_BACK", fsm.Fail, "not approved: deploy"},
		"nobody to approve": {nil, approval, confirm, "ROLL_BACK", fsm.Fail, "not approved: deploy: there is nobody to ask"},
		"a target that is gone": {says(people.Answer{Approved: true}), approval, func(w *acting.Work, by acting.Asker) (fsm.Decision, error) {
			by.Look = gone
			return w.Confirm(t.Context(), by, "")
		}, "ROLL_BACK", fsm.Continue, "deploy was not executed: its target is not there any more: db"},
		"go on":  {says(people.Answer{Approved: true}), nil, confirm, "DEPLOY", fsm.Continue, "approved"},
		"not on": {says(people.Answer{Text: "wait"}), nil, confirm, "ROLL_BACK", fsm.Fail, "wait"},
		"an answer": {says(people.Answer{Text: "red"}), nil, func(w *acting.Work, by acting.Asker) (fsm.Decision, error) {
			return w.Pending(t.Context(), by, "")
		}, "DEPLOY", fsm.Continue, "answered"},
		"nobody to answer": {nil, nil, func(w *acting.Work, by acting.Asker) (fsm.Decision, error) {
			return w.Pending(t.Context(), by, "")
		}, "ROLL_BACK", fsm.Fail, "there is nobody to ask: Waiting for an event."},
	} {
		t.Run(name, func(t *testing.T) {
			for _, by := range []acting.Asker{{User: c.user, Yes: "DEPLOY", No: "ROLL_BACK"}, {User: c.user}} {
				var w acting.Work
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
