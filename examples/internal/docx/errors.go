package docx

import (
	"errors"
	"strings"
)

var (
	// ErrNotWord says that the file is something else: no zip archive, or one
	// without a Word document in it.
	ErrNotWord = errors.New("docx: not a Word document")
	// ErrProtected says that the file is encrypted, or of Word's old binary
	// format; both look the same from outside.
	ErrProtected = errors.New("docx: protected by a password, or a .doc of before 2007")
	// ErrBroken says that the file is a Word document that cannot be read.
	ErrBroken = errors.New("docx: broken file")
	// ErrTooBig says that a limit of [Options] was reached.
	ErrTooBig = errors.New("docx: bigger than the limit")
)

// Error is what [Open] and [Read] return. errors.Is finds the sentinel, or
// fs.ErrNotExist and its like, or the context's cause.
type Error struct {
	Path   string // as it was given to Open; empty for Read
	Part   string // the file inside the archive, such as word/document.xml
	Reason string // more detail, may be empty
	Err    error
}

func (e *Error) Error() string {
	text := strings.TrimPrefix(e.Err.Error(), "docx: ")
	for _, s := range []string{e.Part, e.Path} {
		if s != "" && !strings.Contains(text, s) {
			text = s + ": " + text
		}
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return "docx: " + text
}

// Unwrap returns the error behind e.
func (e *Error) Unwrap() error { return e.Err }

func broken(part, reason string) error { return &Error{Part: part, Reason: reason, Err: ErrBroken} }

func tooBig(part, reason string) error { return &Error{Part: part, Reason: reason, Err: ErrTooBig} }
