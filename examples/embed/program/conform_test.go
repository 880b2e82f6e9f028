package program

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
)

// shopDesktop is a desktop that knows its shop.
type shopDesktop struct {
	desktop.Desktop
	shop *shop
}

// The shop is as good a desktop as any, behind its window as well.
func TestDesktopConforms(t *testing.T) {
	open := func(t testing.TB) desktop.Desktop {
		t.Helper()
		s := newShop()
		d, err := s.desktop()
		require.NoError(t, err)
		return shopDesktop{d, s}
	}
	t.Run("screen", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return open(t).(shopDesktop).Desktop }, nil)
	})
	t.Run("window", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			d := open(t).(shopDesktop)
			scoped, err := desktop.Scope(t.Context(), d.Desktop, "1")
			require.NoError(t, err)
			return shopDesktop{scoped, d.shop}
		}, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "find_order", Parameters: map[string]any{"number": 1001}},
			Failing: desktop.Command{ToolName: "find_order", Parameters: map[string]any{"number": 1}},
			Effect:  desktop.Command{ToolName: "refund", Parameters: map[string]any{"number": 1002, "amount": 1}},
			Effects: func(d desktop.Desktop) int {
				o, err := d.(shopDesktop).shop.order(1002)
				require.NoError(t, err)
				return o.Refunded
			},
		})
	})
}

// The host's table is still sound with one state more.
func TestStatesConform(t *testing.T) {
	o := newOffice(io.Discard, Rules, nil)
	states, err := o.checkedStates()
	require.NoError(t, err)
	desk, err := o.shop.desktop()
	require.NoError(t, err)
	fsmtest.Run(t, states, func() fsm.Agent {
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: Rules, Desktop: desk}, States: states})
		require.NoError(t, err)
		return host
	})
}
