package hostagent_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
)

// tries handles the state in which the host stands and expects that it is suspended.
func tries(t *testing.T, host *hostagent.Agent) {
	t.Helper()
	require.ErrorIs(t, host.States().Bind(host.Status()).Handle(t.Context(), host), fsm.ErrSuspend)
}

// An approval that waits comes over by changes: the same question with the same id, and
// what was asked about is executed, once.
func TestChangesOfAnApprovalThatWaits(t *testing.T) {
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
	assert.Equal(t, 1, b.Desktop.Count("note"))
	assert.Equal(t, fsm.Finish, f.other.Status())
}

// Of several questions, those that were answered are not asked again elsewhere, and the
// answers are in the next prompt, in their order.
func TestChangesOfAnInterview(t *testing.T) {
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
func TestChangesOfAPlan(t *testing.T) {
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
		assert.Equal(t, host.Plan(), f.other.Plan())
	}
	require.True(t, f.other.Plan().Enforced())
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"))
	f.step()
	assert.Equal(t, host.Plan(), f.other.Plan())
	assert.Equal(t, host.Subtasks(), f.other.Subtasks())
	f.other.SetStatus(fsm.Continue)
	step(t.Context(), t, f.other)
	assert.Equal(t, hostagent.Assign, f.other.Status(), "it may not finish with an item that failed, but plan it again")
}

// Who came back counts, also where the host is another process's and the agent that it
// handed over to was never made there. It is no news, and no host needs it twice.
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
	assert.Empty(t, changesOf(t, f.other))
	require.NoError(t, f.other.CloseSubtasks(fsm.Error, "it is over"))
	require.Len(t, f.other.Subtasks(), 1)
	assert.Equal(t, "FAIL", f.other.Subtasks()[0].Status)
	assert.Equal(t, "no paper", f.other.Subtasks()[0].Reason)
	closed := changesOf(t, f.other)
	assert.Contains(t, closed, `"unset":["chosen","open"]`)
	require.NoError(t, host.Apply([]byte(closed)))
	assert.Equal(t, snapshotOf(t, f.other), snapshotOf(t, host))
}

// Nobody is made for a name that no agent of the session has.
func TestWorkerOfUnknownNames(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	first := b.begun()
	walkTo(t, first, 2)
	raw := snapshotOf(t, first)
	made := 0
	b.Config.NewApp = func(_ context.Context, app hostagent.App) (fsm.Worker, error) { made++; return app.AppAgent() }
	unmade := b.host()
	for name, host := range map[string]*hostagent.Agent{"new": b.host(), "restored": unmade, "there": first} {
		t.Run(name, func(t *testing.T) {
			if host == unmade {
				require.NoError(t, host.Restore([]byte(raw)))
			}
			changesOf(t, host)
			before := snapshotOf(t, host)
			for _, name := range []string{"", "HostAgent", "AppAgent", "word/report", "AppAgent/word", "appagent/word/report", "AppAgent/word/report ", "AppAgent/excel/book"} {
				worker, err := host.Worker(t.Context(), name)
				require.ErrorIs(t, err, hostagent.ErrUnknownApp, name)
				assert.Nil(t, worker)
			}
			assert.Zero(t, made)
			assert.Equal(t, before, snapshotOf(t, host))
			assert.Empty(t, changesOf(t, host))
		})
	}
}

// An agent from before Restore is not given out behind it.
func TestWorkerBehindRestore(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "on"})
	host := b.begun()
	app := walkTo(t, host, 2)
	raw := snapshotOf(t, host)
	walkTo(t, app, 1)
	require.NoError(t, host.Restore([]byte(raw)))
	worker, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.NotSame(t, app, worker)
	assert.Equal(t, raw, snapshotOf(t, host), "what it did since is not known")
	same, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Same(t, worker, same)
}

// keepless is an agent that is in a snapshot and cannot be restored.
type keepless struct{ fsm.Worker }

// A factory that makes something else loses nothing: the right one still can.
func TestWorkerOfAnotherFactory(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	first := b.begun()
	name := walkTo(t, first, 2).Name()
	raw := snapshotOf(t, first)
	var makes func(app hostagent.App) (fsm.Worker, error)
	b.Config.NewApp = func(_ context.Context, app hostagent.App) (fsm.Worker, error) { return makes(app) }
	host := b.host()
	require.NoError(t, host.Restore([]byte(raw)))
	changesOf(t, host)
	for what, c := range map[string]struct {
		makes func(app hostagent.App) (fsm.Worker, error)
		err   string
	}{
		"another name": {func(hostagent.App) (fsm.Worker, error) { return &foreign{name: "Another"}, nil }, "no application has an agent of that name"},
		"no Restore": {func(app hostagent.App) (fsm.Worker, error) {
			agent, err := app.AppAgent()
			return &keepless{agent}, err
		}, "it has no method Restore for its snapshot"},
	} {
		makes = c.makes
		_, err := host.Worker(t.Context(), name)
		require.ErrorContains(t, err, c.err, what)
		assert.Equal(t, raw, snapshotOf(t, host), what)
		assert.Empty(t, changesOf(t, host), what)
	}
	makes = func(app hostagent.App) (fsm.Worker, error) { return app.AppAgent() }
	worker, err := host.Worker(t.Context(), name)
	require.NoError(t, err)
	assert.Equal(t, name, worker.Name())
	assert.Equal(t, raw, snapshotOf(t, host))
}

// Hosts of one Config go on side by side.
func TestWorkersOfHostsSideBySide(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	name := walkTo(t, host, 2).Name()
	raw := snapshotOf(t, host)
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			cfg := b.Config
			cfg.Board = blackboard.New(nil)
			host, err := hostagent.New(cfg)
			if !assert.NoError(t, err) || !assert.NoError(t, host.Restore([]byte(raw))) {
				return
			}
			worker, err := host.Worker(t.Context(), name)
			if assert.NoError(t, err) {
				assert.Equal(t, name, worker.Name())
			}
			again, err := host.Snapshot()
			assert.NoError(t, err)
			assert.Equal(t, raw, string(again))
		})
	}
	running.Wait()
}
