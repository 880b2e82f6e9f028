//go:build linux

package shop_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// The tests of this file start browsers, a world for each case.

// brief is the MaxDuration of a run to which something is done right behind its first step, in which no browser has a part.
const brief = 8 * time.Second

// approval is the moment at which a person says yes to the order.
func approval(q people.Question) bool { return q.Command != nil }

// TestRealKilledBrowser kills a Chromium, all of it, in the middle of a run.
func TestRealKilledBrowser(t *testing.T) {
	installed(t)
	leavesNothing(t)
	for i, c := range []struct {
		name    string
		at      when
		browser string
		orders  int
		ends    round.Outcome
	}{
		{"warehouse, between steps", when{step: pressed("Next page", 1)}, shop.Warehouse, 1, round.Finished},
		{"warehouse, in a click", when{arrived: posted("warehouse", "/login", 1)}, shop.Warehouse, 1, round.Finished},
		{"supplier, between steps", when{step: pressed("Add line", 2)}, shop.Supplier, 1, round.Finished},
		{"supplier, in a click", when{arrived: posted("supplier", "/lines", 2)}, shop.Supplier, 1, round.Finished},
		{"supplier, approved and not sent", when{asked: approval}, shop.Supplier, 1, round.Finished},
		{"supplier, while the order arrives", when{arrived: posted("supplier", "/order", 1)}, shop.Supplier, 1, round.Failed},
		{"supplier, before the order arrives", when{arrived: posted("supplier", "/order", 1), closed: true}, shop.Supplier, 0, round.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Case(t, i)
			t.Parallel()
			h := &harm{cfg: shop.Config{Seed: 2}}
			report, err := h.run(t, c.at, killBrowser(c.browser))
			assert.Equal(t, c.ends, report.Outcome)
			assert.Len(t, h.world.Sites().Orders(), c.orders)
			if c.ends == round.Failed {
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Contains(t, report.Reason, rules.Final)
			}
		})
	}
}

// TestRealKilledServer kills the process of an MCP server, which does not come back: the
// run ends in ERROR.
func TestRealKilledServer(t *testing.T) {
	installed(t)
	leavesNothing(t)
	for i, c := range []struct {
		name   string
		at     when
		server string
		orders int
	}{
		{"warehouse, between steps", when{step: pressed("Next page", 1)}, shop.Warehouse, 0},
		{"warehouse, in a click", when{arrived: posted("warehouse", "/login", 1)}, shop.Warehouse, 0},
		{"supplier, approved and not sent", when{asked: approval}, shop.Supplier, 0},
		{"supplier, while the order arrives", when{arrived: posted("supplier", "/order", 1)}, shop.Supplier, 1},
		{"files, between steps", when{step: used("write_file")}, shop.Files, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Case(t, i)
			t.Parallel()
			h := &harm{cfg: shop.Config{Seed: 2}}
			report, err := h.run(t, c.at, toServer(c.server, syscall.SIGKILL))
			assert.Equal(t, round.Faulted, report.Outcome)
			require.ErrorIs(t, err, round.ErrFault)
			require.ErrorIs(t, err, mcp.ErrDisconnected)
			var server *mcp.ServerError
			require.ErrorAs(t, err, &server)
			assert.Equal(t, c.server, server.Server)
			var exit *mcp.ExitError
			require.ErrorAs(t, err, &exit)
			assert.Equal(t, "signal: killed", exit.State)
			assert.Len(t, h.world.Sites().Orders(), c.orders)
		})
	}
}

// TestRealStoppedServer is a server that is there and says nothing any more. What ends that
// is the bound of a command, or that of the run.
func TestRealStoppedServer(t *testing.T) {
	installed(t)
	leavesNothing(t)
	const command = 10 * time.Second // 16 times as long as the longest takes here, for none before the deed may take longer
	t.Run("supplier, while the order arrives", func(t *testing.T) {
		sample.Case(t, 0)
		t.Parallel()
		h := &harm{cfg: shop.Config{Seed: 2, MaxCommand: command}, more: 3 * command}
		report, err := h.run(t, when{arrived: posted("supplier", "/order", 1)}, toServer(shop.Supplier, syscall.SIGSTOP))
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Contains(t, report.Reason, "the order may have been sent: no answer came in time")
		assert.Len(t, h.world.Sites().Orders(), 1)
	})
	t.Run("files, between steps", func(t *testing.T) {
		sample.Case(t, 1)
		t.Parallel()
		h := &harm{cfg: shop.Config{Seed: 2, MaxCommand: command}, more: command}
		report, err := h.run(t, when{step: used("write_file")}, toServer(shop.Files, syscall.SIGSTOP))
		assert.Equal(t, round.Faulted, report.Outcome)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "no answer within "+command.String())
	})
	t.Run("warehouse, for the whole run", func(t *testing.T) {
		sample.Case(t, 2)
		t.Parallel()
		h := &harm{cfg: shop.Config{Seed: 2, MaxCommand: -1, MaxDuration: brief}, more: brief}
		_, err := h.run(t, when{step: first}, toServer(shop.Warehouse, syscall.SIGSTOP))
		var bound *round.BudgetError
		require.ErrorAs(t, err, &bound)
		assert.Equal(t, "MaxDuration", bound.Bound)
	})
}

// TestRealKilledModel kills the server of the model, a process of its own here.
func TestRealKilledModel(t *testing.T) {
	installed(t)
	leavesNothing(t)
	const call = 7 // in the middle of the supplier's part
	t.Run("in a call", func(t *testing.T) {
		sample.Case(t, 0)
		server := serveModel(t, call)
		h := &harm{cfg: shop.Config{Seed: 2, Model: rules.Name}}
		report, err := h.run(t, when{started: server.slow}, func(*harm) { server.kill(true) })
		assert.Equal(t, round.Faulted, report.Outcome)
		require.ErrorIs(t, err, round.ErrFault)
		require.ErrorIs(t, err, llm.ErrUnavailable)
		assert.Empty(t, h.world.Sites().Orders())
	})
	t.Run("between calls", func(t *testing.T) {
		sample.Case(t, 1)
		server := serveModel(t, 0)
		h := &harm{cfg: shop.Config{Seed: 2, Model: rules.Name}}
		report, err := h.run(t, when{step: pressed("Add line", 1)}, func(*harm) { server.kill(true) })
		assert.Equal(t, round.Faulted, report.Outcome)
		require.ErrorIs(t, err, llm.ErrUnavailable)
		assert.Empty(t, h.world.Sites().Orders())
	})
	t.Run("in a call, and is started again", func(t *testing.T) {
		sample.Case(t, 2)
		server := serveModel(t, call)
		h := &harm{cfg: shop.Config{Seed: 2, Model: rules.Name}, any: true}
		report, err := h.run(t, when{started: server.slow}, func(*harm) { server.kill(false); server.start(0) })
		require.NoError(t, err)
		assert.Equal(t, round.Finished, report.Outcome)
		assert.Nil(t, h.world.Model(), "it is the user's own endpoint")
	})
	t.Run("stands still", func(t *testing.T) {
		sample.Case(t, 3)
		server := serveModel(t, 0)
		h := &harm{cfg: shop.Config{Seed: 2, Model: rules.Name, MaxDuration: brief}, more: brief}
		_, err := h.run(t, when{step: first}, func(h *harm) { assert.NoError(h.t, server.process.Signal(syscall.SIGSTOP)) })
		require.ErrorIs(t, err, round.ErrBudget)
	})
}
