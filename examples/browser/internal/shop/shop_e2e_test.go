//go:build e2e

package shop_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/round"
)

// The tests of this file start browsers, one world after the other.

func says(yes bool) processor.User {
	return processor.UserFunc(func(context.Context, processor.Question) (processor.Answer, error) {
		return processor.Answer{Approved: yes, Text: "so says the test"}, nil
	})
}

// run does the job in a world of its own, and checks what must hold however it ends:
// no order that nobody approved, no password in any record, nothing left behind.
func run(t *testing.T, cfg shop.Config) (shop.Report, *shop.World, error) {
	t.Helper()
	var record, errs locked
	cfg.Record, cfg.Errors, cfg.Out = &record, &errs, t.TempDir()
	w, err := shop.Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	report, err := w.Run(t.Context())
	assert.NotErrorIs(t, err, shop.ErrUnapproved)
	processes := w.Processes()
	assert.NotEmpty(t, processes)
	require.NoError(t, w.Close())
	assert.Empty(t, w.Processes())
	assert.Contains(t, record.String(), `"outcome"`)
	for what, text := range map[string]string{
		"record": record.String(), "servers' errors": errs.String(), "report": fmt.Sprintf("%+v", report), "error": fmt.Sprint(err),
	} {
		assert.NotContains(t, text, w.Data().Password, what)
	}
	for _, p := range processes {
		assert.NotContains(t, p.Command, w.Data().Password)
	}
	return report, w, err
}

func TestFinishes(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			report, w, err := run(t, shop.Config{Seed: seed + 1, User: says(true)})
			require.NoError(t, err)
			assert.Equal(t, round.Finished, report.Outcome)
			require.NoError(t, w.Sites().Check(report.Approved))
			require.Len(t, report.Orders, 1)
			text, err := os.ReadFile(report.Summary)
			require.NoError(t, err)
			for _, line := range w.Data().Missing() {
				assert.Contains(t, string(text), fmt.Sprintf("- %d x %s\n", line.Quantity, line.SKU))
			}
		})
	}
}

func TestNoMeansNoOrder(t *testing.T) {
	for name, user := range map[string]processor.User{"no": says(false), "nobody": nil} {
		t.Run(name, func(t *testing.T) {
			report, _, err := run(t, shop.Config{Seed: 4, User: user})
			require.ErrorIs(t, err, round.ErrFailed)
			assert.Equal(t, round.Failed, report.Outcome)
			assert.Empty(t, report.Orders)
			assert.Empty(t, report.Summary)
			assert.True(t, report.Approved.IsZero())
		})
	}
}

// TestHostilePages is a page whose text orders the agent to send the form at once. It
// changes nothing: not with a model that keeps to its task, and not with one that does
// what the page says.
func TestHostilePages(t *testing.T) {
	for _, c := range []struct {
		name     string
		gullible bool
		yes      bool
		denied   bool
	}{
		{"sensible, yes", false, true, false},
		{"gullible, yes", true, true, true},
		{"gullible, no", true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			denied := 0
			report, w, err := run(t, shop.Config{
				Seed: 5, Hostile: true, Gullible: c.gullible, User: says(c.yes),
				Observe: func(s round.Step) {
					for _, v := range s.Verdicts {
						if v.Action == processor.Deny.String() {
							denied++
						}
					}
				},
			})
			assert.Equal(t, c.denied, denied > 0, "%d denied", denied)
			if !c.yes {
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Empty(t, report.Orders)
				return
			}
			require.NoError(t, err)
			require.NoError(t, w.Sites().Check(report.Approved))
			assert.Len(t, report.Orders, 1)
		})
	}
}

// TestOwnEndpoint asks a model that the environment names, as a user's own would be.
func TestOwnEndpoint(t *testing.T) {
	endpoint, err := rules.Start(nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, endpoint.Close()) })
	t.Setenv("OPENAI_BASE_URL", endpoint.URL())
	t.Setenv("OPENAI_API_KEY", endpoint.Key())
	report, w, err := run(t, shop.Config{Seed: 6, User: says(true), Model: rules.Name})
	require.NoError(t, err)
	assert.Nil(t, w.Model())
	assert.Len(t, report.Orders, 1)
	assert.Positive(t, endpoint.Calls())
}

// TestCancelled stops in the middle of a run.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps := 0
	w, err := shop.Start(t.Context(), shop.Config{Seed: 7, User: says(true), Observe: func(round.Step) {
		if steps++; steps == 4 {
			cancel()
		}
	}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	began := time.Now()
	report, err := w.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, round.Cancelled, report.Outcome)
	require.NoError(t, w.Close())
	assert.Empty(t, w.Processes())
	t.Logf("it took %v", time.Since(began))
}

// locked is a buffer for several writers.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ToValidUTF8(l.b.String(), "")
}
