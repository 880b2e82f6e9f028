//go:build !unix

package mcp

import "os/exec"

// Without process groups, only the process itself is ended.
func lead(*exec.Cmd)      {}
func killGroup(*exec.Cmd) {}
