package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a worker sent before it was killed may come when the next worker has the desktop already. It is
// no act of a worker that lives and has lost its run.
func TestAnActOfADeadWorkerIsNoneOfALostOne(t *testing.T) {
	for name, c := range map[string]struct {
		dies bool
		want string
	}{
		"a worker that was killed": {true, evGone},
		"a worker that lives":      {false, evStale},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			book, err := newLogbook(path, io.Discard)
			require.NoError(t, err)
			server := httptest.NewServer((&desks{service: &service{log: book}, byRun: map[string]*desk{}}).handler())
			defer server.Close()
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			post := func(path, body string) error {
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+path, strings.NewReader(body))
				require.NoError(t, err)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					return err
				}
				return resp.Body.Close()
			}
			require.NoError(t, post("/run/open", ""))
			require.NoError(t, post("/run/open", ""))
			if c.dies {
				time.AfterFunc(100*time.Millisecond, kill)
			}
			err = post("/run/1/execute", `{"tool_name":"publish"}`)
			assert.Equal(t, c.dies, err != nil)
			events := &logReader{path: path, byRun: map[string][]event{}}
			assert.Eventually(t, func() bool {
				list, err := events.of("run")
				return err == nil && len(list) == 4 && list[3].What == c.want
			}, 2*time.Minute, 10*time.Millisecond)
		})
	}
}

// A worker that stood still while its run was taken from it does not take the desktop back.
func TestTheDesktopIsOfTheLargestToken(t *testing.T) {
	book, err := newLogbook(filepath.Join(t.TempDir(), "log"), io.Discard)
	require.NoError(t, err)
	d := &desks{service: &service{log: book}, byRun: map[string]*desk{}}
	for _, c := range []struct{ token, want int64 }{{5, 1}, {3, nobody}, {5, 2}, {7, 3}, {0, nobody}} {
		life, err := d.open("run", c.token)
		require.NoError(t, err)
		assert.Equal(t, c.want, life, "token %d", c.token)
	}
}
