package realpartstest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Temporal starts a server of Temporal that keeps everything in memory, and ends it with the test. A client needs
// its address and its namespace. `make temporal-server` builds it; AGENTFSM_TEMPORAL names one that is elsewhere.
func Temporal(t testing.TB) (address, namespace string) {
	t.Helper()
	Need(t)
	program := os.Getenv("AGENTFSM_TEMPORAL")
	if program == "" {
		program = filepath.Join(root(t), "bin", "temporal-server")
	}
	if _, err := os.Stat(program); err != nil {
		missing(t, "%v: run make temporal-server, or set AGENTFSM_TEMPORAL", err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe() // which ends with us
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // the end of t.Context has killed it, or the end of its input ended it
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(line, &address, &namespace); err != nil {
		t.Fatal(err)
	}
	return address, namespace
}
