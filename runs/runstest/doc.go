// Package runstest tests implementations of [runs.Engine].
//
// [RunEngine] has a subtest for each of these:
//
//   - woken: a Wake is one drive of that run. Wakes before Work are one drive.
//   - woken meanwhile: Wakes during a drive are one more drive, after it.
//   - at a time: a run is driven at the time of its Next, not before. A time in the past is now. A Wake does not wait
//     for that time.
//   - ended: a run that has ended is not driven again.
//   - cancelled: Cancel ends the context of a drive. The run is not driven at its time.
//   - one at a time: a run is driven once at a time, also by two engines of one storage, and after its last Wake.
//   - several at a time: two runs are driven at once.
//   - over: Work ends with its context, after the drives. Nothing is driven after that.
//   - ids: similar ids are different runs.
//   - waiting: a run that waits for a week has no goroutine.
//   - another: another engine of the storage drives what one engine was told, and what it could not drive.
//     It needs Backend.Another.
//
// The suite does not kill a process that drives a run.
package runstest
