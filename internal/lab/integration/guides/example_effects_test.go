package guides_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Cloud outlives the processes that use it.
type Cloud struct{ deployments []string }

// Deploy starts a version.
func (c *Cloud) Deploy(_ context.Context, version string) (id string, err error) {
	c.deployments = append(c.deployments, version)
	return fmt.Sprint("deployment ", len(c.deployments)), nil
}

// Find returns the deployment of a version, if there is one.
func (c *Cloud) Find(_ context.Context, version string) (id string, err error) {
	for i, v := range c.deployments {
		if v == version {
			return fmt.Sprint("deployment ", i+1), nil
		}
	}
	return "", errors.New("it was not deployed")
}

// Healthy says whether a deployment works.
func (c *Cloud) Healthy(context.Context, string) (bool, error) { return true, nil }

// Stop ends a deployment. To stop one twice does no harm.
func (c *Cloud) Stop(context.Context, string) error { return nil }

// The states of a Release.
const (
	Deploy fsm.Status = "DEPLOY"
	Soak   fsm.Status = "SOAK"
)

// Release is a kind that has its notes written, asks a person, deploys, and looks later whether that works.
type Release struct {
	fsm.Position
	model llm.Model
	user  people.User
	cloud *Cloud
	soaks time.Duration
	memo
}

// memo is what a Release saves.
type memo struct{ Version, Notes, ID string }

var releases = fsm.Table("Release",
	[]fsm.Row[*Release]{
		{Status: fsm.Continue, Handle: (*Release).write},
		{Status: fsm.Confirm, Handle: (*Release).confirm},
		{Status: Deploy, Handle: (*Release).deploy},
		{Status: Soak, Handle: (*Release).soak},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel},
	fsm.Edge{From: fsm.Confirm, To: Deploy, By: fsm.ByUser},
	fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.BySystem | fsm.ByTimeout},
	fsm.Edge{From: Deploy, To: Soak, By: fsm.BySystem},
	fsm.Edge{From: Soak, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: Soak, To: fsm.Fail, By: fsm.BySystem},
)

func (r *Release) Name() string               { return "release" }
func (r *Release) States() fsm.Set            { return releases }
func (r *Release) Answer() string             { return r.ID }
func (r *Release) Save() (fsm.Saved, error)   { return fsm.SaveState(r.memo) }
func (r *Release) Load(saved fsm.Saved) error { return saved.LoadState(&r.memo) }
func (r *Release) Begin(_ context.Context, task fsm.Task) error {
	r.memo = memo{Version: task.Text}
	return nil
}

func (r *Release) write(ctx context.Context) error {
	type notes struct {
		Notes  string     `json:"Notes"`
		Status fsm.Status `json:"Status"`
	}
	reply, err := deciding.Ask(ctx, deciding.Inquiry[notes]{
		Model: r.model, Sections: []llm.Section{{Name: "version", Value: r.Version}}, Allowed: deciding.Allowed(r),
	})
	if err != nil {
		return err
	}
	r.Notes = reply.Notes
	r.Decide(reply.Status, fsm.ByModel, "")
	return nil
}

func (r *Release) confirm(ctx context.Context) error {
	answer, err := people.Ask(ctx, r.user, people.Question{
		Agent: r.Name(), Text: "Deploy " + r.Version + "? " + r.Notes, Approval: true,
	}, 0)
	next := fsm.Decision{To: Deploy, By: fsm.ByUser}
	switch {
	case err != nil:
		return r.Settle(people.Unanswered(ctx, err))
	case !answer.Approved:
		next.To = fsm.Fail
	}
	return r.Settle(next, nil)
}

// deploy deploys once, whatever happens to the process.
func (r *Release) deploy(ctx context.Context) (err error) {
	r.ID, err = effects.Do(ctx, "deploy", func(ctx context.Context) (string, error) {
		return r.cloud.Deploy(ctx, r.Version)
	})
	if errors.Is(err, effects.ErrUncertain) { // a process died while it deployed
		r.ID, err = effects.Do(ctx, "find", func(ctx context.Context) (string, error) {
			return r.cloud.Find(ctx, r.Version)
		}, effects.Idempotent())
	}
	return r.Settle(fsm.Decision{To: Soak, By: fsm.BySystem}, err)
}

// soak waits, without a process, and then looks.
func (r *Release) soak(ctx context.Context) error {
	if err := effects.WaitUntil(ctx, "soak", time.Now().Add(r.soaks)); err != nil {
		return err
	}
	healthy, err := effects.Do(ctx, "look", func(ctx context.Context) (bool, error) {
		return r.cloud.Healthy(ctx, r.ID)
	}, effects.Idempotent())
	if err != nil || healthy {
		return r.Settle(fsm.Decision{To: fsm.Finish, By: fsm.BySystem}, err)
	}
	_, err = effects.Do(ctx, "stop", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.cloud.Stop(ctx, r.ID)
	}, effects.Idempotent())
	return r.Settle(fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "it does not work"}, err)
}

func TestReleases(t *testing.T) {
	fsmtest.Run(t, releases, func() fsm.Agent { return &Release{memo: memo{Version: "1.2", Notes: "new", ID: "deployment 1"}} })
}

// A release waits for a yes, dies while it deploys, and waits again.
func Example_effects() {
	ctx, cloud, st := context.Background(), &Cloud{}, store.Memory()
	release := func(replies ...any) *Release {
		return &Release{
			model: llmtest.Script(nil, replies...), user: people.Later(), cloud: cloud, soaks: 10 * time.Millisecond,
		}
	}

	res, err := Drive(ctx, release(`{"Notes": "It is faster.", "Status": "CONFIRM"}`), st, "release 1.2", "1.2")
	fmt.Println(res.Outcome, res.Waits[0].Text, errors.Is(err, round.ErrSuspended))
	_, err = durable.Answer(ctx, st, "release 1.2", res.Waits[0].ID, people.Answer{Approved: true})
	if err != nil {
		panic(err)
	}

	broken := &dying{Store: st, left: 3} // it goes on, CONFIRM is over, the intent to deploy
	res, _ = Drive(ctx, release(), broken, "release 1.2", "1.2")
	fmt.Println(res.Outcome, cloud.deployments)

	// region wait
	res, err = Drive(ctx, release(), st, "release 1.2", "1.2")
	fmt.Println(res.Outcome, res.Status, errors.Is(err, round.ErrSuspended), cloud.deployments)
	time.Sleep(time.Until(res.Wakes)) // your program has a table of runs, or a queue
	res, err = Drive(ctx, release(), st, "release 1.2", "1.2")
	fmt.Println(res.Outcome, res.Answer, err)
	// endregion

	alone := release()
	alone.cloud = nil // a replay does nothing
	res, err = durable.Replay(ctx, alone, st, "release 1.2", nil)
	fmt.Println(res.Outcome, res.Answer, err)

	// Output:
	// SUSPENDED Deploy 1.2? It is faster. true
	// LOST [1.2]
	// SUSPENDED SOAK true [1.2]
	// FINISH deployment 1 <nil>
	// FINISH deployment 1 <nil>
}
