package adapters_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/adapters"
)

// Where servers say how long to wait. A header is "Name: value", several with a line break between.
func TestWaitOfAFailure(t *testing.T) {
	const date = "Date: Sun, 06 Nov 1994 08:49:30 GMT\n"
	for name, c := range map[string]struct {
		header, body string
		want         time.Duration
	}{
		"RetryInfo": {"", `[{"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED",
			"details": [{"@type": "type.googleapis.com/google.rpc.QuotaFailure"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.070s"}]}}]`, 34070 * time.Millisecond},
		"Google, in words":    {"", `{"error": {"message": "Quota exceeded. Please retry in 34.07s."}}`, 34070 * time.Millisecond},
		"Groq":                {"", `{"error": {"message": "Limit 100, Used 99. Please try again in 7.66s. Need more?", "code": "rate_limit_exceeded"}}`, 7660 * time.Millisecond},
		"Groq, minutes":       {"", `{"error": {"message": "Please try again in 1m26.4s."}}`, 86400 * time.Millisecond},
		"OpenAI":              {"", `{"error": {"message": "Please try again in 6ms. Visit our page."}}`, 6 * time.Millisecond},
		"OpenAI, hours":       {"", `{"error": {"message": "Please try again in 1h12m0s."}}`, 72 * time.Minute},
		"Azure":               {"", `{"error": {"message": "Please retry after 26 seconds."}}`, 26 * time.Second},
		"in whole words":      {"", `{"error": "wait 2 minutes and retry"}`, 2 * time.Minute},
		"a plain text":        {"", `Too many requests, try again in 5 seconds`, 5 * time.Second},
		"a field":             {"", `{"error": {"message": "slow down", "retry_after": 1.5}}`, 1500 * time.Millisecond},
		"no wait":             {"", `{"error": {"message": "try again later: 100 requests in 60s are too many"}}`, 0},
		"a month":             {"", `{"error": {"message": "retry in 3 months"}}`, 0},
		"a header first":      {"Retry-After: 2", `{"error": {"message": "try again in 7s"}}`, 2 * time.Second},
		"of Azure":            {"X-Ms-Retry-After-Ms: 1500", "", 1500 * time.Millisecond},
		"a limit":             {"X-Ratelimit-Remaining-Requests: 0\nX-Ratelimit-Reset-Requests: 1m2s", "", 62 * time.Second},
		"a limit with a rest": {"X-Ratelimit-Remaining-Requests: 4\nX-Ratelimit-Reset-Requests: 1m2s", "", 0},
		"two limits":          {"X-Ratelimit-Remaining-Requests: 0\nX-Ratelimit-Reset-Requests: 1s\nX-Ratelimit-Remaining-Tokens: 0\nX-Ratelimit-Reset-Tokens: 7.66s", "", 7660 * time.Millisecond},
		"a draft":             {"Ratelimit-Remaining: 0\nRatelimit-Reset: 12", "", 12 * time.Second},
		"Anthropic":           {date + "Anthropic-Ratelimit-Input-Tokens-Remaining: 0\nAnthropic-Ratelimit-Input-Tokens-Reset: 1994-11-06T08:49:37Z", "", 7 * time.Second},
		"since 1970, soon":    {"Date: Tue, 14 Nov 2023 22:13:20 GMT\nX-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 1700000007", "", 7 * time.Second},
		"in milliseconds":     {"Date: Tue, 14 Nov 2023 22:13:20 GMT\nX-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 1700000007500", "", 7500 * time.Millisecond},
		"past":                {"Date: Tue, 14 Nov 2023 22:13:20 GMT\nX-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 1700000000", "", 0},
		"words first":         {"X-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 60", `{"error": {"message": "try again in 7s"}}`, 7 * time.Second},
		"nonsense":            {"X-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: soon", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := &adapters.Answer{Head: &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{}}}
			for line := range strings.SplitSeq(c.header, "\n") {
				if field, value, ok := strings.Cut(line, ": "); ok {
					a.Head.Header.Set(field, value)
				}
			}
			a.Body.WriteString(c.body)
			assert.Equal(t, c.want, a.Failure().Wait)
		})
	}
}
