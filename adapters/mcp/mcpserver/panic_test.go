package mcpserver_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// closes is an agent that panics when its session is closed.
type closes struct{ *appagent.Agent }

func (closes) Close(context.Context) error { panic(token) }

// safe is a text that several goroutines write.
type safe struct {
	mu sync.Mutex
	strings.Builder
}

func (s *safe) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Builder.Write(b)
}

// A panic may quote anything, wherever it was: it is logged, and not told.
func TestPanicsAreNotTold(t *testing.T) {
	o := newOffice()
	for name, open := range map[string]func(call *mcpserver.Call) (*round.Session, error){
		"open": func(*mcpserver.Call) (*round.Session, error) { panic(token) },
		"model": func(*mcpserver.Call) (*round.Session, error) {
			return o.thinking(llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { panic(token) }), nil, nil)
		},
		"observer": func(*mcpserver.Call) (*round.Session, error) {
			return o.session(nil, &round.Options{Observe: func(round.Step) { panic(token) }}, looking, done)
		},
		"user": func(*mcpserver.Call) (*round.Session, error) {
			return o.session(people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { panic(token) }), nil, delete1, done)
		},
		"tool": func(*mcpserver.Call) (*round.Session, error) {
			d, err := desktop.New(desktop.Func("look", "looks", func(context.Context, struct{}) (string, error) { panic(token) }, nil))
			if err != nil {
				return nil, err
			}
			agent, err := appagent.New(appagent.Config{Name: "EXCEL", Model: llmtest.Script(nil, looking, done), Desktop: d})
			if err != nil {
				return nil, err
			}
			return round.NewSession(agent, nil)
		},
		"close": func(*mcpserver.Call) (*round.Session, error) {
			tools, err := o.desktop()
			if err != nil {
				return nil, err
			}
			agent, err := appagent.New(appagent.Config{Name: "EXCEL", Model: llmtest.Script(nil, done), Desktop: tools})
			if err != nil {
				return nil, err
			}
			return round.NewSession(closes{agent}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := &safe{}
			c, _ := memory(t, newServer(t, mcpserver.Config{
				Logger: slog.New(slog.NewTextHandler(log, nil)),
				Open:   func(_ context.Context, call *mcpserver.Call) (*round.Session, error) { return open(call) },
			}), nil)
			for range 2 { // the server goes on
				res := c.did(t, "x")
				assert.True(t, res.IsError)
				assert.Contains(t, text(t, res), mcpserver.ErrPanic.Error())
				assert.NotContains(t, c.everything(t, res), token)
			}
			assert.Equal(t, 2, strings.Count(log.String(), "panic="+token))
		})
	}
}
