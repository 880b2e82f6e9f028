//go:build !unix

package main

import (
	"errors"
	"os"
)

// killable says whether a process can be killed here as a crash does it.
const killable = false

func die() { panic("crash: there is no kill -9 on this system") }

func stop(*os.Process) error { return errors.ErrUnsupported }

func proceed(*os.Process) error { return errors.ErrUnsupported }

func wasKilled(*os.ProcessState) bool { return false }
