package adapters

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// waitOf is how long an answer asks to wait. Its Retry-After counts first, then its body, then when its limit begins
// anew, if nothing is left of that.
func waitOf(header http.Header, body time.Duration) time.Duration {
	ms, _ := strconv.ParseFloat(header.Get("X-Ms-Retry-After-Ms"), 64)
	wait := cmp.Or(llm.RetryAfter(header.Get), max(0, time.Duration(ms*float64(time.Millisecond))), body)
	if wait > 0 {
		return wait
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	for name := range header {
		if left := strings.ToLower(name); strings.Contains(left, "ratelimit-") && strings.Contains(left, "remaining") && header.Get(name) == "0" {
			wait = max(wait, until(header.Get(strings.Replace(left, "remaining", "reset", 1)), now))
		}
	}
	return wait
}

// until reads when a limit begins anew: as a duration, as seconds from now or since 1970, or as a date.
func until(reset string, now time.Time) time.Duration {
	const sinceEpoch, inMillis = 1e9, 1e12
	if n, err := strconv.ParseFloat(reset, 64); err == nil {
		switch {
		case n >= inMillis:
			return time.UnixMilli(int64(n)).Sub(now)
		case n >= sinceEpoch:
			return time.Unix(int64(n), 0).Sub(now)
		}
		return time.Duration(n * float64(time.Second))
	}
	if date, err := time.Parse(time.RFC3339, reset); err == nil {
		return date.Sub(now)
	}
	wait, err := time.ParseDuration(reset)
	if err != nil {
		return 0
	}
	return wait
}

var (
	againIn = regexp.MustCompile(`(?i)\b(?:again|retry|retrying|wait)(?: in| after| for)? (?:about )?((?:\d+(?:\.\d+)? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b ?)+|(?:\d+(?:\.\d+)?(?:h|ms|m|s))+)`)
	amount  = regexp.MustCompile(`(\d+(?:\.\d+)?) ?(ms|mil|s|m|h)`)
)

// waitIn is how long the body of an error asks to wait: in google.rpc.RetryInfo, in retry_after, or in words, such as
// "try again in 1m7.5s".
func waitIn(object map[string]json.RawMessage, message string) (wait time.Duration) {
	var details []struct {
		RetryDelay string `json:"retryDelay"`
	}
	if json.Unmarshal(object["details"], &details) == nil {
		for _, d := range details {
			if delay, err := time.ParseDuration(d.RetryDelay); err == nil {
				wait = max(wait, delay)
			}
		}
	}
	if seconds, err := strconv.ParseFloat(scalar(object["retry_after"]), 64); err == nil {
		wait = max(wait, time.Duration(seconds*float64(time.Second)))
	}
	if wait > 0 {
		return wait
	}
	found := againIn.FindStringSubmatch(message[:min(len(message), maxPlain)])
	if found == nil {
		return 0
	}
	units := map[string]time.Duration{"ms": time.Millisecond, "mil": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour}
	for _, part := range amount.FindAllStringSubmatch(strings.ToLower(found[1]), -1) {
		n, _ := strconv.ParseFloat(part[1], 64) // it is digits
		wait += time.Duration(n * float64(units[part[2]]))
	}
	return max(0, wait)
}
