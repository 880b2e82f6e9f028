// Command temporalserver is a Temporal server for tests. It listens on a port of 127.0.0.1 that the system chooses, keeps
// everything in memory, and prints its address and its namespace. It ends when its standard input does, or when it is
// interrupted.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"go.temporal.io/server/temporaltest"
)

func main() {
	over := make(chan os.Signal, 1)
	signal.Notify(over, os.Interrupt, syscall.SIGTERM)
	server := temporaltest.NewServer()
	fmt.Println(server.GetFrontendHostPort(), server.GetDefaultNamespace())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(over)
	}()
	<-over
	// Its own Stop takes seconds, and nothing is kept.
	os.Exit(0)
}
