package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// Programs are started one after the other, with their arguments, and the next one once the window is there.
func TestOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := t.TempDir()
		files := &desktoptest.App{Root: "thunar", Command: []string{"thunar", "dir"}, LaunchDelay: 20 * time.Second}
		editor := &desktoptest.App{Root: "mousepad", Command: []string{"mousepad", "a.txt"}}
		d := desktoptest.New(t, &desktoptest.App{Root: "panel", Running: true}, files, editor)
		d.Before(desktop.LaunchApplication, func(c desktoptest.Call) {
			if c.Params["name"] == "mousepad" {
				_, there := files.Window()
				assert.True(t, there)
			}
		})
		require.NoError(t, open(t.Context(), d, settings, [][]string{{"thunar", "dir"}, {"mousepad", "a.txt"}}))
		assert.Len(t, d.Calls(desktop.LaunchApplication), 2)
		_, there := editor.Window()
		assert.True(t, there)
		text, err := os.ReadFile(filepath.Join(settings, "mimeapps.list"))
		require.NoError(t, err)
		assert.Equal(t, "[Default Applications]\ntext/plain=org.xfce.mousepad.desktop\n", string(text))
	})
}

func TestOpenFails(t *testing.T) {
	broken := errors.New("no bus")
	for name, c := range map[string]struct {
		prepare func(d *desktoptest.Desktop)
		says    string
	}{
		"not a program":     {func(d *desktoptest.Desktop) { d.Fail(desktop.LaunchApplication, "no such file") }, "thunar: no such file"},
		"broken":            {func(d *desktoptest.Desktop) { d.Break(desktop.LaunchApplication, broken) }, "no bus"},
		"no list":           {func(d *desktoptest.Desktop) { d.Break(desktop.GetDesktopAppInfo, broken) }, "no bus"},
		"no list at last":   {func(d *desktoptest.Desktop) { d.Break(desktop.GetDesktopAppInfo, broken).Skip(1) }, "thunar: desktop: "},
		"a window too late": {func(*desktoptest.Desktop) {}, "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := desktoptest.New(t, &desktoptest.App{Root: "thunar", LaunchDelay: -1})
				c.prepare(d)
				require.ErrorContains(t, open(t.Context(), d, t.TempDir(), [][]string{{"thunar"}, {"mousepad"}}), c.says)
				assert.LessOrEqual(t, len(d.Calls(desktop.LaunchApplication)), 1, "the next one is not started")
			})
		})
	}
	d := desktoptest.New(t)
	require.ErrorIs(t, open(t.Context(), d, filepath.Join(t.TempDir(), "none"), nil), os.ErrNotExist)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, open(ctx, d, t.TempDir(), [][]string{{"thunar"}}), context.Canceled)
}
