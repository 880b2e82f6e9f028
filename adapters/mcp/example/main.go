// Example serves an agent to any client of MCP, as the tool run_task. It needs no network, no display and
// no model service: the mail and the calendar are in memory, and the model follows a script.
//
//	go run ./example                       # over standard input and output
//	go run ./example -http 127.0.0.1:8080  # at http://127.0.0.1:8080/mcp
//
// A request with the word calendar puts the meeting of the mail into the calendar. The person at the client
// is asked which day it is, and to approve the event. Any other request reads the mail.
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
	"strings"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run is the program. Standard output belongs to the client.
func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("example", flag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("http", "", "`address` to serve HTTP on, such as 127.0.0.1:8080; else standard input and output")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := mcpserver.New(mcpserver.Config{
		Name: "desk", Version: "1.0", Logger: slog.New(slog.NewTextHandler(stderr, nil)), Open: open,
	})
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

// serveHTTP serves until ctx is done.
func serveHTTP(ctx context.Context, server *mcpserver.Server, address string, stderr io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(stderr, "serving on http://%s/mcp; a script plays the model\n", listener.Addr())
	defer context.AfterFunc(ctx, func() { // all calls have their answer before the connections go
		_ = server.Close(context.WithoutCancel(ctx))
		_ = web.Close()
	})()
	return web.Serve(listener)
}

// open opens the session of a call. The calendar overwrites what is there, so by default a person must
// approve an event.
func open(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
	type event struct {
		Title string `json:"title"`
		Day   string `json:"day"`
	}
	desk, err := desktop.New(
		desktop.Func("read_mail", "reads the mail that is open", func(context.Context, struct{}) (string, error) {
			return "Shall we meet for lunch in the first week of May? Ada", nil
		}, &desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("set_event", "sets the event of a day", func(_ context.Context, e event) (string, error) {
			return e.Title + " is on " + e.Day, nil
		}, &desktop.Annotations{DestructiveHint: true}))
	if err != nil {
		return nil, err
	}
	clerk, err := appagent.New(appagent.Config{Name: "Clerk", Model: script(call.Request), Desktop: desk, User: call.User})
	if err != nil {
		return nil, err
	}
	return round.NewSession(clerk, nil)
}

// script plays the model: it gives its replies one after another.
func script(request string) llm.Model {
	replies := []string{`{"Status": "CONTINUE", "Function": "read_mail"}`}
	if strings.Contains(strings.ToLower(request), "calendar") {
		replies = append(replies,
			`{"Status": "PENDING", "Questions": ["Which day of the first week of May?"]}`,
			`{"Status": "CONTINUE", "Function": "set_event", "Args": {"title": "Lunch with Ada", "day": "3 May"}}`,
			`{"Status": "FINISH", "Result": "Lunch with Ada is in the calendar."}`)
	} else {
		replies = append(replies, `{"Status": "FINISH", "Result": "Ada asks whether you meet for lunch in the first week of May."}`)
	}
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		if len(replies) == 0 {
			return nil, errors.New("example: the script has no reply left")
		}
		text := replies[0]
		replies = replies[1:]
		return &llm.Response{Text: text, Model: "script"}, nil
	})
}
