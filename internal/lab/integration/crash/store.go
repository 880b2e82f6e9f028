package main

import (
	"context"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// openStore opens the store of a stage.
func openStore(ctx context.Context, kind, place string) (store.Store, func() error, error) {
	if kind == storeFiles {
		files, err := store.Files(place)
		return files, nothing, err
	}
	open := sqlstore.OpenSQLite
	if kind == storePostgres {
		open = sqlstore.OpenPostgres
	}
	db, err := open(ctx, place, nil)
	if err != nil {
		return nil, nil, err
	}
	return db, db.Close, nil
}

// death says how a driver dies by its own hand; the zero value lets it live.
type death struct {
	At     int64 `json:"at"`     // the record whose Append it does not survive, by its number in the journal of a run
	After  bool  `json:"after"`  // it dies after the Append, or before
	Forget bool  `json:"forget"` // its store loses intents
}

// of returns the store with which a driver dies, which has files.
func (d death) of(st store.Store) store.Store {
	if d == (death{}) {
		return st
	}
	return &mortal{st.(*store.FileStore), d}
}

type mortal struct {
	*store.FileStore
	death
}

func (m *mortal) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return m.append(after, records, func(records [][]byte) error { return m.FileStore.Append(ctx, run, after, records...) })
}

func (m *mortal) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	return m.append(after, records, func(records [][]byte) error { return m.FileStore.AppendMarked(ctx, run, after, mark, records...) })
}

func (m *mortal) append(after int64, records [][]byte, do func([][]byte) error) error {
	dies := after < m.At && m.At <= after+int64(len(records))
	if dies && !m.After {
		die()
	}
	kept := make([][]byte, len(records))
	for i, r := range records {
		if kept[i] = r; m.Forget && strings.Contains(string(r), `"kind":"intent"`) {
			kept[i] = []byte(`{"v":1,"kind":"nothing"}`)
		}
	}
	err := do(kept)
	if dies {
		die()
	}
	return err
}
