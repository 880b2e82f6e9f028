package sqlstore

import "time"

// SetNow gives a store another clock.
func (s *Store) SetNow(now func() time.Time) { s.now = now }

// ClaimQuery is the part of Claim that finds the run.
func (s *Store) ClaimQuery() string { return s.text(nextRun) }

// DriveTTL is how long PostgreSQL leases a run to whoever drives it.
const DriveTTL = driveTTL

// DriveBeat is how often the lease is extended.
const DriveBeat = driveBeat
