package mcpserver_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
)

// Whoever looks at calls on their way here reads the request that is run, or none is.
func TestArgumentsHaveOneReading(t *testing.T) {
	var ran []string
	w := wired(t, newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		ran = append(ran, call.Request)
		return newOffice().session(nil, nil, done)
	}}), `{}`)
	for i, test := range []struct{ arguments, want string }{
		{`{"request":"good","Request":"evil"}`, "Request"},
		{`{"Request":"evil","request":"good"}`, "Request"},
		{`{"REQUEST":"evil"}`, "REQUEST"},
		{`{"request":{"request":"evil"}}`, "arguments"},
		{`{"request":["evil"]}`, "arguments"},
		{`"evil"`, "arguments"},
		{`[{"request":"evil"}]`, "arguments"},
		{`true`, "arguments"},
		{`null`, "request"},
		{`{"request":null}`, "request"},
		{`{"request":""}`, round.ErrNoRequest.Error()},
	} {
		w.asks(fmt.Sprint(i), test.arguments, `{}`)
		bad, text := w.ends(float64(i))
		assert.True(t, bad, test.arguments)
		assert.Contains(t, text, test.want, test.arguments)
	}
	assert.Empty(t, ran)
	w.asks("100", `{"request":"good \"}"}`, `{}`)
	bad, text := w.ends(float64(100))
	assert.False(t, bad, text)
	assert.Equal(t, []string{`good "}`}, ran)
}

// Progress comes under the token that was sent, and without one not at all.
func TestProgressTokens(t *testing.T) {
	w := wired(t, newServer(t, newOffice().plays(done)), `{}`)
	for i, test := range []struct {
		token string
		want  any // nil: no progress
	}{
		{`"x"`, "x"}, {`""`, ""}, {`0`, 0.0}, {`-7`, -7.0}, {`9007199254740991`, 9007199254740991.0}, {`null`, nil},
	} {
		w.asks(fmt.Sprint(i), `{"request":"x"}`, `{"progressToken":`+test.token+`}`)
		var told []any
		for m := range w.lines {
			if m["id"] == float64(i) {
				break
			}
			if m["method"] == "notifications/progress" {
				told = append(told, m["params"].(map[string]any)["progressToken"])
			}
		}
		if test.want == nil {
			assert.Empty(t, told, test.token)
		} else {
			assert.Equal(t, []any{test.want}, told, test.token)
		}
	}
}
