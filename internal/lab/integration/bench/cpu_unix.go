//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what all threads of the process have used so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // never of the process itself
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
