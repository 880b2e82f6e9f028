package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/runs"
)

// onTemporal has a Temporal server that keeps everything in memory, and outlives the kills. make temporal-server builds it.
var onTemporal = engine{
	real: true,
	start: func(ctx context.Context, _, _, _ string) (at string, end func() error, err error) {
		program := os.Getenv(temporalEnv)
		if program == "" {
			program = "bin/temporal-server" // make crash runs in the root
		}
		cmd := exec.CommandContext(ctx, program)
		in, err := cmd.StdinPipe() // which ends with us
		if err != nil {
			return "", nil, fmt.Errorf("crash: %w", err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return "", nil, fmt.Errorf("crash: %w", err)
		}
		if err := cmd.Start(); err != nil {
			return "", nil, fmt.Errorf("crash: run make temporal-server, or name one in %s: %w", temporalEnv, err)
		}
		end = func() error {
			_ = in.Close()
			return cmd.Wait()
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		return strings.TrimSpace(line), end, err
	},
	open: func(ctx context.Context, j job) (runs.Engine, func() error, error) {
		address, namespace, _ := strings.Cut(j.At, " ")
		sdkworker.SetStickyWorkflowCacheSize(100)
		c, err := client.DialContext(ctx, client.Options{
			HostPort: address, Namespace: namespace, Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
			ConnectionOptions: client.ConnectionOptions{GetSystemInfoTimeout: time.Minute}, // of a server that has two processors with ten others
		})
		if err != nil {
			return nil, nil, fmt.Errorf("crash: %w", err)
		}
		// One that stands still is given up within the time for which others do.
		e, err := temporal.New(c, &temporal.Options{Heartbeat: 2 * time.Second})
		return e, func() error { c.Close(); return nil }, err
	},
}

const temporalEnv = "AGENTFSM_TEMPORAL"
