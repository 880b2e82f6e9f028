package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

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
			tape, f := replay(t, path, nil)
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
			f.end()
			assert.Empty(t, f.failures())
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
		tape, f := replay(t, path, nil)
		call(tape)
		f.end()
		assert.Empty(t, f.failures())

		tape, f = replay(t, path, nil)
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
