package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// bounds are those with which a run starts.
func bounds() *round.Options { return &round.Options{MaxSteps: 30} }

func (p *process) service() (*runs.Service, error) {
	return runs.New(p.store, runs.Config{
		Agent:  p.agent,
		Round:  bounds(),
		Poll:   100 * time.Millisecond, // a demonstration is impatient
		Logger: slog.New(slog.NewTextHandler(p.errs, nil)),
	})
}

// grace is how long a step may take to come to its end when the process is to end.
const grace = 5 * time.Second

// work drives runs until ctx is done.
func work(ctx context.Context, p *process) error {
	svc, err := p.service()
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, "driving runs")
	return drive(ctx, svc)
}

func drive(ctx context.Context, svc *runs.Service) error {
	stop := context.AfterFunc(ctx, func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		_ = svc.Close(within) // Work returns then
	})
	defer stop()
	if err := svc.Work(context.WithoutCancel(ctx)); !errors.Is(err, runs.ErrClosed) {
		return err
	}
	return nil
}

// serve serves the API until ctx is done.
func serve(ctx context.Context, p *process) error {
	svc, err := p.service()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.address)
	if err != nil {
		return err
	}
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	server := &http.Server{
		Handler:           runshttp.New(svc, runshttp.Config{Local: true}),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return streams },
	}
	server.RegisterOnShutdown(endStreams) // Shutdown waits for them
	fmt.Fprintf(p.out, "serving http://%s\n", listener.Addr())
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(listener) }()
	if p.work {
		go func() { ended <- drive(ctx, svc) }()
	}
	select {
	case err = <-ended: // it could not go on
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = errors.Join(err, server.Shutdown(within), svc.Close(within))
	for range map[bool]int{true: 1, false: 0}[p.work] {
		if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// answer answers a question. The next worker that looks goes on with the run.
func answer(ctx context.Context, p *process) error {
	word := p.args[2]
	given, err := durable.Answer(ctx, p.store, p.args[0], p.args[1], people.Answer{Text: word, Approved: isYes(word), By: os.Getenv("USER")})
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s: %s\n", word, map[bool]string{true: "this answer counts", false: "too late, another answer counts"}[given])
	return nil
}

// show prints the records of a run.
func show(ctx context.Context, p *process) error {
	for record, err := range durable.Records(ctx, p.store, p.args[0]) {
		if err != nil {
			return err
		}
		fmt.Fprintln(p.out, record)
	}
	return nil
}

// replay does a run once more with what its journal has, without model and shop.
func replay(ctx context.Context, p *process) error {
	state, err := durable.Look(ctx, p.store, p.args[0])
	if err != nil {
		return err
	}
	agent, _, err := p.agent(ctx, state)
	if err != nil {
		return err
	}
	result, err := durable.Replay(ctx, agent, p.store, state.Run, bounds())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "the same in all %d steps: %s\n", result.Steps, result.Outcome)
	return nil
}
