package sqlstore

import (
	"database/sql"
	"iter"

	"github.com/agentfsm/agentfsm/durable/store"
)

// MaxRecord is how large a record may be.
const MaxRecord = maxRecord

// Pool returns the connections of a store.
func Pool(s *Store) *sql.DB { return s.db }

// DriveTTL is how long PostgreSQL leases a run to whoever drives it.
const DriveTTL = driveTTL

// DriveBeat is how often the lease is extended.
const DriveBeat = driveBeat

// MarksQueries are the statements of the first pages of Marks.
func MarksQueries(s *Store, q store.Query) iter.Seq2[string, []any] {
	return func(yield func(string, []any) bool) {
		r := &marksReader{store: s, query: q}
		for _, list := range r.lists() {
			if query, args := r.search(list, &store.Mark{}, true); !yield(query, args) {
				return
			}
		}
	}
}
