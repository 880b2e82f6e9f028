package scenarios_test

import (
	"runtime/debug"
	"slices"
)

// every is which of many like cases are tried: all; with the race detector some, since
// it makes each of them ten times as slow, and what it looks for is the same in all.
// Without it, as in make cover, all are. A file for each would be a file that is left
// out, which files of scenarios may not be.
var every = sampled()

func sampled() int {
	info, ok := debug.ReadBuildInfo()
	if !ok || !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return 1
	}
	// Looking for memory that is free takes a fifth of the time with it, and there is
	// enough.
	debug.SetGCPercent(400)
	return 5
}
