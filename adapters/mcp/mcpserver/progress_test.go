package mcpserver_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// One notification for each step, before the response, and none without a token.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, served := memory(t, newServer(t, newOffice().plays(looking, looking, delete1, done)), fills("accept", map[string]any{"approve": true}))
		res := c.did(t, "work")
		require.False(t, res.IsError, text(t, res))
		synctest.Wait()
		got := c.messages()
		assert.Equal(t, []string{
			"EXCEL: CONTINUE → CONTINUE", "EXCEL: CONTINUE → CONTINUE", "EXCEL: CONTINUE → CONFIRM", "EXCEL: CONFIRM → CONTINUE", "EXCEL: CONTINUE → FINISH",
		}, got)
		for i, p := range c.progress {
			assert.Equal(t, "p-work", p.ProgressToken)
			assert.EqualValues(t, i+1, p.Progress)
			assert.Zero(t, p.Total, "nobody knows")
		}
		told := len(got)
		_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": "again"}})
		require.NoError(t, err)
		synctest.Wait()
		assert.Len(t, c.messages(), told)
		require.NoError(t, c.Close())
		<-served
	})
}

// A name that is anybody's text cannot break the line.
func TestProgressIsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, served := memory(t, newServer(t, mcpserver.Config{Open: func(context.Context, *mcpserver.Call) (*round.Session, error) {
			tools, err := newOffice().desktop()
			if err != nil {
				return nil, err
			}
			agent, err := appagent.New(appagent.Config{Name: "a\x1b[2J\n" + strings.Repeat("ü", 200), Model: llmtest.Script(nil, done), Desktop: tools})
			if err != nil {
				return nil, err
			}
			return round.NewSession(agent, nil)
		}}), nil)
		c.did(t, "work")
		synctest.Wait()
		assert.Equal(t, []string{`a\u001b[2J\u000a` + strings.Repeat("ü", 64) + "…: CONTINUE → FINISH"}, c.messages())
		require.NoError(t, c.Close())
		<-served
	})
}

// The session's own observer goes on, and Redact holds for what is told.
func TestRedact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, seen := newOffice(), 0
		opts := &round.Options{
			Observe: func(round.Step) { seen++ },
			Redact:  func(text string) string { return strings.ReplaceAll(text, "EXCEL", "(an agent)") },
		}
		c, served := memory(t, newServer(t, mcpserver.Config{Open: func(context.Context, *mcpserver.Call) (*round.Session, error) {
			return o.session(nil, opts, looking, done)
		}}), nil)
		c.did(t, "work")
		synctest.Wait()
		assert.Equal(t, 2, seen)
		assert.Equal(t, []string{"(an agent): CONTINUE → CONTINUE", "(an agent): CONTINUE → FINISH"}, c.messages())
		require.NoError(t, c.Close())
		<-served
	})
}
