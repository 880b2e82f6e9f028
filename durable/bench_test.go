package durable_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// What a journal adds to a step of an AppAgent that looks, asks its model and acts: in
// memory what it takes to make the records, in files their appends as well.
func BenchmarkStepWithJournal(b *testing.B) {
	for _, kept := range []string{"none", "memory", "files"} {
		b.Run(fmt.Sprintf("journal=%s", kept), func(b *testing.B) {
			w := newWorld(&testing.T{})
			w.words = b.N + 10
			agent, err := appagent.New(appagent.Config{
				Model: llm.ModelFunc(w.think), Desktop: w.desk, User: people.UserFunc(w.answer), NoImages: true, MaxMemory: -1,
				Window: desktop.Window{ID: "2", Root: "word", Process: "report"}, Board: blackboard.New(&blackboard.Options{MaxBytes: -1}),
			})
			require.NoError(b, err)
			opts := unbounded()
			opts.MaxTransitions = -1
			var s *round.Session
			switch kept {
			case "none":
				s, err = round.NewSession(agent, opts)
			case "memory":
				s, err = durable.Open(b.Context(), agent, store.Memory(), "run", &durable.Options{Round: opts})
			case "files":
				files, problem := store.Files(b.TempDir(), nil)
				require.NoError(b, problem)
				s, err = durable.Open(b.Context(), agent, files, "run", &durable.Options{Round: opts})
			}
			require.NoError(b, err)
			r, err := s.Start("write it again")
			require.NoError(b, err)
			b.ReportAllocs()
			b.ResetTimer()
			steps := 0
			for _, err := range r.Steps(b.Context()) {
				require.NoError(b, err)
				if steps++; steps == b.N {
					break
				}
			}
		})
	}
}
