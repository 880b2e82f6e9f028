package stage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

func TestCostsPrint(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "0 model calls, 0 kB of prompts, 0.0 s; 0 looks, 0 kB of trees, 0.0 s, 0 ms and 0 calls to the accessibility tree each; 0 calls in all, other commands 0.0 s",
		Costs{}.String())
	assert.Equal(t, "3 model calls, 5 kB of prompts, 1.5 s; 4 looks, 2 kB of trees, 2.0 s, 500 ms and 25 calls to the accessibility tree each; 170 calls in all, other commands 7.5 s",
		Costs{
			Calls: 3, Prompts: 5 << 10, Model: 1500 * time.Millisecond, Looks: 4, Trees: 2 << 10, Looking: 2 * time.Second, Tree: 101, AllTree: 170,
			Acting: 7500 * time.Millisecond,
		}.String())
}

// What a model is asked counts, also where it does not answer.
func TestModelsAreCounted(t *testing.T) {
	t.Parallel()
	broken := errors.New("no answer")
	s := &Stage{}
	s.costs.tree = func() int64 { return 0 }
	model := s.costs.counted(llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		if len(req.Messages) > 1 {
			return nil, broken
		}
		return &llm.Response{Text: "yes"}, nil
	}))
	resp, err := model.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "hello")}})
	require.NoError(t, err)
	assert.Equal(t, "yes", resp.Text)
	picture := llm.Message{Role: llm.User, Parts: []llm.Part{{Text: "see:"}, {Image: &llm.Image{Data: make([]byte, 99)}}, {Text: "é"}}}
	_, err = model.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.System, "agent"), picture}})
	require.ErrorIs(t, err, broken)
	costs := s.Costs()
	assert.Equal(t, 2, costs.Calls)
	assert.Equal(t, len("hello")+len("agent")+len("see:")+len("é"), costs.Prompts)
}

// watch is a Stage whose screen makes three calls to the tree in each look, and one in each other command.
func watch(t testing.TB, cfg Config) (*Stage, func(tool string) (desktop.Result, error)) {
	t.Helper()
	calls := int64(0)
	s := &Stage{cfg: cfg}
	s.costs.tree = func() int64 { return calls }
	type none struct{}
	d, err := desktop.New(
		desktop.Func(desktop.GetUITree, "", func(context.Context, none) ([]desktop.Control, error) {
			calls += 3
			return []desktop.Control{{ID: "1"}}, nil
		}, nil),
		desktop.Func(desktop.ClickInput, "", func(context.Context, none) (string, error) {
			calls++
			return "", errors.New("it is gone")
		}, nil),
		desktop.Func(desktop.CaptureWindowScreenshot, "", func(context.Context, none) ([]desktop.Content, error) {
			return []desktop.Content{{Text: "two"}, {Image: &desktop.Image{MediaType: "image/png", Data: []byte("a")}}, {Image: &desktop.Image{MediaType: "image/jpeg", Data: []byte("b")}}}, nil
		}, nil),
	)
	require.NoError(t, err)
	return s, func(tool string) (desktop.Result, error) {
		return desktop.Execute(s.Watch(t.Context()), d, desktop.Command{ToolName: tool, Parameters: map[string]any{}})
	}
}

func TestCommandsAreCounted(t *testing.T) {
	t.Parallel()
	s, execute := watch(t, Config{})
	before := s.Costs()
	assert.Empty(t, before.ByTool)
	for _, tool := range []string{desktop.GetUITree, desktop.ClickInput, desktop.GetUITree, desktop.ClickInput, desktop.ClickInput} {
		_, err := execute(tool)
		require.NoError(t, err)
	}
	costs := s.Costs()
	assert.Equal(t, 2, costs.Looks)
	assert.Equal(t, 2*len(`[{"id":"1"}]`), costs.Trees)
	assert.EqualValues(t, 6, costs.Tree, "those of clicks are no look")
	assert.EqualValues(t, 9, costs.AllTree)
	assert.Equal(t, 2, costs.ByTool[desktop.GetUITree].Calls)
	assert.Equal(t, 3, costs.ByTool[desktop.ClickInput].Calls, "one that fails costs as much")
	assert.Equal(t, costs.ByTool[desktop.GetUITree].Time, costs.Looking)
	assert.Equal(t, costs.ByTool[desktop.ClickInput].Time, costs.Acting)
	assert.Empty(t, before.ByTool, "what was returned does not change")
}

// Pictures are kept in the order in which they were taken, where a folder for them is named.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, execute := watch(t, Config{Pictures: dir})
	for range 2 {
		res, err := execute(desktop.CaptureWindowScreenshot)
		require.NoError(t, err)
		assert.Len(t, res.Content, 3)
	}
	_, err := execute(desktop.GetUITree)
	require.NoError(t, err)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
	}
	assert.Equal(t, map[string]string{"001.png": "a", "002.jpeg": "b", "003.png": "a", "004.jpeg": "b"}, got)

	_, execute = watch(t, Config{Pictures: filepath.Join(dir, "gone")})
	_, err = execute(desktop.CaptureWindowScreenshot)
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, "stage: ")

	s, execute := watch(t, Config{})
	_, err = execute(desktop.CaptureWindowScreenshot)
	require.NoError(t, err)
	assert.Equal(t, 1, s.Costs().ByTool[desktop.CaptureWindowScreenshot].Calls)
}
