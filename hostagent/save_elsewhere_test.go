package hostagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/people"
)

// tries handles the state in which the host stands and expects that it is suspended.
func tries(t *testing.T, host *hostagent.Agent) {
	t.Helper()
	require.ErrorIs(t, host.States().Bind(host.Status()).Handle(t.Context(), host), fsm.ErrSuspend)
}

// An approval that waits comes over: the same question with the same id, and
// what was asked about is executed, once.
func TestSaveAnApprovalThatWaits(t *testing.T) {
	b := newBench(t, call(fsm.Confirm, "note", m{"n": 1}), say(fsm.Finish))
	user := &later{}
	b.Config.User = user
	b.Desktop.AddTools(noteTool)
	host := b.begun()
	f := follow(t, b.Config, host)
	step(t.Context(), t, host)
	require.Equal(t, fsm.Confirm, host.Status())
	f.step()
	tries(t, host)
	f.step()
	user.answer = &people.Answer{Approved: true}
	step(t.Context(), t, f.other)
	step(t.Context(), t, f.other)
	require.Len(t, user.asked, 2)
	assert.Equal(t, user.asked[0].ID, user.asked[1].ID)
	assert.Equal(t, user.asked[0].Text, user.asked[1].Text)
	assert.Len(t, b.Desktop.Calls("note"), 1)
	assert.Equal(t, fsm.Finish, f.other.Status())
}

// Of several questions, those that were answered are not asked again elsewhere, and the
// answers are in the next prompt, in their order.
func TestSaveAnInterview(t *testing.T) {
	b := newBench(t, m{"Status": "PENDING", "Questions": []string{"Which?", "When?", "Why?"}}, say(fsm.Finish))
	ids := map[string][]string{} // of the questions, as often as they were asked
	answers := map[string]string{"Which?": "the first"}
	b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		ids[q.Text] = append(ids[q.Text], q.ID)
		if answers[q.Text] == "" {
			return people.Answer{}, fsm.ErrSuspend
		}
		return people.Answer{Text: answers[q.Text]}, nil
	})
	host := b.begun()
	f := follow(t, b.Config, host)
	step(t.Context(), t, host)
	require.Equal(t, fsm.Pending, host.Status())
	f.step()
	tries(t, host)
	f.step()
	answers["When?"], answers["Why?"] = "today", "because"
	step(t.Context(), t, f.other)
	assert.Len(t, ids["Which?"], 1)
	require.Len(t, ids["When?"], 2)
	assert.Equal(t, ids["When?"][0], ids["When?"][1])
	step(t.Context(), t, f.other)
	var got []string
	for _, e := range section[[]struct{ Question, Answer string }](b, 1, "answers") {
		got = append(got, e.Question+" "+e.Answer)
	}
	assert.Equal(t, []string{"Which? the first", "When? today", "Why? because"}, got)
}

// A plan that binds comes over with how far it has come, and binds there.
func TestSaveAPlan(t *testing.T) {
	ordered := []m{{"id": "a", "task": "first"}, {"id": "b", "task": "second", "depends_on": []string{"a"}}}
	b := newBench(t, assignPlanned("0", "a", ordered), m{"Status": "FINISH", "Result": "r"}, assign("0", "b"), m{"Status": "FAIL"},
		say(fsm.Finish), assignPlanned("0", "b", ordered))
	host := b.begun()
	f := follow(t, b.Config, host)
	var agent fsm.Agent = host
	for range 6 {
		agent = step(t.Context(), t, agent)
		if agent != fsm.Agent(host) && agent.States().Bind(agent.Status()).Terminal() {
			agent = host
			host.SetStatus(fsm.Continue)
		}
		f.step()
		assert.Equal(t, planOf(host), planOf(f.other))
	}
	require.True(t, planOf(f.other).Enforced())
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"))
	f.step()
	assert.Equal(t, planOf(host), planOf(f.other))
	assert.Equal(t, host.Subtasks(), f.other.Subtasks())
	f.other.SetStatus(fsm.Continue)
	step(t.Context(), t, f.other)
	assert.Equal(t, hostagent.Assign, f.other.Status(), "it may not finish with an item that failed, but plan it again")
}

// Who came back counts, also where the host is another process's and the agent that it
// handed over to was never made there. No host closes it twice.
func TestReturnedElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	f := follow(t, b.Config, host)
	walkTo(t, host, 2)
	f.step()
	other := &foreign{name: "Another"}
	other.SetStatus(fsm.Fail)
	other.Decide(fsm.Fail, fsm.BySystem, "no paper")
	f.other.Returned(other)
	require.NoError(t, f.other.CloseSubtasks(fsm.Error, "it is over"))
	require.Len(t, f.other.Subtasks(), 1)
	assert.Equal(t, "FAIL", f.other.Subtasks()[0].Status)
	assert.Equal(t, "no paper", f.other.Subtasks()[0].Reason)
	assert.NotContains(t, savetest.JSON(t, f.other), `"open"`)
}
