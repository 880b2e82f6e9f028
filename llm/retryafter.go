package llm

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads how long a provider asks to wait from the header of its
// answer; pass the Get method of a http.Header. It understands Retry-After of RFC
// 9110, section 10.2.3, as seconds (also with a fraction, which some providers
// send) and as an HTTP date in its three forms (section 5.6.7), and
// retry-after-ms, in milliseconds, which wins. A date is counted from the
// answer's own Date, so that a clock that is wrong here does no harm, else from
// now. What is missing, past or unreadable is 0.
func RetryAfter(header func(name string) string) time.Duration {
	if wait, ok := parseDelay(header("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	value := strings.TrimSpace(header("Retry-After"))
	if value == "" {
		return 0
	}
	if wait, ok := parseDelay(value, time.Second); ok {
		return wait
	}
	until, ok := parseDate(value)
	if !ok {
		return 0
	}
	now, ok := parseDate(strings.TrimSpace(header("Date")))
	if !ok {
		now = time.Now()
	}
	return max(0, until.Sub(now)) // Sub saturates
}

// parseDelay reads a number of units. One that is too large for a Duration is the
// largest, so that nobody takes it for no wait at all.
func parseDelay(text string, unit time.Duration) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "+-.0123456789") != "" { // ParseFloat also reads 0x1p3, 1_0, inf
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(n, 0) {
		return 0, false
	}
	wait := n * float64(unit)
	switch {
	case wait <= 0:
		return 0, true
	case wait >= math.MaxInt64:
		return math.MaxInt64, true
	}
	return time.Duration(wait), true
}

// parseDate reads an HTTP date: the form to be sent, and the two old ones that
// have to be understood.
func parseDate(text string) (time.Time, bool) {
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
