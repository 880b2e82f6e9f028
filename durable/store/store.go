package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// Store keeps the journals of many runs. storetest.Run tests an implementation.
//
// Several goroutines may call all methods, and several processes if they share the storage. A method honours its
// context while it waits, does nothing if it is done, and leaves no goroutine behind. Its error wraps the context's error
// or cause then. An id that [CheckRun] refuses is an [ErrRun].
type Store interface {
	// Append appends records after the one with the seq after, or begins the journal if after is 0: the first record
	// of a run has the seq 1. It takes all of them or none, also if the process is killed. Once it has returned nil,
	// they survive a power cut, if the storage outlives the process.
	//
	// If the last seq is not after, Append changes nothing, and the error is a [*ConflictError]. Of several callers with
	// the same after exactly one succeeds. Without records Append only compares. After any other error that does not say
	// so, only Read tells whether the records were taken.
	//
	// The caller may change the records once Append has returned. Any bytes are a record, also none.
	Append(ctx context.Context, run string, after int64, records ...[]byte) error

	// Read yields the records of a run from the seq from on, in order; a from below 1 is 1. It yields at least what was
	// appended before the call, and only whole Appends. An unknown run has no records, which is no error. An error is
	// the last value, with the zero Entry. The Data of an Entry belongs to the caller.
	Read(ctx context.Context, run string, from int64) iter.Seq2[Entry, error]

	// Runs yields the ids of the runs that have records, in the order of their bytes.
	Runs(ctx context.Context) iter.Seq2[string, error]

	// Drive gives the caller the run, until the [Hold] is released. Meanwhile other calls, in any process, return
	// [ErrDriven] at once. The run need not have records. The store notices within five seconds that a holder died. With
	// takeOver the caller gets the run anyway, and its holder loses it.
	//
	// Append, Read and Runs work without the run, such as for the answer of a person. So a holder that lost the run learns
	// it by Append: see [Hold].
	//
	// [Drives] implements Drive for one process, and [DrivesIn] for the processes of one machine.
	Drive(ctx context.Context, run string, takeOver bool) (Hold, error)

	// Delete deletes the records of a run and all that is kept beside them. An unknown run is no error. If the run is
	// driven, also by the caller, the error is an [ErrDriven], and nothing is deleted. After any other error call it again.
	//
	// Then the id can begin another run. An Append after a record of the old run is a [*ConflictError], unless the new
	// one has exactly as many. A Read that is under way yields whole Appends of the old run, or an error that is not
	// [ErrDamaged].
	Delete(ctx context.Context, run string) error
}

// Entry is a record as it is read.
type Entry struct {
	Seq  int64  // 1 for the first of its run
	Data []byte // what was appended
}

// maxRun is the length of the longest run id, in bytes. A file name has room for it when every byte of it is escaped.
const maxRun = 80

// CheckRun checks the id of a run: UTF-8 of 1 to 80 bytes, without control, format and blank characters, and without a
// space at its ends. Two ids are the same only if their bytes are. The error wraps [ErrRun].
func CheckRun(run string) error {
	switch {
	case run == "":
		return fmt.Errorf("%w: it is empty", ErrRun)
	case len(run) > maxRun:
		return fmt.Errorf("%w: it has %d bytes, and may have %d", ErrRun, len(run), maxRun)
	case !utf8.ValidString(run):
		return fmt.Errorf("%w: %q is not UTF-8", ErrRun, run)
	}
	if strings.TrimSpace(run) != run || legible.Exact(run) != run {
		return fmt.Errorf("%w: %+q has characters that cannot be seen", ErrRun, run)
	}
	return nil
}

// ended is the error of a call whose context is done, nil before that.
func ended(ctx context.Context, run string) error {
	if ctx.Err() == nil {
		return nil
	}
	if run == "" {
		return fmt.Errorf("store: %w", context.Cause(ctx))
	}
	return fmt.Errorf("store: run %q: %w", run, context.Cause(ctx))
}

var (
	// ErrConflict says that the run has another last record than its caller knows.
	ErrConflict = errors.New("store: another one appended to the run")
	// ErrDamaged says that a journal is not what was written.
	ErrDamaged = errors.New("store: damaged")
	// ErrVersion says that a newer version of this library wrote the journal.
	ErrVersion = errors.New("store: of a newer version")
	// ErrTooLarge says that a record or an Append is larger than the store takes.
	ErrTooLarge = errors.New("store: too large")
	// ErrRun says that a text cannot be the id of a run.
	ErrRun = errors.New("store: not the id of a run")
	// ErrDriven says that another process or goroutine drives the run. The text says who, if the store knows.
	ErrDriven = errors.New("store: somebody else drives the run")
	// ErrUncertain says that an Append failed, and could not be undone. Read tells whether its records are there.
	ErrUncertain = errors.New("store: the records may or may not have been appended")
)

// ConflictError is an [ErrConflict].
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

// DamageError is an [ErrDamaged]. Records before that place are whole.
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

// SizeError is an [ErrTooLarge] of a record. Nothing was appended.
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
