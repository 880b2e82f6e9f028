package store

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/legible"
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
