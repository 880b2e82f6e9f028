package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var lower = flag.Bool("lower", false, "write the numbers of today to limits.txt where they are lower")

const limitsFile = "limits.txt"

// limit is a line of limits.txt.
type limit struct{ allocs, bytes float64 }

// slack is what is allowed above a limit: maps grow at moments that differ.
const slack = 1.03

// No line of agentfsm's own costs more memory than it did.
func TestLimits(t *testing.T) {
	if underRace() {
		t.Skip("the race detector allocates by itself") // make check holds the same lines without it
	}
	limits, head := readLimits(t)
	// A collection empties pools, and when it comes depends on who else uses the machine.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var text strings.Builder
	text.WriteString(head)
	for _, l := range guarded() {
		runtime.GC()
		got, err := l.Run(t.Context())
		require.NoError(t, err, l.Name)
		most, there := limits[l.Name]
		delete(limits, l.Name)
		if *lower {
			if there {
				got.Allocs, got.Bytes = min(got.Allocs, most.allocs), min(got.Bytes, most.bytes)
			}
			fmt.Fprintf(&text, "%-28s %8.0f %10.0f\n", l.Name, got.Allocs, got.Bytes)
			continue
		}
		assert.True(t, there, "%s has no line in %s", l.Name, limitsFile)
		assert.LessOrEqual(t, got.Allocs, slack*most.allocs+0.5, "%s: allocations", l.Name)
		assert.LessOrEqual(t, got.Bytes, slack*most.bytes+0.5, "%s: bytes", l.Name)
	}
	if *lower {
		require.NoError(t, os.WriteFile(limitsFile, []byte(text.String()), 0o644))
		return
	}
	assert.Empty(t, limits, "nothing measures these lines")
}

// Of a prompt, most is how the one before began: that is what providers cache.
func TestShareOfPrompts(t *testing.T) {
	p, err := changingPrompts(t.Context())
	require.NoError(t, err)
	assert.Greater(t, p.Share, 0.6)
}

// readLimits returns the lines, and the comment above them.
func readLimits(t *testing.T) (limits map[string]limit, head string) {
	t.Helper()
	f, err := os.Open(limitsFile)
	require.NoError(t, err)
	defer f.Close()
	limits = map[string]limit{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			head += lines.Text() + "\n"
			continue
		}
		var name string
		var l limit
		_, err := fmt.Sscan(lines.Text(), &name, &l.allocs, &l.bytes)
		require.NoError(t, err, lines.Text())
		limits[name] = l
	}
	return limits, head
}

// underRace reports whether the race detector is in this program.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// What the tables show of larger sizes works with small ones.
func TestOwnLinesRun(t *testing.T) {
	_, err := boardStep(t.Context(), 20)
	require.NoError(t, err)
	_, err = subtasksStep(t.Context(), 3)
	require.NoError(t, err)
	bytes, err := waitingBytes(t.Context(), 5)
	require.NoError(t, err)
	assert.Positive(t, bytes)
	for _, realistic := range []bool{false, true} {
		require.NoError(t, twoApplications(t.Context(), realistic))
	}
}
