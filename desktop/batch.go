package desktop

import "context"

// Batch runs commands one after another and stops at the first that does not
// succeed; those behind it are skipped. Before anything is sent every command
// is checked against box; a nil box means that of d, see [Open].
//
// There is a result for every command, also with an error: Success or Failure
// for what was sent, Skipped for what was not. All have the CallID of their
// command. The error is a [*BatchError] when a command does not pass the check
// or its call breaks (it has the status Failure then, and whether it had an
// effect is unknown), or when ctx is done. A tool that says no is no error.
func Batch(ctx context.Context, d Desktop, box *Toolbox, cmds []Command) ([]Result, error) {
	results := make([]Result, len(cmds))
	for i, cmd := range cmds {
		if cmd.CallID == "" {
			cmd.CallID = newID(ctx)
		}
		results[i] = Result{Status: Skipped, CallID: cmd.CallID}
	}
	if box == nil && len(cmds) > 0 {
		var err error
		if box, err = Open(ctx, d); err != nil {
			return results, &BatchError{Err: err}
		}
	}
	for i, cmd := range cmds {
		if err := box.Check(cmd); err != nil {
			results[i].Error = err.Error()
			return results, &BatchError{Index: i, Err: err}
		}
	}
	for i, cmd := range cmds {
		if ctx.Err() != nil {
			return results, &BatchError{Index: i, Err: context.Cause(ctx)}
		}
		cmd.CallID = results[i].CallID
		res, err := Execute(ctx, d, cmd)
		if err != nil {
			results[i].Status, results[i].Error = Failure, err.Error()
			return results, &BatchError{Index: i, Err: err}
		}
		results[i] = res
		if res.Status != Success {
			break
		}
	}
	return results, nil
}
