package scenarios_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// Conversations and attacks go the same way with a model that is held to the closed schema of its reply. A reply that
// cannot be said there stays as it is, and closed.golden says why.
func TestClosed_Conversations(t *testing.T) {
	var open strings.Builder
	heard, left := 0, 0
	tally := func(name string, c *conversation) {
		heard, left = heard+c.heard, left+len(c.left)
		for _, why := range c.left {
			fmt.Fprintf(&open, "%s: %s\n", name, why)
		}
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	require.NoError(t, err)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if strings.HasPrefix(name, "a_") || strings.HasPrefix(name, "linux_") {
			continue // their tests set the stage
		}
		agents := agentsOf(t, name)
		for _, agent := range agents {
			c, title := readConversation(t, name), name
			if len(agents) > 1 {
				title += "/" + agent
			}
			c.closed = true
			t.Run(title, func(t *testing.T) { c.with(t, agent, nil) })
			tally(title, c)
		}
	}
	paths, err = filepath.Glob(filepath.Join(attackDir, "*.txt"))
	require.NoError(t, err)
	for _, path := range paths {
		for _, lines := range casesOf(readLines(t, path)) {
			c := &conversation{path: path, lines: lines, attack: true, closed: true}
			t.Run("attack/"+lines[0].text, c.attacks)
			tally("attack/"+lines[0].text, c)
		}
	}
	t.Run("open", func(t *testing.T) {
		path := filepath.Join("testdata", "closed.golden")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(open.String()), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), open.String(), "go test -update writes it anew")
		assert.Greater(t, heard, 2000)
		assert.Less(t, left*10, heard, "most can be said")
	})
}

// held is a reply as a model writes it that is held to the schema of the request.
func (c *conversation) held(req *llm.Request, resp *llm.Response) *llm.Response {
	c.heard++
	said, err := heldTo(req.Schema, resp.Text)
	if err != nil {
		c.left = append(c.left, err.Error())
		return resp
	}
	resp = resp.Clone()
	resp.Text = string(said)
	return resp
}

func heldTo(schema *llm.Schema, text string) (json.RawMessage, error) {
	open, err := loosejson.Parse(text)
	switch {
	case err != nil || !json.Valid([]byte(text)) || open.Kind != loosejson.Object:
		return nil, errors.New("no JSON object")
	case schema == nil || !schema.Strict:
		return nil, errors.New("no closed schema")
	}
	return closedtest.Reply(schema.JSON, open)
}
