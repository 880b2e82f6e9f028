package desktop_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

func TestJoinRoutesByTool(t *testing.T) {
	word, shell := offers("read", "write"), offers("run_shell")
	d := desktop.Join(word, shell)

	// The first command finds its desktop without a listing before it.
	execute(t, d, desktop.Command{ToolName: "run_shell"})
	assert.Equal(t, []string{"read", "write", "run_shell"}, toolsOf(t, d))
	for _, name := range []string{"write", "read", "run_shell"} {
		execute(t, d, desktop.Command{ToolName: name})
	}
	assert.Equal(t, []string{"write", "read"}, word.names())
	assert.Equal(t, []string{"run_shell", "run_shell"}, shell.names())

	res := execute(t, d, desktop.Command{ToolName: "fly"})
	assert.Equal(t, `desktop: unknown tool "fly"; the tools are: read, run_shell, write`, res.Error)
	shell.tools = offers("run_shell", "fly").tools
	res = execute(t, d, desktop.Command{ToolName: "fly"})
	assert.Equal(t, desktop.Success, res.Status, "a tool that came later is found")
}

// Of a name that several have, the first desktop's tool is executed; the others are left
// out with their reason.
func TestJoinWithANameTwice(t *testing.T) {
	first, third := offers("a"), offers("c", "a")
	d := desktop.Join(first, offers("b"), third)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c"}, toolNames(box.Tools()))
	require.Len(t, box.Unusable(), 1)
	assert.EqualError(t, box.Unusable()[0], `desktop: tool "a" cannot be used: another tool has the same name`)
	execute(t, d, desktop.Command{ToolName: "a"})
	assert.Equal(t, []string{"a"}, first.names())
	assert.Empty(t, third.names())
}

// A tool says where it is, and a command for another origin is not executed.
func TestJoinKnowsOrigins(t *testing.T) {
	mail := &fake{tools: func(context.Context) ([]desktop.Tool, error) {
		return []desktop.Tool{{Name: "send", Origin: "mail"}}, nil
	}}
	fax := offers("fax")
	d := desktop.Join(fax, mail)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	send, _ := box.Tool("send")
	assert.Equal(t, "desktop 2: mail", send.Origin)
	plain, _ := box.Tool("fax")
	assert.Equal(t, "desktop 1", plain.Origin)

	do := func(tool, origin string) desktop.Result {
		res := execute(t, d, desktop.Command{ToolName: tool, Origin: origin})
		return res
	}
	assert.Equal(t, desktop.Success, do("send", "desktop 2: mail").Status)
	assert.Equal(t, "mail", mail.got[0].Origin, "as it is there")
	assert.Equal(t, desktop.Success, do("send", "").Status)
	assert.Equal(t, `it was not executed: it is another tool of that name now, from "desktop 2: mail" and not from "desktop 1": look at its description`, do("send", "desktop 1").Error)

	// Somebody else lists the tools while the command is on its way.
	mail.tools = func(context.Context) ([]desktop.Tool, error) { return nil, nil }
	fax.tools = offers("fax", "send").tools
	_, err = desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	assert.Equal(t, `it was not executed: it is another tool of that name now, from "desktop 1" and not from "desktop 2: mail": look at its description`, do("send", "desktop 2: mail").Error)
	assert.Len(t, mail.got, 2)
	assert.Empty(t, fax.names())
}

func TestJoinListsTheToolsOfAll(t *testing.T) {
	first, second := offers("list_tools", "a"), offers("b", "list_tools")
	d := desktop.Join(first, second)
	res, err := commands.Do(t.Context(), d, desktop.Command{ToolName: desktop.ListTools})
	require.NoError(t, err)
	var tools []desktop.Tool
	require.NoError(t, res.Decode(&tools))
	assert.Equal(t, []string{"list_tools", "a", "b"}, toolNames(tools))
	assert.Empty(t, first.got)
}

func TestJoinSaysWhoFailed(t *testing.T) {
	broken := &fake{tools: func(context.Context) ([]desktop.Tool, error) { return nil, io.ErrUnexpectedEOF }}
	panics := &fake{tools: func(context.Context) ([]desktop.Tool, error) { panic(io.ErrClosedPipe) }}
	for want, d := range map[string]desktop.Desktop{
		"desktop: list_tools: desktop: joined desktop 2: unexpected EOF":                                desktop.Join(offers("a"), broken),
		"desktop: list_tools: desktop: joined desktop 1: there is no desktop":                           desktop.Join(nil, offers("a")),
		"desktop: list_tools: desktop: joined desktop 2: desktop: panic: io: read/write on closed pipe": desktop.Join(offers("a"), panics),
	} {
		_, err := desktop.Open(t.Context(), d, nil)
		assert.EqualError(t, err, want)

		_, err = desktop.Execute(t.Context(), d, desktop.Command{ToolName: "a"})
		assert.EqualError(t, err, strings.Replace(want, "list_tools", "a", 1), "a command cannot be routed without a list")
	}
	_, err := desktop.Open(t.Context(), desktop.Join(panics), nil)
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestJoinListsConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var desktops []desktop.Desktop
		for i := range 20 {
			name := string(rune('a' + i))
			desktops = append(desktops, &fake{tools: func(context.Context) ([]desktop.Tool, error) {
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return []desktop.Tool{{Name: name}}, nil
			}})
		}
		start := time.Now()
		box, err := desktop.Open(t.Context(), desktop.Join(desktops...), nil)
		require.NoError(t, err)
		assert.Len(t, box.Tools(), 20)
		assert.Equal(t, "a", box.Tools()[0].Name, "in the order of the desktops")
		assert.Equal(t, int32(8), most.Load())
		assert.Equal(t, 3*time.Second, time.Since(start))
	})
}

// One that does not answer does not keep the others' errors, or the deadline,
// from ending the listing; nothing goes on behind it.
func TestJoinEndsItsListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var desktops []desktop.Desktop
		for range 12 {
			desktops = append(desktops, untilDone(nil))
		}
		start := time.Now()
		_, err := desktop.Open(t.Context(), desktop.Join(desktops...), nil)
		assert.EqualError(t, err, "desktop: list_tools: no answer within 1m0s")
		assert.Equal(t, time.Minute, time.Since(start))

		start = time.Now()
		broken := &fake{tools: func(context.Context) ([]desktop.Tool, error) {
			time.Sleep(time.Second)
			return nil, io.ErrUnexpectedEOF
		}}
		_, err = desktop.Open(t.Context(), desktop.Join(append([]desktop.Desktop{broken}, desktops[:7]...)...), nil)
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.Equal(t, time.Second, time.Since(start))
	})
}

func TestJoinScope(t *testing.T) {
	knows := func(id, tool string) desktop.Desktop {
		return scoped{offers("wide_" + tool), func(_ context.Context, windowID string) (desktop.Desktop, error) {
			switch windowID {
			case id:
				return offers(tool), nil
			case "nil":
				return nil, nil
			}
			return nil, errors.New(tool + " does not have it")
		}}
	}
	d := desktop.Join(knows("1", "word"), offers("run_shell"), knows("2", "excel"))

	narrow := narrowed(t, d, "2")
	assert.Equal(t, []string{"run_shell", "excel"}, toolsOf(t, narrow), "no tool of other windows")

	_, err := desktop.Scope(t.Context(), d, "3")
	assert.EqualError(t, err, "desktop: commands cannot be limited to window \"3\": desktop: joined desktop 1: word does not have it\ndesktop: joined desktop 3: excel does not have it")
	_, err = desktop.Scope(t.Context(), d, "nil")
	assert.ErrorContains(t, err, "joined desktop 1: there is no desktop")

	plain := desktop.Join(offers("a"), offers("b"))
	same := narrowed(t, plain, "1")
	assert.Same(t, plain, same)
}

// Two desktops may have a window of the same id: the first one's is meant.
func TestJoinScopesToOneWindow(t *testing.T) {
	scratch, payroll := offers("note"), offers("wipe")
	narrow := narrowed(t, desktop.Join(screenOf(t, "scratch", scratch), screenOf(t, "payroll", payroll)), "1")
	assert.NotContains(t, toolsOf(t, narrow), "wipe")
	w := windowOf(t, narrow)
	assert.Equal(t, "scratch", w.Root)
	res := execute(t, narrow, desktop.Command{ToolName: "wipe"})
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Empty(t, payroll.names())
}
