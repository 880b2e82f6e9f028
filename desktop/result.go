package desktop

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

var errNoContent = errors.New("desktop: the result has no such content")

// TextResult returns a success with a text. The CallID of a result may stay
// empty: [Execute] sets it.
func TextResult(text string) Result {
	return Result{Status: Success, Content: []Content{{Text: text}}}
}

// JSONResult returns a success with v as JSON, or the error of encoding it.
func JSONResult(v any) (Result, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return Result{}, fmt.Errorf("desktop: result: %w", err)
	}
	return Result{Status: Success, Content: []Content{{JSON: raw}}}, nil
}

// FailureResult returns the result of a tool that says no, with the reason in
// the words of fmt.Sprintf.
func FailureResult(format string, args ...any) Result {
	return Result{Status: Failure, Error: fmt.Sprintf(format, args...)}
}

// Err returns an error with the tool's reason when r is no success. It wraps
// [ErrWindowGone] where r is Gone. The reason may hold what anyone wrote.
func (r Result) Err() error { return r.failed("") }

func (r Result) failed(tool string) error {
	message := r.Error
	switch {
	case r.Status == Success:
		return nil
	case message == "" && r.Status == Skipped:
		message = "it was skipped"
	case message == "":
		message = "it gave no reason"
	}
	what := "desktop: failed"
	if tool != "" {
		what = fmt.Sprintf("desktop: %s failed", clip(tool))
	}
	if r.Gone {
		return &goneError{what + ": " + message}
	}
	return fmt.Errorf("%s: %s", what, message)
}

// goneError is an [ErrWindowGone] in the words of the desktop.
type goneError struct{ text string }

func (e *goneError) Error() string { return e.text }
func (e *goneError) Unwrap() error { return ErrWindowGone }

// Text returns the texts and the JSON of r, one after another on lines of
// their own. Images are left out.
func (r Result) Text() string {
	var parts []string
	for _, c := range r.Content {
		switch {
		case c.Text != "":
			parts = append(parts, c.Text)
		case c.JSON != nil:
			parts = append(parts, string(c.JSON))
		}
	}
	return strings.Join(parts, "\n")
}

// Image returns the first image of r, nil when there is none.
func (r Result) Image() *Image {
	for _, c := range r.Content {
		if c.Image != nil {
			return c.Image
		}
	}
	return nil
}

// Decode reads the first JSON of r, or, when there is none, the first text
// that is JSON. Neither is an error.
func (r Result) Decode(into any) error {
	raw, ok := r.json()
	if !ok {
		return errNoContent
	}
	return decode(raw, into)
}

// json is the JSON that Decode reads.
func (r *Result) json() (raw []byte, ok bool) {
	for i := range r.Content {
		if raw := r.Content[i].JSON; raw != nil {
			return raw, true
		}
	}
	for i := range r.Content {
		if raw := []byte(r.Content[i].Text); json.Valid(raw) {
			return raw, true
		}
	}
	return nil, false
}

func decode(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("desktop: decode result: %w", err)
	}
	return nil
}
