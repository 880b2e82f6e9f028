package acting_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func login(password string) desktop.Command {
	return desktop.Command{ToolName: "login", Parameters: map[string]any{"password": password}}
}

func TestAnnounce(t *testing.T) {
	d, _ := bench(t, nil)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	var record sink
	ctx := trace.With(t.Context(), &record)
	acting.Announce(ctx, box, login("secret"))
	assert.Equal(t, []string{"secret"}, record.secrets)
	assert.Equal(t, "***", record.masked[0].Parameters["password"])

	acting.Announce(ctx, nil, login("other"))
	assert.Equal(t, "***", record.masked[1].Parameters["password"], "nobody knows what is secret")
	acting.Announce(ctx, box, desktop.Command{})
	assert.Len(t, record.masked, 2)
	acting.Announce(t.Context(), box, login("secret")) // nobody records
}

// guarded is a decision of an agent that has one tool.
type guarded struct {
	Status   fsm.Status
	Password string `json:"Password,omitempty"`
}

// What was refused is announced too, whatever it was refused for.
func TestAnnounceOfEveryReply(t *testing.T) {
	d, _ := bench(t, nil)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	var record sink
	model := llmtest.Script(t,
		"no", `{"Status": "FAIL", "Password": "one"}`, `{"Status": "FINISH", "Password": "two"}`, `{"Status": "FINISH", "Password": "three"}`)
	checked := 0
	_, err = deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[guarded]{
		Model: model, Allowed: []fsm.Status{fsm.Continue, fsm.Finish},
		Seen: func(ctx context.Context, d guarded) { acting.Announce(ctx, box, login(d.Password)) },
		Check: func(d guarded) error {
			assert.Contains(t, record.secrets, d.Password)
			if checked++; checked == 1 {
				return errBroken
			}
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two", "three"}, record.secrets)
}
