package runs

import (
	"context"
	"time"

	"github.com/agentfsm/agentfsm/durable"
)

// Engine decides when and where runs are driven: it keeps who waits for a place, and the times that are to come. The
// journal keeps everything else, so an engine never says what a run did, only that it is to be driven. Without one, a
// Service has its own: see [Config.Engine]. [runs/runstest] checks an engine.
//
// An engine drives a run once at a time, however many processes have it. It may drive a run once too often, which does no
// harm: a drive looks into the journal before it does anything.
type Engine interface {
	// Work calls drive for each run that is to be driven, as many at a time as it likes, until ctx is done. It returns the
	// cause of ctx when no drive is under way any more, or why it cannot go on. The ctx that drive gets is done with that of
	// Work, and after Cancel. A Service calls Work once at a time.
	//
	// What drive returns says what follows. Its error says that this process cannot drive the run, because it
	// closes or dies: the run is driven again, by another process if there is one.
	Work(ctx context.Context, drive func(ctx context.Context, run string) (Next, error)) error

	// Wake has a run driven as soon as there is room, whether the engine knows the run or not, and whatever Next said.
	// If the run is being driven, it is driven once more behind that. Several Wakes before a drive are one.
	Wake(ctx context.Context, run string) error

	// Cancel forgets a run, and ends a drive of it that is under way.
	Cancel(ctx context.Context, run string) error
}

// Next says what follows a drive. The zero Next: the run is driven when it is woken.
type Next struct {
	// Ended says that the run has its result, or was cancelled.
	Ended bool `json:"ended,omitempty"`
	// At is when the run is driven again although nobody wakes it. A time that has passed: at once, behind those who wait.
	At time.Time `json:"at,omitzero"`
}

// follows is what follows a drive that left a run like this.
func follows(state durable.State) Next {
	switch {
	case state.Stage == durable.Ended:
		return Next{Ended: true}
	case state.Stage == durable.Aside:
		return Next{}
	case state.Ready():
		return Next{At: time.Now()}
	}
	return Next{At: state.Due}
}

// in is a drive after a pause.
func in(pause time.Duration) Next { return Next{At: time.Now().Add(pause)} }
