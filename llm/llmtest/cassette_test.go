package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// recording switches recording on for a test that is not run in parallel.
func recording(t *testing.T, on bool) {
	t.Helper()
	t.Setenv("CI", "")
	t.Setenv(llmtest.RecordVariable, map[bool]string{true: "1", false: ""}[on])
}

// record plays a conversation with a recorder around the model, and returns the
// file's path and content.
func record(t *testing.T, opts llmtest.CassetteOptions, talk func(llm.Model)) (path, content string) {
	t.Helper()
	recording(t, true)
	path = filepath.Join(t.TempDir(), "testdata", "talk.json")
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, &opts)
	require.Empty(t, f.fatal)
	require.True(t, tape.Recording())
	talk(tape)
	f.end()
	require.Empty(t, f.failures())
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	recording(t, false)
	return path, string(raw)
}

// replay opens a cassette that has no model behind it.
func replay(t *testing.T, path string, opts *llmtest.CassetteOptions) (*llmtest.Tape, *fakeTB) {
	t.Helper()
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, opts)
	require.Empty(t, f.fatal)
	require.False(t, tape.Recording())
	return tape, f
}

// parrot repeats what it is asked, and counts.
func parrot() llm.Model {
	var mu sync.Mutex
	calls := 0
	return llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		last := req.Messages[len(req.Messages)-1]
		return said(fmt.Sprintf("%d: %s", calls, last.Parts[0].Text), "stop"), nil
	})
}

func text(t *testing.T, m llm.Model, req *llm.Request) string {
	t.Helper()
	resp, err := m.Complete(t.Context(), req)
	require.NoError(t, err)
	return resp.Text
}

func TestCassetteReplays(t *testing.T) {
	talk := func(m llm.Model) {
		assert.Equal(t, "1: a\nb", text(t, m, ask("a\nb")))
		assert.Equal(t, "2: again", text(t, m, ask("again")))
		assert.Equal(t, "3: again", text(t, m, ask("again")), "equal requests have their replies in order")
	}
	path, first := record(t, llmtest.CassetteOptions{Record: parrot()}, talk)
	tape, f := replay(t, path, nil)
	talk(tape)
	f.end()
	assert.Empty(t, f.failures())

	_, second := record(t, llmtest.CassetteOptions{Record: parrot()}, talk)
	assert.Equal(t, first, second, "the file is the same at every recording")
	info, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, info, 1, "no temporary file is left")
}

func TestCassetteKey(t *testing.T) {
	warm, cold := 0.5, 0.0
	image := func(data string) *llm.Request {
		return &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "x"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte(data)}}}}}}
	}
	all := []*llm.Request{
		ask("x"), ask("x", "x"), ask("x\nx"), ask("--- user"), {}, {Messages: []llm.Message{llm.Text(llm.Assistant, "x")}},
		{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "x"}, {Text: "x"}}}}},
		{Messages: ask("x").Messages, MaxTokens: 1}, {Messages: ask("x").Messages, Temperature: &cold}, {Messages: ask("x").Messages, Temperature: &warm},
		{Messages: ask("x").Messages, Schema: &llm.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)}},
		{Messages: ask("x").Messages, Schema: &llm.Schema{Name: "s", JSON: []byte(`{"type":"array"}`)}},
		{Messages: ask("x").Messages, Schema: &llm.Schema{Name: "s", JSON: []byte(`no JSON`)}},
		image("one"), image("two"),
	}
	number := 0
	path, content := record(t, llmtest.CassetteOptions{Record: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		number++
		return said(fmt.Sprint(number), "stop"), nil
	})}, func(m llm.Model) {
		for _, req := range all {
			text(t, m, req)
		}
	})
	tape, f := replay(t, path, nil)
	for i, req := range slices.Backward(all) {
		assert.Equal(t, fmt.Sprint(i+1), text(t, tape, req), "every request has its own reply")
	}
	f.end()
	assert.Empty(t, f.failures())
	assert.NotContains(t, content, "b25l", "an image is not in the file")
	assert.Contains(t, content, `"size": 3`)
}

func TestCassetteFile(t *testing.T) {
	temperature := 0.0
	req := &llm.Request{
		Messages: []llm.Message{
			llm.Text(llm.System, "Be brief.\nUse <JSON>."),
			{Role: llm.User, Parts: []llm.Part{{Text: "What is this?"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte("pixels")}}}},
		},
		Schema: &llm.Schema{Name: "answer", JSON: []byte(`{"type":"object"}`)}, MaxTokens: 50, Temperature: &temperature,
	}
	model := llmtest.Script(t, said("{\n}", "stop"), llm.StatusError(429, 1500*time.Millisecond, "slow down"), errors.New("odd"))
	_, content := record(t, llmtest.CassetteOptions{Record: model}, func(m llm.Model) {
		for range 3 {
			_, _ = m.Complete(t.Context(), req)
		}
	})
	want, err := os.ReadFile(filepath.Join("testdata", "format.json"))
	require.NoError(t, err)
	assert.Equal(t, string(want), content)
}

func TestCassetteNormalizes(t *testing.T) {
	run := 0
	normalize := func(s string) string { return strings.ReplaceAll(s, fmt.Sprint("run", run), "<run>") }
	talk := func(m llm.Model) string {
		run++
		return text(t, m, ask(fmt.Sprint("draw at 2026-11-20T14:25:0", run%10, "Z into /tmp/run", run)))
	}
	path, content := record(t, llmtest.CassetteOptions{Record: parrot(), Normalize: normalize}, func(m llm.Model) { talk(m) })
	assert.Contains(t, content, `"draw at <time> into /tmp/<run>"`)
	tape, f := replay(t, path, &llmtest.CassetteOptions{Normalize: normalize})
	assert.Equal(t, "1: draw at 2026-11-20T14:25:01Z into /tmp/run1", talk(tape), "a reply is what the model wrote")
	f.end()
	assert.Empty(t, f.failures())
}

func TestCassetteServesGoroutines(t *testing.T) {
	const calls = 32
	all := func(m llm.Model) {
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() {
				resp, err := m.Complete(t.Context(), ask(fmt.Sprint(i)))
				if assert.NoError(t, err) {
					assert.Equal(t, "re: "+fmt.Sprint(i), resp.Text)
				}
			})
		}
		wg.Wait()
	}
	echo := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		return said("re: "+req.Messages[0].Parts[0].Text, "stop"), nil
	})
	path, first := record(t, llmtest.CassetteOptions{Record: echo}, all)
	_, second := record(t, llmtest.CassetteOptions{Record: echo}, all)
	assert.Equal(t, first, second, "whichever goroutine was first")
	tape, f := replay(t, path, nil)
	all(tape)
	f.end()
	assert.Empty(t, f.failures())
}
