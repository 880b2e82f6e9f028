package store

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/agentfsm/agentfsm/internal/ownfile"
)

var (
	// ErrConflict says that the last record of a run is not the one that the caller
	// takes for it: somebody else goes on with that run.
	ErrConflict = errors.New("store: another one appended to the run")
	// ErrDamaged says that a journal is not what was written.
	ErrDamaged = errors.New("store: damaged")
	// ErrVersion says that a journal was written by a newer version of this library. It is
	// whole, and is neither read nor changed.
	ErrVersion = errors.New("store: of a newer version")
	// ErrTooLarge says that a record, or what is appended at once, is larger than the store takes.
	ErrTooLarge = errors.New("store: too large")
	// ErrRun says that a text cannot be the id of a run.
	ErrRun = errors.New("store: not the id of a run")
	// ErrDriven says that somebody else drives the run: another process, or another goroutine of
	// this one. The text says who, and since when, where the store knows it.
	ErrDriven = errors.New("store: somebody else drives the run")
	// ErrUncertain says that writing failed, and taking it back failed, too. Read tells whether the
	// records are in the journal. After any other error of Append they are not.
	ErrUncertain = errors.New("store: the records may or may not have been appended")
)

// ConflictError says that an Append came too late, or to another run than its caller
// thinks. errors.Is(err, ErrConflict) holds.
type ConflictError struct {
	Run   string
	After int64 // the last seq, as the caller has it
	Last  int64 // the last seq, as the store has it
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("store: run %q ends with record %d, not with %d: another one appended to it", e.Run, e.Last, e.After)
}

// Unwrap returns [ErrConflict].
func (e *ConflictError) Unwrap() error { return ErrConflict }

// driven is [ErrDriven] with the run, and who drives it.
func driven(run, by string) error {
	return fmt.Errorf("%w: run %q: %s", ErrDriven, run, by)
}

// DamageError says where a journal is not what was written, such as a bit that
// flipped. Records before that place are whole. errors.Is(err, ErrDamaged) holds.
type DamageError struct {
	Run    string
	Offset int64 // where in the store's file, in bytes
	Seq    int64 // of the record that should be there; 0: the file's first line
	Reason string

	file string // "" when the store has no files
}

func (e *DamageError) Error() string {
	if e.file == "" {
		return fmt.Sprintf("store: run %q is damaged at record %d: %s", e.Run, e.Seq, e.Reason)
	}
	return fmt.Sprintf("store: run %q is damaged at record %d, byte %d of %s: %s", e.Run, e.Seq, e.Offset, e.file, e.Reason)
}

// Unwrap returns [ErrDamaged].
func (e *DamageError) Unwrap() error { return ErrDamaged }

// SizeError says that a record is too large. Nothing was appended. errors.Is(err, ErrTooLarge) holds.
type SizeError struct {
	Index int   // which of the records of that Append, 0 for the first
	Size  int64 // in bytes
	Max   int64
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("store: record %d of the call has %d bytes, and may have %d", e.Index, e.Size, e.Max)
}

// Unwrap returns [ErrTooLarge].
func (e *SizeError) Unwrap() error { return ErrTooLarge }

// unwritten says that nothing was appended, and why.
func unwritten(run, file string, err error) error {
	return fmt.Errorf("store: run %q: nothing was appended to %s: %w", run, file, err)
}

// inFile says what is wrong with a file of a run. One that is not ours was put in its place.
func inFile(run string, err error) error {
	at, named := errors.AsType[*fs.PathError](err)
	if named && errors.Is(err, ownfile.ErrForeign) {
		return &DamageError{Run: run, file: at.Path, Reason: ownfile.ErrForeign.Error()}
	}
	return fmt.Errorf("store: run %q: %w", run, err)
}

// uncertain is [ErrUncertain] with what went wrong.
func uncertain(run, file string, err error) error {
	return fmt.Errorf("%w: run %q in %s: %w", ErrUncertain, run, file, err)
}
