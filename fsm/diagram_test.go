package fsm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
)

func ended(list ...fsm.Status) []fsm.Row[*agent] {
	var rows []fsm.Row[*agent]
	for _, s := range list {
		rows = append(rows, fsm.Row[*agent]{Status: s, RoundEnd: true, SubtaskEnd: true, Success: s == "start"})
	}
	return rows
}

func going(list ...fsm.Status) []fsm.Row[*agent] {
	var rows []fsm.Row[*agent]
	for _, s := range list {
		rows = append(rows, fsm.Row[*agent]{Status: s})
	}
	return rows
}

func TestDiagrams(t *testing.T) {
	tests := map[string]*fsm.Manager[*agent]{
		// With people, hand-overs of both kinds and everything that is exempt.
		"host": fsm.Table("Host",
			append(going(fsm.Continue, "ASSIGN", fsm.Pending), ended(fsm.Finish, fsm.Fail, fsm.Error)...),
			fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: "ASSIGN", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
			fsm.Edge{From: "ASSIGN", To: fsm.Screenshot, Kind: "Camera", By: fsm.BySystem},
			fsm.Edge{From: fsm.Pending, To: fsm.Screenshot, Kind: "Camera", By: fsm.ByUser},
			fsm.Edge{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
			fsm.Edge{From: fsm.Pending, To: fsm.Fail, By: fsm.ByTimeout},
			fsm.Edge{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem},
			fsm.Edge{From: fsm.Error, To: fsm.Finish, By: fsm.BySystem},
		),
		// Names that a drawing could trip over: no ERROR, no hand-over.
		"names": fsm.Table(`A "kind"`,
			append(going("NEED INPUT", "NEED_INPUT", "NEED.INPUT", `SAY "HI"`, "ÜBER\nZWEI"), ended("start")...),
			fsm.Edge{To: "NEED INPUT", By: fsm.BySystem},
			fsm.Edge{From: "NEED INPUT", To: "NEED_INPUT", By: fsm.ByModel},
			fsm.Edge{From: "NEED_INPUT", To: "NEED.INPUT", By: fsm.ByModel},
			fsm.Edge{From: "NEED.INPUT", To: `SAY "HI"`, By: fsm.ByModel},
			fsm.Edge{From: `SAY "HI"`, To: "ÜBER\nZWEI", By: fsm.ByModel},
			fsm.Edge{From: "ÜBER\nZWEI", To: "start", By: fsm.BySystem},
		),
	}
	for name, m := range tests {
		t.Run(name, func(t *testing.T) {
			golden.Equal(t, name+".mmd", m.Mermaid())
			for range 20 {
				require.Equal(t, m.Mermaid(), m.With().Mermaid(), "the same text for the same table")
			}
		})
	}
}
