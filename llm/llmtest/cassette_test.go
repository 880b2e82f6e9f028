package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestCassetteReplays(t *testing.T) {
	var got []*llm.Response
	talk := func(m llm.Model) {
		for _, q := range []string{"a\nb", "again", "again", "spent", "spent"} {
			resp, err := m.Complete(t.Context(), ask(q))
			require.NoError(t, err)
			got = append(got, resp.Clone())
			if resp.Spent != nil {
				resp.Spent[0].Model = "changed"
			}
		}
	}
	spent := &llm.Response{Text: "hi", Model: "small", Spent: []llm.ModelUsage{{Model: "big", Usage: llm.Usage{InputTokens: 7}}}, Repairs: []llm.Repair{{Kind: "schema not strict", Count: 1}}}
	script := []any{said("1", "stop"), said("2", "stop"), said("3", "stop"), spent, spent}
	path, first := record(t, llmtest.CassetteOptions{Record: llmtest.Script(t, script...)}, talk)
	replayed(t, path, nil, talk)
	assert.Equal(t, got[:5], got[5:], "equal requests have their replies in order")
	assert.Equal(t, spent, got[9])

	_, second := record(t, llmtest.CassetteOptions{Record: llmtest.Script(t, script...)}, talk)
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
	replayed(t, path, nil, func(m llm.Model) {
		for i, req := range slices.Backward(all) {
			assert.Equal(t, fmt.Sprint(i+1), text(t, m, req), "every request has its own reply")
		}
	})
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
	replayed(t, path, &llmtest.CassetteOptions{Normalize: normalize}, func(m llm.Model) {
		assert.Equal(t, "1: draw at 2026-11-20T14:25:01Z into /tmp/run1", talk(m), "a reply is what the model wrote")
	})
}

func TestCassetteErrors(t *testing.T) {
	cause := errors.New("reset by peer")
	slow := &llm.CallError{Kind: llm.ErrSlow, Model: "m", Message: "60 s", Err: cause}
	for name, err := range map[string]error{
		"rate limited": llm.StatusError(429, 90*time.Second, "slow down"), "overloaded": llm.StatusError(529, 0, "busy"),
		"unavailable": llm.StatusError(502, 0, ""), "rejected": llm.StatusError(404, 0, "no such model"), "slow": slow,
		"wrapped": fmt.Errorf("adapter: %w", slow), "refused": &llm.CallError{Kind: llm.ErrRefused}, "empty": &llm.CallError{Kind: llm.ErrEmpty},
		"cut": &llm.CallError{Kind: llm.ErrCut}, "own kind": &llm.CallError{Kind: errors.New("odd"), Status: 418}, "plain": cause,
		"deadline": fmt.Errorf("client: %w", context.DeadlineExceeded), "canceled": context.Canceled, "no response": nil,
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := record(t, llmtest.CassetteOptions{Record: always(nil, err)(t)}, func(m llm.Model) {
				_, got := m.Complete(t.Context(), ask("x"))
				require.Equal(t, err, got, "the recording run gets the error itself")
			})
			tape, _ := replay(t, path, nil)
			resp, got := tape.Complete(t.Context(), ask("x"))
			assert.Nil(t, resp)
			if err == nil {
				err = llm.ErrNoResponse // what llm.Complete makes of nothing at all
			}
			require.Error(t, got)
			for _, kind := range []error{
				llm.ErrRateLimited, llm.ErrOverloaded, llm.ErrUnavailable, llm.ErrSlow, llm.ErrEmpty, llm.ErrCut, llm.ErrRefused,
				llm.ErrRejected, llm.ErrNoResponse, context.DeadlineExceeded, context.Canceled,
			} {
				assert.Equal(t, errors.Is(err, kind), errors.Is(got, kind), kind)
			}
			assert.Equal(t, llm.Retryable(err), llm.Retryable(got))
			var was, is *llm.CallError
			if errors.As(err, &was) {
				require.ErrorAs(t, got, &is)
				assert.Equal(t, []any{was.Status, was.RetryAfter, was.Model, was.Message}, []any{is.Status, is.RetryAfter, is.Model, is.Message})
			}
			if name == "plain" || name == "slow" {
				assert.EqualError(t, got, err.Error())
			}
		})
	}
}

func TestCassetteWaitsAsTheRecordedCallDid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the call waits before it is ended, however busy the machine is
		call := func(m llm.Model) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			_, err := m.Complete(ctx, ask("x"))
			require.ErrorIs(t, err, context.Canceled)
			_, err = m.Complete(ctx, ask("y"))
			require.ErrorIs(t, err, context.Canceled, "a call that was ended before it began is not recorded")
		}
		path, content := record(t, llmtest.CassetteOptions{Record: blocked(t)}, call)
		assert.Equal(t, 1, strings.Count(content, `"waits": true`))
		replayed(t, path, nil, call)

		tape, f := replay(t, path, nil)
		_, err := tape.Complete(context.Background(), ask("x")) // it has no end
		require.ErrorIs(t, err, llmtest.ErrCassette)
		assert.Contains(t, f.failures(), "this one's has no end")
	})
}

func TestCassetteFileIsLeftAlone(t *testing.T) {
	recording(t, true)
	path := filepath.Join(t.TempDir(), "talk.json")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
	for name, tc := range map[string]struct {
		model llm.Model
		do    func(*fakeTB, *llmtest.Tape)
		want  string
	}{
		"the test failed":  {parrot(), func(f *fakeTB, _ *llmtest.Tape) { f.Errorf("wrong answer") }, "wrong answer"},
		"it was skipped":   {parrot(), func(f *fakeTB, _ *llmtest.Tape) { f.skipped = true }, ""},
		"a key in a reply": {always(said("use "+key, "stop"), nil)(t), nil, "the reply holds what looks like a key that begins with sk-"},
		"a call is under way": {blocked(t), func(_ *fakeTB, tape *llmtest.Tape) {
			ctx, cancel := context.WithCancel(t.Context())
			r, w := io.Pipe()
			go func() {
				_, _ = tape.Complete(watched{ctx, w}, ask("x")) //nolint:contextcheck // watched has ctx in it
			}()
			_, _ = r.Read(make([]byte, 1))
			t.Cleanup(cancel)
		}, "1 calls were still running at the end of the test"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fakeTB{}
			tape := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: tc.model})
			if tc.do != nil {
				tc.do(f, tape)
			} else {
				_, err := tape.Complete(t.Context(), ask("x"))
				require.ErrorIs(t, err, llmtest.ErrCassette)
			}
			f.end()
			assert.Contains(t, f.failures(), tc.want)
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, "before", string(raw))
		})
	}
}

// watched is a context that writes a byte when somebody waits for its end.
type watched struct {
	context.Context //nolint:containedctx // it is a context

	w io.Writer
}

func (c watched) Done() <-chan struct{} {
	_, _ = c.w.Write([]byte{1})
	return c.Context.Done()
}
