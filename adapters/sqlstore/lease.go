package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// DefaultTTL is how long a lease lasts where nothing else is said.
const DefaultTTL = 30 * time.Second

// Lease is a run that a worker has for a while. Its methods may be called by several
// goroutines, but not beside a look at its fields. They return [ErrLeaseLost], and change
// nothing, when somebody else has claimed the run since, when the lease was given back, and when
// the run was deleted. A lease that has run out is still its holder's until then.
type Lease struct {
	Run     string
	Payload []byte    // what was enqueued
	Worker  string    // who claimed it
	Token   int64     // larger with each claim of the run, as long as it is not deleted
	Until   time.Time // when it runs out, by the clock of the database; Extend sets it
	Tries   int       // how often it was claimed in a row without coming to Wait or Release, 1 for the first

	store *Store
	id    int64 // of the entry: that of a run which was deleted and enqueued again is another one
	wakes int64 // those before the claim
}

// nextRun finds the run to claim, by the index agentfsm_queue_ready: however many runs wait, it
// looks at those only that others claim at this moment.
const nextRun = `SELECT id FROM agentfsm_queue WHERE state <= 1 AND free <= {now} ORDER BY free, id LIMIT 1 {skip locked}`

// Claim takes the run that has been ready for the longest, and gives the worker a lease of
// it for the time ttl; 0 or less: DefaultTTL. Ready is also a run whose lease has run out. When there
// is none, the error is [ErrNothing], at once.
//
// The name of a worker is for people who look at the queue. It is UTF-8 of 1 to 80
// bytes without control characters: [ErrWorker].
func (s *Store) Claim(ctx context.Context, worker string, ttl time.Duration) (*Lease, error) {
	if store.CheckRun(worker) != nil { // the rules of names are the same
		return nil, &QueueError{Op: "claim", Err: fmt.Errorf("%w: %q", ErrWorker, worker)}
	}
	l := &Lease{Worker: worker, store: s}
	var until int64
	err := s.queued(ctx, "claim", "", ErrNothing, false,
		`UPDATE agentfsm_queue SET state = 1, worker = $1, token = token + 1, tries = tries + 1, free = {now} + $2
		WHERE id = (`+nextRun+`) AND {sync}
		RETURNING id, run, payload, token, tries, wakes, free`, []any{worker, micros(ttl)},
		&l.id, &l.Run, &l.Payload, &l.Token, &l.Tries, &l.wakes, &until)
	if err != nil {
		return nil, err
	}
	l.Until = time.UnixMicro(until)
	return l, nil
}

// micros is the time of a lease in microseconds.
func micros(ttl time.Duration) int64 {
	if ttl <= 0 {
		ttl = DefaultTTL
	}
	return max(1, ttl.Microseconds())
}

// change changes the row of a lease, if it is still the holder's.
func (l *Lease) change(ctx context.Context, op string, twice bool, set, states string, args ...any) (until int64, err error) {
	err = l.store.queued(ctx, op, l.Run, ErrLeaseLost, twice,
		`UPDATE agentfsm_queue SET `+set+` WHERE id = $1 AND token = $2 AND state IN (`+states+`) AND {sync} RETURNING free`,
		append([]any{l.id, l.Token}, args...), &until)
	return until, err
}

// Extend makes the lease last for ttl from now on; 0 or less: DefaultTTL.
func (l *Lease) Extend(ctx context.Context, ttl time.Duration) error {
	until, err := l.extend(ctx, ttl)
	if err == nil {
		l.Until = time.UnixMicro(until)
	}
	return err
}

func (l *Lease) extend(ctx context.Context, ttl time.Duration) (int64, error) {
	return l.change(ctx, "extend the lease of", true, `free = {now} + $3`, "1", micros(ttl))
}

// Done says that the run has ended: nobody claims it again. It stays in the queue, with its
// journal, until [Store.Delete]. To say so twice is harmless.
func (l *Lease) Done(ctx context.Context) error {
	_, err := l.change(ctx, "end", true, `free = CASE state WHEN 1 THEN {now} ELSE free END, state = 3, worker = '', failure = ''`, "1, 3")
	return err
}

// Wait gives the lease back: the run is ready after [Store.Wake], or now if that was called since the
// claim. Where its journal, which Wait reads, has a question with a deadline, the run is also ready
// when the first of these has passed: whoever claims it finds that nobody answered.
func (l *Lease) Wait(ctx context.Context) error {
	pause, ends, err := l.deadline(ctx)
	switch {
	case err != nil:
		return &QueueError{Op: "suspend", Run: l.Run, Err: err}
	case ends:
		_, err = l.change(ctx, "suspend", false, `state = 0, free = {now} + CASE WHEN wakes = $3 THEN CAST($4 AS bigint) ELSE 0 END,
			tries = 0, worker = '', failure = ''`, "1", l.wakes, pause.Microseconds())
	default:
		_, err = l.change(ctx, "suspend", false,
			`state = CASE WHEN wakes = $3 THEN 2 ELSE 0 END, free = {now}, tries = 0, worker = '', failure = ''`, "1", l.wakes)
	}
	return err
}

// deadline returns how long it is until a question of the run expires; ends is false where none does.
// One that is overdue already expires here: the agent may not ask for it any more, and would
// be woken for it again and again.
func (l *Lease) deadline(ctx context.Context) (pause time.Duration, ends bool, err error) {
	state, err := durable.Look(ctx, l.store, l.Run)
	switch {
	case errors.Is(err, durable.ErrNoRun), errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrVersion):
		return 0, false, nil // nothing is known of its questions
	case err != nil:
		return 0, false, err
	}
	now := time.Now()
	for _, q := range state.Overdue(now) {
		if _, err := durable.Expire(ctx, l.store, l.Run, q.ID); err != nil && !errors.Is(err, durable.ErrUnknownQuestion) {
			return 0, false, err
		}
		ends = true
	}
	if ends && state.Ready() {
		return 0, true, nil // nobody else has to answer
	}
	ends = false
	for _, q := range state.Waits {
		if left := q.Deadline.Sub(now); left > 0 && (!ends || left < pause) {
			pause, ends = left, true
		}
	}
	return pause, ends, nil
}

// Release gives the lease back: the run is ready now, behind those that have been before.
func (l *Lease) Release(ctx context.Context) error {
	_, err := l.change(ctx, "release", false, `state = 0, free = {now}, tries = 0, worker = '', failure = ''`, "1")
	return err
}

// Fail gives the lease back for later: the run is ready after the pause. The reason is
// shown by [Store.Queue], up to a length of 1000 bytes; it may be nil.
func (l *Lease) Fail(ctx context.Context, reason error, pause time.Duration) error {
	_, err := l.change(ctx, "put off", false, `state = 0, free = {now} + $3, worker = '', failure = $4`, "1",
		max(0, pause).Microseconds(), reasonText(reason))
	return err
}

// PutAside gives the lease back for good, of a run that fails whatever is tried: nobody claims it
// until [Store.Wake]. The reason is that of Fail. To say so twice is harmless.
func (l *Lease) PutAside(ctx context.Context, reason error) error {
	_, err := l.change(ctx, "put aside", true, `free = CASE state WHEN 1 THEN {now} ELSE free END, state = 4, worker = '', failure = $3`, "1, 4", reasonText(reason))
	return err
}

// reasonText is what the queue shows of a failure.
func reasonText(reason error) string {
	if reason == nil {
		return "it failed"
	}
	return line(reason.Error())
}

// line makes a text one that every database takes.
func line(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "�")
	for len(text) > 1000 {
		_, size := utf8.DecodeLastRuneInString(text[:1000])
		if cut := text[:1000]; utf8.ValidString(cut) {
			return cut
		}
		text = text[:1000-size]
	}
	return text
}
