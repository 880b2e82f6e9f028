// Example serves a desktop to any client of MCP, as one tool. It needs no network,
// no display and no model service: the desktop, a mail and a calendar, is in memory,
// and the model follows a script.
//
//	go run ./example                       # over standard input and output
//	go run ./example -http 127.0.0.1:8080  # at http://127.0.0.1:8080/mcp
//
// The tool is run_task. A request with the word calendar puts the meeting of the mail
// into the calendar; the person at the client is asked which day it is, and to approve
// the event, so the client must take questions (elicitation). Any other request reads
// the mail, and asks nothing.
//
// A client that starts servers, such as the inspector of MCP, wants it built:
//
//	go build -o desk ./example && npx @modelcontextprotocol/inspector ./desk
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a program ends with a status
	}
}

// run is the program. What it has to say goes to its standard error: the other output
// is the client's.
func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("example", flag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("http", "", "`address` to serve HTTP on, such as 127.0.0.1:8080; else standard input and output")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := newServer(stderr)
	if err != nil {
		return err
	}
	if *address != "" {
		err = serveHTTP(ctx, server, *address, stderr)
	} else {
		err = server.ServeStdio(ctx)
	}
	if ctx.Err() != nil { // being told to end is no failure
		err = nil
	}
	return errors.Join(err, server.Close(context.WithoutCancel(ctx)))
}

// newServer has a HostAgent of its own for each call.
func newServer(stderr io.Writer) (*mcpserver.Server, error) {
	return mcpserver.New(mcpserver.Config{
		Name: "desk", Version: "1.0",
		Instructions: "Ask for what you want done with the mail and the calendar, in plain words.",
		Logger:       slog.New(slog.NewTextHandler(stderr, nil)),
		Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
			desk, err := newDesktop()
			if err != nil {
				return nil, err
			}
			host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: newScript(call.Request), Desktop: desk, User: call.User}})
			if err != nil {
				return nil, err
			}
			return round.NewSession(host, nil)
		},
	})
}

// serveHTTP serves until ctx is done.
func serveHTTP(ctx context.Context, server *mcpserver.Server, address string, stderr io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	if _, err := fmt.Fprintf(stderr, "serving on http://%s/mcp\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = web.Serve(listener)
	}()
	select {
	case <-ended:
		return err
	case <-ctx.Done():
	}
	// All calls have their answer before the connections go.
	problem := errors.Join(server.Close(context.WithoutCancel(ctx)), web.Close())
	<-ended
	return problem
}
