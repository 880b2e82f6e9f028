//go:build !unix

package main

import "time"

var began = time.Now()

// cpuTime is the time that passed: no system call for more is in the standard library.
func cpuTime() time.Duration { return time.Since(began) }
