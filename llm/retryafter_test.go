package llm_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

// The headers of an answer, and how long to wait.
func TestRetryAfter(t *testing.T) {
	golden.Cases(t, "retryafter.txt", func(text string) string {
		header := http.Header{}
		for line := range strings.SplitSeq(text, "; ") {
			name, value, _ := strings.Cut(line, ": ")
			header.Set(name, value)
		}
		return llm.RetryAfter(header.Get).String()
	})
}

// Without a Date the clock here has to do.
func TestRetryAfterCountsFromNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		header := http.Header{}
		header.Set("Retry-After", time.Now().Add(90*time.Second).UTC().Format(http.TimeFormat))
		assert.Equal(t, 90*time.Second, llm.RetryAfter(header.Get))
	})
}

// FuzzRetryAfter: whatever a server sends, the wait is none or a positive one,
// and whole seconds are what they say.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "1", "-1", "1.5", "1e9", "99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "NaN", "0x1", ".", "+-", "1_000"} {
		f.Add(seed, "", "")
		f.Add("", seed, "")
		f.Add("Sun, 06 Nov 1994 08:49:37 GMT", "", seed)
	}
	f.Add("0", strings.Repeat("3", 310), "")
	f.Fuzz(func(t *testing.T, after, ms, date string) {
		values := map[string]string{"Retry-After": after, "Retry-After-Ms": ms, "Date": date}
		header := func(name string) string { return values[name] }
		wait := llm.RetryAfter(header)
		require.GreaterOrEqual(t, wait, time.Duration(0))
		seconds, err := strconv.ParseUint(strings.TrimSpace(after), 10, 32)
		// What is too large to be read is a long time, and wins, too.
		if _, both := strconv.ParseFloat(strings.TrimSpace(ms), 64); err == nil && both != nil && !errors.Is(both, strconv.ErrRange) {
			require.Equal(t, time.Duration(seconds)*time.Second, wait)
		}
		if day, err := http.ParseTime(after); err == nil && ms == "" && date == "" {
			require.Equal(t, time.Now().Before(day), wait > 0)
		}
		require.Equal(t, llm.StatusError(429, wait, "").RetryAfter, wait)
	})
}
