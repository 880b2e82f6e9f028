package builtin_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// prompt is one that says nothing yet, of an agent with one tool.
func prompt(t *testing.T) *builtin.Prompt {
	t.Helper()
	box, err := desktop.NewToolbox([]desktop.Tool{{Name: "read"}}, nil)
	require.NoError(t, err)
	return &builtin.Prompt{System: system(t, "I am Anna."), Fields: func(*builtin.Offer) any { return builtin.HostFields{} }, Box: box, Data: &builtin.Data{}, Steps: 10}
}

func system(t *testing.T, text string) *builtin.Template {
	t.Helper()
	parsed, err := builtin.ParsePrompt(text, builtin.HostFields{Name: "a host"})
	require.NoError(t, err)
	return parsed
}

// A prompt is the same whether its texts were kept or are written anew.
func TestKept(t *testing.T) {
	var kept builtin.Kept
	p := prompt(t)
	p.System = system(t, "I may say {{.Statuses}}.")
	tree := []desktop.Control{{ID: "ok"}}
	for i := range 40 {
		p.Offered = []fsm.Status{fsm.Continue}
		if i%7 == 0 {
			p.Offered = append(p.Offered, fsm.Finish)
		}
		if i == 20 {
			var err error
			p.Box, err = desktop.NewToolbox([]desktop.Tool{{Name: "write"}}, nil)
			require.NoError(t, err)
		}
		if i == 30 { // another process loads the same memory
			log, err := p.Data.Memory.Save()
			require.NoError(t, err)
			text, err := json.Marshal(log)
			require.NoError(t, err)
			var again fsm.Log
			require.NoError(t, json.Unmarshal(text, &again))
			require.NoError(t, p.Data.Memory.Load(again))
		}
		if i == 35 { // another memory
			p.Data.Memory = acting.Memory{}
		}
		p.Fields = func(*builtin.Offer) any { return builtin.HostFields{Statuses: builtin.StatusesOf(p.Offered)} }
		p.Task, p.Now = nil, nil
		p.Task.Add("request", "do <it>", true)
		p.Task.Add("knowledge", i/5, i%2 == 0)
		p.Now.Add("number", i/3, i%4 > 0)
		if i%5 < 3 { // else the desktop said something else
			p.Now.Add("controls", tree, true)
		} else {
			p.Now.Add("controls", []desktop.Control{{ID: fmt.Sprint(i)}}, true)
		}
		p.Now.Add("list", []int{i / 2}, true)
		got, err := kept.Messages(p)
		require.NoError(t, err)
		want, err := new(builtin.Kept).Messages(p)
		require.NoError(t, err)
		require.Equal(t, want, got, i)
		memory := p.Data.Memory.Recent(10)
		raw, there := llm.FindSection(&llm.Request{Messages: got}, "history")
		require.Equal(t, len(memory) > 0, there)
		if there {
			var history []acting.Memo
			require.NoError(t, json.Unmarshal(raw, &history))
			require.Equal(t, memory, history)
		}
		p.Data.Memory.Add(acting.Memo{Note: fmt.Sprintf("step %d: <b> \u2028 \u0085", i)})
	}
}

// What was written for one prompt is the same text in the next, not a copy of it.
func TestKeptIsNotCopied(t *testing.T) {
	var kept builtin.Kept
	p := prompt(t)
	p.Data.Memory.Add(acting.Memo{Note: "one"})
	p.Task.Add("request", "draw", true)
	p.Now.Add("windows", []string{"chart"}, true)
	first, err := kept.Messages(p)
	require.NoError(t, err)
	p.Data.Memory.Add(acting.Memo{Note: "two"})
	second, err := kept.Messages(p)
	require.NoError(t, err)
	at := func(messages []llm.Message, word string) *byte {
		for _, m := range messages {
			for _, part := range m.Parts {
				if strings.Contains(part.Text, word) {
					return unsafe.StringData(part.Text)
				}
			}
		}
		return nil
	}
	for _, word := range []string{"Anna", `"read"`, `"one"`, "draw", "chart"} {
		require.NotNil(t, at(first, word), word)
		assert.Same(t, at(first, word), at(second, word), word)
	}
}

// Agents with one prompt share its template and what it gave; another text or other fields are
// something else.
func TestTemplatesAreShared(t *testing.T) {
	text := "I am {{.Name}}." + t.Name()
	host := system(t, text)
	assert.Same(t, host, system(t, text))
	assert.NotSame(t, host, system(t, text+" "))
	app, err := builtin.ParsePrompt(text, builtin.AppFields{})
	require.NoError(t, err)
	assert.NotSame(t, host, app)

	anna, err := host.Text(builtin.HostFields{Name: "Anna"})
	require.NoError(t, err)
	again, err := host.Text(builtin.HostFields{Name: "Anna"})
	require.NoError(t, err)
	assert.Same(t, anna, again)
	other, err := host.Text(builtin.HostFields{Name: "Anna", GraphPlans: true})
	require.NoError(t, err)
	assert.NotSame(t, anna, other)
	_, err = builtin.ParsePrompt(text+"{{.Window}}", builtin.HostFields{})
	require.Error(t, err)
	_, err = builtin.ParsePrompt(text+"{{.Window}}", builtin.AppFields{})
	require.NoError(t, err, "what failed for one kind is not kept for the other")
}

// Breakpoints stand behind the tools, the task and each step: behind the last one the next prompt goes on.
func TestBreakpoints(t *testing.T) {
	var kept builtin.Kept
	p := prompt(t)
	end := func(want ...string) {
		t.Helper()
		messages, err := kept.Messages(p)
		require.NoError(t, err)
		var got []string
		for _, m := range messages {
			text := ""
			for _, part := range m.Parts {
				if text += part.Text; part.CacheBreakpoint {
					got = append(got, text)
				}
			}
		}
		require.Len(t, got, len(want))
		for i := range want {
			assert.True(t, strings.HasSuffix(got[i], want[i]), "%q does not end in %q", got[i], want[i])
		}
	}
	const closed = "\n```\n\n"
	p.Now.Add("now", 1, true)
	end(`"read"}]` + closed)
	p.Task.Add("request", "do it", true)
	p.Data.Memory.Add(acting.Memo{Note: "one"})
	p.Data.Memory.Add(acting.Memo{Note: "two"})
	end(`"read"}]`+closed, `"do it"`+closed, `{"note":"one"}`, `{"note":"two"}`)
	p.Box = new(desktop.Toolbox)
	end("Anna.", `"do it"`+closed, `{"note":"one"}`, `{"note":"two"}`)
}

// Agents with one list of tools share what prompts say of it, and another list is something else.
func TestOffersAreShared(t *testing.T) {
	box := func(names ...string) *desktop.Toolbox {
		var tools []desktop.Tool
		for _, name := range names {
			tools = append(tools, desktop.Tool{Name: name, Group: "a group"})
		}
		b, err := desktop.NewToolbox(tools, nil)
		require.NoError(t, err)
		return b
	}
	read, write, looks := box("read"), box("write"), box(desktop.GetUITree)
	offer := func(k *builtin.Kept, b *desktop.Toolbox, groups bool) *builtin.Offer {
		o, err := k.Offer(b, groups)
		require.NoError(t, err)
		return o
	}
	var anna, otto builtin.Kept
	first := offer(&anna, read, true)
	assert.Same(t, first, offer(&anna, read, true))
	assert.Same(t, first, offer(&otto, read, true))
	assert.NotSame(t, first, offer(&otto, read, false))
	assert.NotSame(t, first, offer(&otto, write, true))
	assert.NotSame(t, first, offer(&anna, write, true))
	assert.True(t, first.Some)
	assert.False(t, offer(&anna, looks, true).Some)
}
