package round

import "context"

// identity is the run and the number of a round.
type identity struct {
	run   string
	round int
}

type identityKey struct{}

// RunID returns the run and the round under which ctx was made: Options.Run and the number of the
// round in its session, from 1. The contexts of a Handle, of a model call, of a command, of an
// effect and of a question have them. A key for idempotent calls of a service outside can be
// made of run and round. Without a run the string is empty; a round in no session has the number 0. A
// round without a run, within a Handle of another one that has a run, has both of the outer round.
func RunID(ctx context.Context) (run string, round int) {
	p, _ := ctx.Value(identityKey{}).(identity)
	return p.run, p.round
}
