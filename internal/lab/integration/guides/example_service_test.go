package guides_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// NewService says how the agents of a run are made.
func NewService(st store.Store, model llm.Model, mailbox func(owner string) desktop.Desktop) (*runs.Service, error) {
	return runs.New(st, runs.Config{
		Round: &round.Options{MaxSteps: 30}, // of what this process starts
		Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			var about struct{ Owner string }
			if err := json.Unmarshal(run.Meta, &about); err != nil {
				return nil, nil, fmt.Errorf("%w: %w", runs.ErrAside, err) // trying again is no use
			}
			return NewClerk(model, mailbox(about.Owner)), nil, nil
		},
	})
}

// Serve serves runs and drives them, until ctx is done.
func Serve(ctx context.Context, svc *runs.Service, listener net.Listener) error {
	server := &http.Server{Handler: runshttp.New(svc, runshttp.Config{Local: true}), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(listener) }()
	go func() { ended <- svc.Work(context.WithoutCancel(ctx)) }() // until Close
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	server.RegisterOnShutdown(func() { _ = svc.Close(last) }) // it ends the streams, for which Shutdown waits
	return errors.Join(err, server.Shutdown(last), svc.Close(last))
}

// Authorize lets users start and follow the runs whose ids begin with their names. The boss approves, in all runs.
func Authorize(users map[string]string) func(*http.Request, http.Header, runshttp.Action) (string, error) {
	ofOwner := []string{"start", "list", "get", "watch", "cancel", "fork"}
	ofBoss := []string{"list", "get", "watch", "answer"}
	return func(r *http.Request, answer http.Header, a runshttp.Action) (string, error) {
		user := users[r.Header.Get("Authorization")]
		switch {
		case user == "":
			answer.Set("WWW-Authenticate", "Bearer")
			return "", errors.New("who are you?")
		case user == "boss" && slices.Contains(ofBoss, a.Name):
			return user, nil
		case strings.HasPrefix(a.Run+a.Prefix, user+"/") && slices.Contains(ofOwner, a.Name): // a list has only a Prefix
			return user, nil
		}
		return "", fmt.Errorf("%s may not %s this", user, a.Name)
	}
}

// call sends a request to the service, and returns what came back.
func call(method, url, body string) map[string]any {
	r, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var got map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		panic(err)
	}
	return got
}

// until watches a run up to an event of a kind.
func until(url, kind string) {
	resp, err := http.Get(url + "/events") //nolint:noctx // it ends with the run
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), `"kind":"`+kind+`"`) {
			return
		}
	}
}

// A client starts a run and answers twice; then the program mends a run that reached a bound.
func Example_service() {
	mailbox := &Mailbox{}
	model := llmtest.Script(nil,
		`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`,
		`{"Status": "FINISH", "Result": "Bob knows."}`,
		`{"Function": "read_outbox", "Status": "CONTINUE"}`,
		`{"Status": "FINISH", "Result": "Bob got a mail."}`,
	)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	svc, err := NewService(store.Memory(), model, func(string) desktop.Desktop { return mailbox.Desktop() })
	if err != nil {
		panic(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, svc, listener) }()

	url := "http://" + listener.Addr().String() + "/runs"
	run := url + "/" + call("POST", url, `{"id": "mail-12", "request": "tell Bob the price", "meta": {"owner": "Ann"}}`)["id"].(string)
	until(run, "stop")
	question := call("GET", run, "")["questions"].([]any)[0].(map[string]any)
	fmt.Println(question["text"])
	for range 2 { // a double click
		fmt.Println(call("POST", run+"/answers/"+question["id"].(string), `{"approved": true}`))
	}
	until(run, "end")
	fmt.Println(call("GET", run, "")["answer"], mailbox.sent)

	short := &durable.StartOptions{Round: &round.Options{MaxSteps: 1}, Meta: json.RawMessage(`{"owner": "Ann"}`)}
	if _, err := svc.Start(ctx, "look-12", "who got mail?", short); err != nil {
		panic(err)
	}
	until(url+"/look-12", "postpone")
	aside := call("GET", url+"?stage=aside", "")["runs"].([]any)[0].(map[string]any)
	fmt.Println(aside["stage"], aside["reason"])
	// region retry
	_, err = svc.Retry(ctx, "look-12", func(bounds *round.Options) { bounds.MaxSteps = 60 })
	// endregion
	if err != nil {
		panic(err)
	}
	until(url+"/look-12", "end")
	fmt.Println(call("GET", url+"/look-12", "")["answer"])
	stop()
	fmt.Println(<-ended)
	// Output:
	// Allow send_mail {"text":"12 euros","to":"bob@example.com"}? It needs approval because the tool is marked as destructive.
	// map[given:true]
	// map[given:false]
	// Bob knows. [bob@example.com]
	// aside round: MaxSteps of 1 reached (used 1); last positions: AppAgent:CONTINUE, AppAgent:CONTINUE
	// Bob got a mail.
	// <nil>
}
