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

// Store keeps the journals of many runs. Others implement it for the storage that
// they have; storetest.Run checks what is said here.
//
// All methods may be called by several goroutines, and by several processes where the storage is one that they share.
// They honour their context while they wait, do nothing under one that is done, and leave no goroutine behind. A run id
// is what [CheckRun] takes; another one is [ErrRun] to Append and Read. What a context ended is an error that wraps the
// context's error or its cause.
type Store interface {
	// Append puts records behind the one with the seq after, or begins the journal when after is 0: the first record of
	// a run has seq 1, the next 2. It takes all of them or none, also when the process is killed meanwhile, and returns
	// nil only when they will still be there after a power cut, as far as the storage is one that outlives the process.
	//
	// When the last seq is not after, nothing is changed, and the error is a [*ConflictError]. Of several callers with
	// the same after exactly one succeeds. Without records Append only makes that comparison. After any other error it
	// is not known whether the records were taken, if the error does not say so: Read tells.
	//
	// The records belong to the caller, who may change them as soon as Append returns. Any
	// bytes are a record, none at all as well.
	Append(ctx context.Context, run string, after int64, records ...[]byte) error

	// Read yields the records of a run from the seq from on, in order; a from below 1 is 1.
	// There are none of a run that nobody appended to. It yields at least what was
	// appended before it was called, and ends between two Appends, never within one.
	//
	// An error is the last thing that is yielded, with the zero Entry. The Data of an Entry belongs to the caller.
	Read(ctx context.Context, run string, from int64) iter.Seq2[Entry, error]

	// Runs yields the ids of the runs that have records, in the order of their bytes.
	Runs(ctx context.Context) iter.Seq2[string, error]

	// Drive gives the caller the run, until the [Hold] is released. While somebody has it the error is a [ErrDriven],
	// at once, in this process and in every other one; the run need not have records. A holder that died is found out
	// within five seconds. With takeOver nobody is refused: who has the run loses it, also one that is frozen.
	//
	// Append, Read and Runs do not ask who has the run: an answer of a person is appended beside whoever drives it. So
	// it is still Append by which a holder learns that it lost the run: see [Hold].
	//
	// [Drives] implements it where no other process has the runs, and [DrivesIn] where all of them are on one machine.
	Drive(ctx context.Context, run string, takeOver bool) (Hold, error)

	// Delete deletes the records of a run, and all that is kept beside them. A run that is not there is no
	// error. Delete drives the run meanwhile: while somebody else does, or the caller, the error is a
	// [ErrDriven], and nothing is deleted. After any other error call it again.
	//
	// Then the id is free: Append after 0 begins another run. An Append behind a record of the old one is a
	// [*ConflictError], unless the new one has come to exactly as many. A Read that is under way ends with
	// whole Appends of the old run, or with an error that is not [ErrDamaged].
	Delete(ctx context.Context, run string) error
}

// Entry is a record as it is read.
type Entry struct {
	Seq  int64  // 1 for the first of its run
	Data []byte // what was appended
}

// maxRun is the length of the longest run id, in bytes. A file name has room for it when every byte of it is escaped.
const maxRun = 80

// CheckRun says whether a text can be the id of a run: UTF-8 of 1 to 80 bytes that people can see. It has no
// control or format characters and no blank letters, and begins and ends with no space. Letters differ by their case, and nothing is
// normalised: two ids are one only when their bytes are. The error wraps [ErrRun].
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
