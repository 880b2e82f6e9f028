// Package clip shortens texts that somebody else wrote, so that one of them does
// not fill every prompt that follows.
//
// A text that is cut may end in half a secret, which nobody finds any more who looks
// for the whole. So [Text] is for prompts, and for what secrets were taken out of;
// texts of errors, which are shown in steps, have [Name].
package clip

import (
	"fmt"
	"strconv"
	"strings"
)

// Message is how much of what a provider wrote the text of an error has, in bytes.
const Message = 300

// Text returns text itself, or its first limit bytes, fewer where that would be
// half a letter, and a mark that says how long it was.
func Text(text string, limit int) string {
	return Ref(text, limit, "")
}

// Ref is [Text] with the name by which a model refers to the whole.
func Ref(text string, limit int, name string) string {
	if len(text) <= limit {
		return text
	}
	// ToValidUTF8 drops half a letter at the end, and copies: the long text can go.
	return strings.ToValidUTF8(text[:limit], "") + Mark(len(text), name)
}

// Mark is what ends a text that is cut: how many bytes it had, and the name of the whole, if any.
func Mark(size int, name string) string {
	if name != "" {
		name = ", $ref: " + name
	}
	return "… [cut: " + strconv.Itoa(size) + " bytes in all" + name + "]"
}

// Name returns a name itself, or only how long it is when that is more than limit
// bytes, such as "(307 bytes)".
func Name(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	return fmt.Sprintf("(%d bytes)", len(name))
}
