package desktoptest_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

func TestRulesAreAScript(t *testing.T) {
	d := desktoptest.New(t)
	d.Fail(desktop.RunShell, "first").Times(1)
	d.Lie(desktop.RunShell, desktop.TextResult("second and third")).Times(2)
	d.Break(desktop.RunShell, errBroken).Skip(1).Times(1)
	d.Fail("", "the rest").Skip(4)

	var got []string
	for range 6 {
		res, err := d.Execute(t.Context(), desktop.Command{ToolName: desktop.RunShell, Parameters: params{"bash_command": "x"}})
		switch {
		case err != nil:
			got = append(got, err.Error())
		case res.Status == desktop.Failure:
			got = append(got, res.Error)
		default:
			got = append(got, res.Content[0].Text)
		}
	}
	assert.Equal(t, []string{
		"first", "second and third", "second and third", "the transport is broken", "the rest", "the rest",
	}, got)
}

func TestLie(t *testing.T) {
	word, _ := wordAndExcel()
	d := desktoptest.New(t, word)
	d.Lie(desktop.SetEditText, desktop.Result{Status: "done", CallID: "another"}).Times(1)
	res, err := d.Execute(t.Context(), setEve)
	require.NoError(t, err)
	assert.Equal(t, desktop.Result{Status: "done", CallID: "another"}, res)

	_, err = desktop.Execute(t.Context(), d, setEve)
	require.NoError(t, err)
	assert.Equal(t, []bool{false, true}, executed(d))
}

func TestListToolsFaults(t *testing.T) {
	d := desktoptest.New(t)
	d.Fail(desktop.ListTools, "not now").Times(1)
	_, err := d.Tools(t.Context())
	assert.ErrorContains(t, err, "not now")
	d.Lie(desktop.ListTools, desktop.TextResult("nothing here")).Times(1)
	_, err = d.Tools(t.Context())
	assert.ErrorContains(t, err, "desktoptest: list_tools")
	d.On(desktop.ListTools, func(context.Context, desktoptest.Call) (any, error) {
		return []desktop.Tool{{Name: "only"}}, nil
	}).Times(1)
	assert.Equal(t, []string{"only"}, names(t, d))
	d.On(desktop.ListTools, func(context.Context, desktoptest.Call) (any, error) { panic("boom") })
	assert.PanicsWithValue(t, "boom", func() { _, _ = d.Tools(t.Context()) })
}

func TestPanic(t *testing.T) {
	word, _ := wordAndExcel()
	d := desktoptest.New(t, word)
	d.On(desktop.SetEditText, func(context.Context, desktoptest.Call) (any, error) { panic("early") }).Times(1)
	d.On(desktop.SetEditText, func(context.Context, desktoptest.Call) (any, error) { panic("late") }).Late()
	assert.PanicsWithValue(t, "early", func() { _, _ = d.Execute(t.Context(), setEve) })
	assert.Equal(t, "Ada", word.Value("3"))
	assert.PanicsWithValue(t, "late", func() { _, _ = d.Execute(t.Context(), setEve) })
	assert.Equal(t, "Eve", word.Value("3"))

	assert.Equal(t, []bool{false, true}, executed(d))
	for _, e := range d.Log() {
		assert.ErrorContains(t, e.Err, "panicked")
	}
	assert.Equal(t, desktop.Success, do(t, d, desktop.GetUITree, nil).Status, "no lock is left behind")
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		word, _ := wordAndExcel()
		d := desktoptest.New(t, word)
		d.Slow(desktop.SetEditText, time.Minute)
		d.Slow("", time.Second)
		start := time.Now()
		_, err := d.Execute(t.Context(), setEve)
		require.NoError(t, err)
		assert.Equal(t, 61*time.Second, time.Since(start), "delays add up")
		_, err = d.Tools(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 62*time.Second, time.Since(start))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		word.ChangeControl("3", func(now *desktop.Control) { now.Value = "Ada" })
		_, err = d.Execute(ctx, setEve)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "Ada", word.Value("3"), "who gave up before has changed nothing")
	})
}

func TestHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		word, _ := wordAndExcel()
		d := desktoptest.New(t, word)
		d.Slow(desktop.SetEditText, -1)
		d.After(desktop.SetEditText, func(desktoptest.Call) { t.Error("who gave up gets no hook") })
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(1000 * time.Hour)
			assert.ErrorContains(t, d.Log()[0].Err, "is running")
			cancel()
		}()
		_, err := d.Execute(ctx, setEve)
		assert.ErrorIs(t, err, context.Canceled)
	})
}

// What an agent saw is not what it meets.
func TestHooks(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel)
	d.After(desktop.GetUITree, func(call desktoptest.Call) {
		assert.Equal(t, "1", call.Window.ID)
		call.App.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete all" })
	}).Times(1)
	d.Before(desktop.ClickInput, func(call desktoptest.Call) {
		if fmt.Sprint(call.Params["id"]) == "2" {
			d.Gone(word)
		}
	})
	scope, err := d.Scope(t.Context(), "1")
	require.NoError(t, err)

	assert.Equal(t, "Save", ok[[]desktop.Control](t, scope, desktop.GetUITree, nil)[0].Name)
	assert.Equal(t, "Delete all", ok[[]desktop.Control](t, scope, desktop.GetUITree, nil)[0].Name)
	assert.Equal(t, desktop.Success, do(t, scope, desktop.ClickInput, params{"id": "1"}).Status)
	assert.Equal(t, `the window "1" is closed`, do(t, scope, desktop.ClickInput, params{"id": "2"}).Error)
}
