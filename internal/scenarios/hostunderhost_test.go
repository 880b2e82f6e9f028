package scenarios_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// A host may work for another one, in an application of its own or for a task that has
// none. Both may need the same application: their agents have names that differ, because
// those of a named host begin with its name. The class: who has a name in one round.
func TestAHostUnderAHost(t *testing.T) {
	for name, named := range map[string]string{"named after the application": "", "a name of its own": "Team"} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t,
				assign("0", "read the report"), finish("read"), // by Word's agent
				assign("1", "make the book"), // by a host of its own
				assign("0", "read it again"), finish("read again"), finish("made"),
				assign("0", "close the report"), finish("closed"), // by Word's first agent
				finish("done"))
			s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
				if app.Window.Root != "excel" {
					return appagent.New(app)
				}
				inner := s.Config
				inner.NewApp, inner.Name, inner.Board = nil, named, app.Board
				if named == "" {
					inner.Name = strings.TrimPrefix(app.Name, "AppAgent/")
				}
				return hostagent.New(inner)
			}
			res, err := s.run("report and book")
			require.NoError(t, err)
			assert.Equal(t, "done", res.Answer)
			at := map[string]int{}
			for _, step := range s.Steps {
				at[step.Agent]++
			}
			host := named
			if host == "" {
				host = "excel/book"
			}
			assert.Equal(t, []string{"AppAgent/" + host + "/word/report", "AppAgent/word/report", "HostAgent", host}, slices.Sorted(maps.Keys(at)))
		})
	}
}
