package llmtest

import "regexp"

var (
	timePattern = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?`)
	idPattern   = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// timesAndIDs replaces what differs in every run of a Round: time stamps, as in RFC
// 3339, become <time> and UUIDs become <id>. CassetteOptions.Normalize
// gets what is left.
func timesAndIDs(text string) string {
	return idPattern.ReplaceAllString(timePattern.ReplaceAllString(text, "<time>"), "<id>")
}
