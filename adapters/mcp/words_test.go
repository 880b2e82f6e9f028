package mcp_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// deafWriter takes nothing.
type deafWriter struct{}

func (deafWriter) Write([]byte) (int, error) { return 0, errors.New("not now") }

// What a process says before it ends is in the error, in one line, whether somebody
// else hears it or not.
func TestLastWords(t *testing.T) {
	const token, kept = "tok-12345", 16 << 10
	for name, test := range map[string]struct{ words, want, text string }{
		"nothing":     {"", "", "its process ended: exit status 4; "},
		"a line":      {"no such luck\n", "no such luck", "its process ended: exit status 4, and its last words were: no such luck; "},
		"lines":       {"one\r\n\n two\n", "one\n\n two", "were: one | two; "},
		"colours":     {"\x1b[31;1mred\x1b[0m \x1b]0;title\x07\u202eback\n", "red  ]0;title  back", "red  ]0;title"},
		"broken":      {"a\xffb\n", "a?b", "a?b"},
		"secret":      {"token " + token + " is bad\n", "token *** is bad", "token *** is bad"},
		"in colours":  {"token tok-\x1b[0m12345 is bad\n", "token *** is bad", "token *** is bad"},
		"long":        {strings.Repeat("earlier\n", 10_000) + "the cause\n", strings.Repeat("earlier\n", 62) + "the cause", "earlier | the cause; "},
		"one line":    {strings.Repeat("ü", 10_000), strings.Repeat("ü", 256), "üü; "},
		"only tokens": {strings.Repeat(token, kept/len(token)+1) + "\n", strings.Repeat("*", 512), "***; "},
		"half":        {token + strings.Repeat(" ", kept-5) + "\n", "", "exit status 4; "},
	} {
		for heard, to := range map[string]io.Writer{"unheard": nil, "nobody": (*bytes.Buffer)(nil), "heard": &bytes.Buffer{}, "deaf": deafWriter{}} {
			t.Run(name+", "+heard, func(t *testing.T) {
				server := self(t, "talker")
				server.Command = append(server.Command, test.words)
				server.Env, server.Stderr = append(server.Env, "TOKEN="+token), to
				_, err := mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{server}})
				require.ErrorIs(t, err, mcp.ErrDisconnected)
				var exit *mcp.ExitError
				require.ErrorAs(t, err, &exit)
				assert.Equal(t, "exit status 4", exit.State)
				assert.Equal(t, test.want, exit.Stderr)
				assert.LessOrEqual(t, len(exit.Stderr), 512)
				assert.True(t, utf8.ValidString(exit.Stderr))
				assert.Contains(t, err.Error(), test.text)
				assert.NotContains(t, err.Error(), "\n")
				if heard == "heard" {
					assert.Equal(t, test.words, to.(*bytes.Buffer).String(), "as it is")
				}
			})
		}
	}
}

// A refusal of a server has as many lines as it likes; the error has one.
func TestOneLine(t *testing.T) {
	path, err := os.Executable()
	require.NoError(t, err)
	for _, op := range []string{"connect", "call"} {
		server := mcp.Server{Name: "b", Command: []string{path, "tools/call", "line\none\r\u2028\nand two"}, Env: []string{role + "=asker"}}
		if op == "connect" {
			server.Command[1] = "initialize"
			server.ProtocolVersion = older
		}
		d, err := mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{server}})
		if err == nil {
			_, err = d.Execute(t.Context(), desktop.Command{ToolName: "elicit"})
			require.NoError(t, d.Close())
		}
		require.ErrorIs(t, err, mcp.ErrProtocol)
		assert.ErrorContains(t, err, "line | one | and two")
		assert.NotContains(t, err.Error(), "\n")
	}
}
