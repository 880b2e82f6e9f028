package llm_test

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

func TestRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		after, ms, date string
		want            time.Duration
	}{
		"nothing":               {"", "", "", 0},
		"seconds":               {"120", "", "", 2 * time.Minute},
		"a fraction":            {"0.25", "", "", 250 * time.Millisecond},
		"more than a Duration":  {"99999999999999999999", "", "", math.MaxInt64},
		"milliseconds":          {"", "1500", "", 1500 * time.Millisecond},
		"milliseconds win":      {"120", "1500.5", "", 1500500 * time.Microsecond},
		"infinite":              {"inf", "", "", 0},
		"no number":             {"NaN", "", "", 0},
		"date":                  {"Sun, 06 Nov 1994 08:49:37 GMT", "", "Sun, 06 Nov 1994 08:49:30 GMT", 7 * time.Second},
		"date of RFC 850":       {"Sunday, 06-Nov-94 08:49:37 GMT", "", "Sun, 06 Nov 1994 08:49:30 GMT", 7 * time.Second},
		"past":                  {"Sun, 06 Nov 1994 08:49:37 GMT", "", "Sun, 06 Nov 1994 08:50:00 GMT", 0},
		"another zone":          {"Sun, 06 Nov 1994 08:49:37 CET", "", "Sun, 06 Nov 1994 08:49:30 GMT", 0},
		"centuries away":        {"Fri, 31 Dec 9999 23:59:59 GMT", "", "Sun, 06 Nov 1994 08:49:30 GMT", math.MaxInt64},
		"an unreadable own one": {"Sun, 06 Nov 1994 08:49:37 GMT", "", "today", 0},
	} {
		header := http.Header{}
		for name, value := range map[string]string{"Retry-After": c.after, "retry-after-ms": c.ms, "Date": c.date} {
			if value != "" {
				header.Set(name, value)
			}
		}
		assert.Equal(t, c.want, llm.RetryAfter(header.Get), name)
	}
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
