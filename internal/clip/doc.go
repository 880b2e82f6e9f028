// Package clip shortens texts that somebody else wrote, so that one of them does
// not fill every prompt that follows.
package clip

import (
	"fmt"
	"strings"
)

// Text returns text itself, or its first limit bytes, fewer where that would be
// half a letter, and a mark that says how long it was.
func Text(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	// ToValidUTF8 drops half a letter at the end, and copies: the long text can go.
	return strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("… [cut: %d bytes in all]", len(text))
}
