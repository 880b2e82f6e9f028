// Package runstest has the test of whoever implements a [runs.Engine].
//
// # A suite
//
// [RunEngine] checks an engine. The implementer says how to make one, and how another process has it:
//
//	func TestEngine(t *testing.T) {
//		runstest.RunEngine(t, runstest.Backend{
//			New:     func(t testing.TB) runs.Engine { return mine.New(newDatabase(t)) },
//			Another: func(t testing.TB, e runs.Engine) runs.Engine { return mine.New(e.(*mine.Engine).Database()) },
//		})
//	}
//
// Each of these is a subtest, and a failure says what is wrong and why it matters.
//
//   - woken: a Wake is one drive, of that run.
//   - woken before: Wakes from before Work are one drive, and the run need not be known.
//   - woken meanwhile: a Wake during a drive is one more drive, behind it.
//   - at a time: a run is driven when the time comes that Next says, and not before. A time that has passed comes
//     at once.
//   - woken early: a Wake does not wait for that time.
//   - ended: a run that has ended is not driven again.
//   - cancelled: a run is not driven at its time.
//   - cancelled meanwhile: the ctx of the drive is done.
//   - one at a time: a run is driven once at a time, also by two engines of one storage, and behind its last Wake.
//   - several at a time: two runs are driven at once.
//   - refused: a run is driven again that a process could not drive.
//   - over: Work ends with its ctx, behind the drives, and nothing is driven after that.
//   - ids: runs whose ids are alike are other runs.
//   - waiting: a run that waits for a week has no goroutine.
//   - another: what one engine was told, another one of the same storage drives. Without Backend.Another it is left out.
//
// Not checked is the death of a process that drives a run.
package runstest
