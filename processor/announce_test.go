package processor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/processor"
)

func login(password string) desktop.Command {
	return desktop.Command{ToolName: "login", Parameters: map[string]any{"password": password}}
}

func TestAnnounce(t *testing.T) {
	d, _ := bench(t, nil)
	box, err := desktop.Open(t.Context(), d)
	require.NoError(t, err)
	var record sink
	ctx := trace.With(t.Context(), &record)
	processor.Announce(ctx, box, login("secret"))
	assert.Equal(t, []string{"secret"}, record.secrets)
	assert.Equal(t, "***", record.masked[0].Parameters["password"])

	processor.Announce(ctx, nil, login("other"))
	assert.Equal(t, "***", record.masked[1].Parameters["password"], "nobody knows what is secret")
	processor.Announce(ctx, box, desktop.Command{})
	assert.Len(t, record.masked, 2)
	processor.Announce(t.Context(), box, login("secret")) // nobody records
}

// guarded is a decision of an agent that has one tool.
type guarded struct {
	Status   fsm.Status
	Password string `json:"Password,omitempty"`
}

// What was refused is announced too, whatever it was refused for.
func TestDecideShowsEveryReply(t *testing.T) {
	d, _ := bench(t, nil)
	box, err := desktop.Open(t.Context(), d)
	require.NoError(t, err)
	var record sink
	model := llmtest.Script(t,
		"no", `{"Status": "FAIL", "Password": "one"}`, `{"Status": "FINISH", "Password": "two"}`, `{"Status": "FINISH", "Password": "three"}`)
	checked := 0
	_, err = processor.Decide(trace.With(t.Context(), &record), processor.Inquiry[guarded]{
		Model: model, Allowed: allowed,
		Seen: func(ctx context.Context, d guarded) { processor.Announce(ctx, box, login(d.Password)) },
		Check: func(d *guarded) error {
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

// A reply that comes too late is not worked on, but it was recorded.
func TestDecideStopsBeforeHeavyWork(t *testing.T) {
	for name, late := range map[string]bool{"before the checks": true, "in the checks": false} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			seen, checked := 0, 0
			_, err := processor.Decide(ctx, processor.Inquiry[decision]{
				Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					if late {
						cancel(errBroken)
					}
					return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
				}),
				Allowed: allowed,
				Seen:    func(context.Context, decision) { seen++ },
				Check:   func(*decision) error { checked++; cancel(errBroken); return nil },
			})
			require.ErrorIs(t, err, errBroken)
			assert.Equal(t, 1, seen)
			assert.Equal(t, late, checked == 0)
		})
	}
}
