package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Drive implements [store.Store]. A database of SQLite has a folder beside it, whose name ends in
// -driven, with a file for each run that was ever driven, which is locked meanwhile: so a process that
// dies gives its runs back, and one that hangs does not. In PostgreSQL a run is leased by the clock of
// the database for less than five seconds, and a goroutine of the Hold extends that each second: what
// hangs for longer, or cannot reach the database, is taken for dead.
func (s *Store) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	if s.drives != nil {
		return s.drives.Drive(ctx, run, takeOver)
	}
	if err := store.CheckRun(run); err != nil {
		return nil, err
	}
	if err := ended(ctx); err != nil {
		return nil, fmt.Errorf("sqlstore: drive run %q: %w", run, err)
	}
	h := &leased{store: s, run: run, token: rand.Int64()}
	held, by, err := h.begin(ctx, takeOver)
	switch {
	case err != nil:
		return nil, fmt.Errorf("sqlstore: drive run %q: %w", run, s.explain(ctx, err))
	case !held:
		return nil, fmt.Errorf("%w: run %q: %s", store.ErrDriven, run, by)
	}
	h.keep() //nolint:contextcheck // it lasts until Release, or until the store is closed
	return h, nil
}

// forgetDriver deletes the file by which a run was driven, which the caller drives.
func (s *Store) forgetDriver(run string) {
	if s.drives != nil {
		_ = os.Remove(s.drives.File(run)) // Windows does not let it; it is empty
	}
}

// How long PostgreSQL leases a run to whoever drives it, and how often that is extended.
const (
	driveTTL  = 4500 * time.Millisecond
	driveBeat = time.Second
)

// leased is a hold of a run in PostgreSQL.
type leased struct {
	store *Store
	run   string
	token int64 // random: tells its row from that of another one
	took  bool
	stop  context.CancelFunc
	ended chan struct{} // closed when nothing is extended any more
}

// begin writes down who drives the run, unless somebody does whose lease has not run out.
func (h *leased) begin(ctx context.Context, takeOver bool) (held bool, by string, err error) {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host" // it is for people
	}
	taken := 0
	held, err = h.store.change(ctx,
		`INSERT INTO agentfsm_drives AS d (run, token, free, driver, taken)
			SELECT $1, $2, t.now + $3, $4, 0 FROM (SELECT {now} AS now) t WHERE {sync}
		ON CONFLICT (run) DO UPDATE SET token = EXCLUDED.token, free = EXCLUDED.free, driver = EXCLUDED.driver,
			taken = CASE d.token WHEN EXCLUDED.token THEN d.taken ELSE 1 END
		WHERE d.free <= {now} OR d.token = EXCLUDED.token OR CAST($5 AS boolean)
		RETURNING taken`,
		[]any{h.run, h.token, driveTTL.Microseconds(), whole(fmt.Sprintf("process %d of %s", os.Getpid(), host)), takeOver}, &taken)
	if h.took = taken == 1; held || err != nil {
		return held, "", err
	}
	err = h.store.look(ctx, func() { by = "" }, `SELECT driver FROM agentfsm_drives WHERE run = $1`, []any{h.run},
		func(rows *sql.Rows) error { return rows.Scan(&by) })
	return false, by, err
}

// keep extends the lease until Release, or until the store is closed or the run is another one's.
func (h *leased) keep() {
	ctx, stop := context.WithCancel(h.store.life)
	h.stop, h.ended = stop, make(chan struct{})
	go func() {
		defer close(h.ended)
		beat := time.NewTicker(driveBeat)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
			limited, done := context.WithTimeout(ctx, driveTTL)
			one := 0
			// Not synced: what is lost by that is a second of the lease.
			mine, err := h.store.change(limited,
				`UPDATE agentfsm_drives SET free = {now} + $3 WHERE run = $1 AND token = $2 RETURNING 1`,
				[]any{h.run, h.token, driveTTL.Microseconds()}, &one)
			done()
			if err == nil && !mine {
				return
			}
		}
	}()
}

func (h *leased) Took() bool { return h.took }

// Release implements [store.Hold]. Where the database cannot be reached, the lease runs out.
func (h *leased) Release(ctx context.Context) error {
	h.stop()
	<-h.ended
	one := 0
	_, err := h.store.change(ctx, `DELETE FROM agentfsm_drives WHERE run = $1 AND token = $2 RETURNING 1`, []any{h.run, h.token}, &one)
	if err != nil {
		return fmt.Errorf("sqlstore: release run %q: %w", h.run, h.store.explain(ctx, err))
	}
	return nil
}
