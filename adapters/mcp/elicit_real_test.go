//go:build unix

package mcp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
)

// The form of server-everything has a field of each kind that MCP knows.
func TestRealEverythingAsks(t *testing.T) {
	realpartstest.Need(t)
	answers := map[string]string{
		"name": "Ann", "check": "yes", "firstLine": "It was a dark and stormy night.", "email": "ann@example.org", "homepage": "https://example.org",
		"birthdate": "1999-12-31", "integer": "7", "number": "2.5", "untitledSingleSelectEnum": "joey",
		"untitledMultipleSelectEnum": "Piano, Drums", "titledSingleSelectEnum": "Wonder Woman",
		"titledMultipleSelectEnum": "Trout, fish-1", "legacyTitledEnum": "Fish",
	}
	for name, test := range map[string]struct {
		instead map[string]string // of those answers
		action  string
		content string
	}{
		"all": {nil, "accept", `{"name":"Ann","check":true,"firstLine":"It was a dark and stormy night.","email":"ann@example.org",
			"homepage":"https://example.org","birthdate":"1999-12-31","integer":7,"number":2.5,"untitledSingleSelectEnum":"Joey",
			"untitledMultipleSelectEnum":["Piano","Drums"],"titledSingleSelectEnum":"hero-3","titledMultipleSelectEnum":["fish-3","fish-1"],
			"legacyTitledEnum":"pet-4"}`},
		"decline":    {map[string]string{"email": "decline"}, "decline", ""},
		"never fits": {map[string]string{"integer": "101"}, "cancel", ""},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, way string) {
				asked := map[string]int{}
				user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					_, question, _ := strings.Cut(q.Text, "\n\n")
					field, _, _ := strings.Cut(question, " (")
					answer, known := answers[field]
					assert.True(t, known, q.Text)
					asked[field]++
					if instead, ok := test.instead[field]; ok {
						answer = instead
					}
					return people.Answer{Text: answer}, nil
				})
				d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}, User: user})
				text := call(t, d, "trigger-elicitation-request", nil).Text()
				_, raw, ok := strings.Cut(text, "Raw result: ")
				require.True(t, ok, text)
				want := `{"action":"` + test.action + `"}`
				if test.content != "" {
					want = `{"action":"accept","content":` + test.content + `}`
					assert.Len(t, asked, len(answers), "each field once")
				}
				assert.JSONEq(t, want, raw)
			})
		})
	}
	t.Run("nobody", func(t *testing.T) {
		overBoth(t, func(t *testing.T, way string) {
			d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
			assert.Contains(t, call(t, d, "trigger-elicitation-request", nil).Text(), `"action": "decline"`)
		})
	})
}
