package records

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/round"
)

// Snapshot is all that the records before it come to, behind a step. Who resumes the run begins there. It replaces no
// record: a page, a replay and a fork read all of them.
type Snapshot struct {
	round.Checkpoint                // with all of its fields
	Agent            *Data          `json:"known,omitempty"` // what the first agent knows
	Board            []boarddata.Op `json:"board,omitempty"` // that make it; the bytes of blobs are records of their own
	Start            *Start         `json:"started,omitempty"`
	Bounds           *Bounds        `json:"bounds,omitempty"`

	Blobs      map[string]int64 `json:"blobs,omitempty"` // which record has the bytes
	ReadOnly   map[string]bool  `json:"read_only,omitempty"`
	Idempotent map[string]bool  `json:"idempotent,omitempty"`

	Uncertain   []desktop.Command `json:"uncertain,omitempty"`
	Void        []string          `json:"void,omitempty"`
	VoidEffects []string          `json:"void_effects,omitempty"`
	Unreported  []string          `json:"unreported,omitempty"`
}
