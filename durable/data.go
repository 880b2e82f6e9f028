package durable

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/records"
)

// keeper and changer are the optional methods of a [fsm.Worker] for going on elsewhere.
type (
	keeper interface {
		Snapshot() ([]byte, error)
		Restore(snapshot []byte) error
	}
	changer interface {
		Changes() ([]byte, error)
		Apply(changes []byte) error
	}
)

// snapshots returns all that agents and blackboard have, and begins to take what changes.
func (j *recorder) snapshots() (agent, board json.RawMessage, err error) {
	err = guard(func() (err error) {
		if c, ok := j.host.(changer); ok {
			if _, err = c.Changes(); err != nil {
				return err
			}
		}
		agent, err = j.host.(keeper).Snapshot() // New has looked
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	j.whole = sha256.Sum256(agent)
	if board, err = j.board.MarshalJSON(); err != nil {
		return nil, nil, err
	}
	j.board.LogOps()
	return agent, board, nil
}

// news returns what changed since it was last asked for.
func (j *recorder) news() (*records.News, error) {
	n := &records.News{}
	err := guard(func() (err error) {
		if c, ok := j.host.(changer); ok {
			n.Agent, err = c.Changes()
			return err
		}
		raw, err := j.host.(keeper).Snapshot()
		if sum := sha256.Sum256(raw); err == nil && sum != j.whole {
			j.whole, n.Snapshot = sum, raw
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if n.Board, err = j.board.TakeOps(); err != nil {
		return nil, err
	}
	for i := range n.Board {
		op := &n.Board[i]
		if op.Kind != blackboard.OpPutBlob {
			continue
		}
		if _, err := j.blob(op.Data); err != nil {
			return nil, err
		}
		op.Data = nil
	}
	return n, nil
}
