package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// What a driver sent before it was killed may come when the next driver has the desktop already. It is
// no act of a driver that lives and has lost its run.
func TestAnActOfADeadWorkerIsNoneOfALostOne(t *testing.T) {
	for name, c := range map[string]struct {
		dies bool
		want string
	}{
		"a driver that was killed": {true, evGone},
		"a driver that lives":      {false, evStale},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := openWorld(t.Context(), 1)
			require.NoError(t, err)
			defer func() { assert.NoError(t, w.close()) }()
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			var life int64
			require.NoError(t, call(ctx, w.address, "/run/open?token=0", nil, &life))
			require.NoError(t, call(ctx, w.address, "/run/open?token=0", nil, &life))
			assert.Equal(t, int64(2), life)
			if c.dies {
				time.AfterFunc(100*time.Millisecond, kill)
			}
			var result desktop.Result
			err = call(ctx, w.address, "/run/1/execute", desktop.Command{ToolName: "publish"}, &result)
			assert.Equal(t, c.dies, err != nil)
			assert.Eventually(t, func() bool {
				list := w.of("run")
				return len(list) == 4 && list[3].What == c.want
			}, 2*time.Minute, 10*time.Millisecond)
		})
	}
}

// A driver that stood still while its run was taken from it does not take the desktop back.
func TestTheDesktopIsOfTheLargestToken(t *testing.T) {
	w, err := openWorld(t.Context(), 1)
	require.NoError(t, err)
	defer func() { assert.NoError(t, w.close()) }()
	for _, c := range []struct{ token, want int64 }{{5, 1}, {3, nobody}, {5, 2}, {7, 3}, {0, nobody}} {
		var life int64
		require.NoError(t, call(t.Context(), w.address, fmt.Sprintf("/run/open?token=%d", c.token), nil, &life))
		assert.Equal(t, c.want, life, "token %d", c.token)
	}
}
