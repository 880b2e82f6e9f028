package effects_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/effects"
)

var errBang = errors.New("bang")

// Where nobody records it, Do is a call of the func.
func TestDoCalls(t *testing.T) {
	type values struct{ inner chan int } // no JSON
	v, err := effects.Do(t.Context(), "a", func(ctx context.Context) (values, error) {
		assert.Equal(t, t.Context(), ctx)
		return values{make(chan int, 1)}, nil
	})
	require.NoError(t, err)
	assert.NotNil(t, v.inner)

	n, err := effects.Do(t.Context(), "a", func(context.Context) (int, error) { return 7, errBang })
	assert.Same(t, errBang, err, "the error of the func as it is")
	assert.Zero(t, n)
	assert.PanicsWithValue(t, "bang", func() {
		_, _ = effects.Do(t.Context(), "a", func(context.Context) (int, error) { panic("bang") }, effects.Idempotent())
	})
}

func TestNothingIsDone(t *testing.T) {
	never := func(context.Context) (int, error) {
		assert.Fail(t, "it is done")
		return 0, nil
	}
	for key, says := range map[string]string{
		"":                        `effects: "": the key cannot be used: it is empty`,
		"\xff":                    `effects: "\xff": the key cannot be used: it is no text`,
		strings.Repeat("x", 1025): `effects: "(1025 bytes)": the key cannot be used: it is longer than 1 KiB`,
	} {
		_, err := effects.Do(t.Context(), key, never)
		require.ErrorIs(t, err, effects.ErrKey)
		require.EqualError(t, err, says)
		var e *effects.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, key, e.Key)
		require.ErrorIs(t, effects.WaitUntil(t.Context(), key, time.Time{}), effects.ErrKey)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBang)
	_, err := effects.Do(ctx, "a", never)
	require.ErrorIs(t, err, errBang)
	require.ErrorIs(t, effects.WaitUntil(ctx, "a", time.Time{}), errBang)
}

func TestErrorHasWhatIsKnown(t *testing.T) {
	err := &effects.Error{Key: "pay", Kind: effects.ErrNoValue, Err: errBang}
	require.EqualError(t, err, `effects: "pay": it was done, and its value cannot be kept: bang`)
	require.ErrorIs(t, err, errBang)
	require.ErrorIs(t, err, effects.ErrNoValue)
	bare := &effects.Error{Key: "pay", Kind: effects.ErrUncertain}
	require.EqualError(t, bare, `effects: "pay": it may have been done already`)
	require.ErrorIs(t, bare, effects.ErrUncertain)
}

func TestWaitUntilWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.NoError(t, effects.WaitUntil(t.Context(), "a", began.Add(time.Hour)))
		assert.Equal(t, time.Hour, time.Since(began))
		require.NoError(t, effects.WaitUntil(t.Context(), "a", began), "that is over")
		assert.Equal(t, time.Hour, time.Since(began))

		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errBang)
		defer cancel()
		require.ErrorIs(t, effects.WaitUntil(ctx, "a", began.Add(24*time.Hour)), errBang)
		assert.Equal(t, time.Hour+time.Minute, time.Since(began))
	})
}
