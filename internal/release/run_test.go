//go:build unix

package main

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain plays the parts of TestRunEndsGrandchildren: a child that starts one of
// its own, and that grandchild, which holds a connection until it dies.
func TestMain(m *testing.M) {
	switch address := os.Getenv("RELEASE_TEST_ADDRESS"); os.Getenv("RELEASE_TEST_PART") {
	case "child":
		cmd := exec.CommandContext(context.Background(), os.Args[0])
		cmd.Env = append(os.Environ(), "RELEASE_TEST_PART=grandchild")
		cmd.Stdout = os.Stdout
		_ = cmd.Run()
	case "grandchild":
		if held, err := new(net.Dialer).DialContext(context.Background(), "tcp", address); err == nil {
			_, _ = io.Copy(io.Discard, held) // for ever
		}
	default:
		os.Exit(m.Run())
	}
}

func TestRunEndsGrandchildren(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		r := runner{env: environment(map[string]string{"RELEASE_TEST_PART": "child", "RELEASE_TEST_ADDRESS": listener.Addr().String()})}
		_, err := r.run(ctx, os.Args[0])
		ended <- err
	}()
	held, err := listener.Accept()
	require.NoError(t, err)
	defer held.Close()
	cancel()
	_, err = held.Read(make([]byte, 1))
	require.Error(t, err, "the grandchild is dead")
	require.ErrorIs(t, <-ended, context.Canceled)
}
