package mcpserver_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// token is a secret that must never leave.
const token = "tok-4711-aa"

// deletion is what the tool of the tests takes.
type deletion struct {
	File  string `json:"file"`
	Token string `json:"token,omitempty" format:"password"`
}

// office is what sessions of tests share: a desktop with a tool that destroys, one
// that only looks, and one that waits until its context ends.
type office struct {
	mu      sync.Mutex
	deleted []string
	began   chan struct{} // a value for each wait that began
	causes  chan error    // and why it ended
}

func newOffice() *office {
	return &office{began: make(chan struct{}, 16), causes: make(chan error, 16)}
}

func (o *office) gone() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.deleted
}

func (o *office) desktop() (desktop.Desktop, error) {
	return desktop.New(
		desktop.Func("delete_file", "deletes a file", func(_ context.Context, d deletion) (string, error) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.deleted = append(o.deleted, d.File)
			return "deleted " + d.File, nil
		}, &desktop.Annotations{DestructiveHint: true}),
		desktop.Func("look", "looks", func(context.Context, struct{}) (string, error) { return "all is well", nil },
			&desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("wait", "waits", func(ctx context.Context, _ struct{}) (string, error) {
			o.began <- struct{}{}
			<-ctx.Done()
			o.causes <- context.Cause(ctx)
			return "", context.Cause(ctx)
		}, nil),
	)
}

// session has an agent that follows a script.
func (o *office) session(user people.User, opts *round.Options, replies ...any) (*round.Session, error) {
	return o.thinking(llmtest.Script(nil, replies...), user, opts)
}

func (o *office) thinking(model llm.Model, user people.User, opts *round.Options) (*round.Session, error) {
	tools, err := o.desktop()
	if err != nil {
		return nil, err
	}
	agent, err := appagent.New(appagent.Config{Name: "EXCEL", Model: model, Desktop: tools, User: user})
	if err != nil {
		return nil, err
	}
	return round.NewSession(agent, opts)
}

// plays is an Open whose sessions follow a script each.
func (o *office) plays(replies ...any) mcpserver.Config {
	return mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		return o.session(call.User, nil, replies...)
	}}
}

const (
	done    = `{"Status": "FINISH", "Result": "All done."}`
	looking = `{"Status": "CONTINUE", "Function": "look"}`
	waiting = `{"Status": "CONTINUE", "Function": "wait"}`
	delete1 = `{"Status": "CONTINUE", "Function": "delete_file", "Args": {"file": "a.txt", "token": "` + token + `"}, "Comment": "It is old."}`
	asking  = `{"Status": "PENDING", "Questions": ["Which colour?"]}`
)

func newServer(t testing.TB, config mcpserver.Config) *mcpserver.Server {
	t.Helper()
	s, err := mcpserver.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// client is a client that remembers what it was told.
type client struct {
	*sdk.ClientSession
	mu       sync.Mutex
	progress []*sdk.ProgressNotificationParams
	asked    []*sdk.ElicitParams
}

type answers func(ctx context.Context, q *sdk.ElicitParams) (*sdk.ElicitResult, error)

// options are those of a client that answers questions, or of one that cannot.
func (c *client) options(say answers) *sdk.ClientOptions {
	opts := &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.progress = append(c.progress, req.Params)
		},
	}
	if say != nil {
		opts.ElicitationHandler = func(ctx context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			c.mu.Lock()
			c.asked = append(c.asked, req.Params)
			c.mu.Unlock()
			return say(ctx, req.Params)
		}
	}
	return opts
}

// dial connects a client that ends with the test.
func dial(t testing.TB, transport sdk.Transport, say answers) *client {
	t.Helper()
	c := &client{}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "orchestra", Version: "7"}, c.options(say)).Connect(context.Background(), transport, nil)
	require.NoError(t, err)
	c.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	return c
}

// memory serves a client in memory. The channel has what Serve returned.
func memory(t testing.TB, s *mcpserver.Server, say answers) (*client, chan error) {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), theirs) }()
	return dial(t, ours, say), served
}

// run calls the tool, and wants progress.
func (c *client) run(ctx context.Context, request string) (*sdk.CallToolResult, error) {
	params := &sdk.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": request}}
	params.SetProgressToken("p-" + request)
	return c.CallTool(ctx, params)
}

// did runs a task whose result must come.
func (c *client) did(t testing.TB, request string) *sdk.CallToolResult {
	t.Helper()
	res, err := c.run(t.Context(), request)
	require.NoError(t, err)
	return res
}

func text(t testing.TB, res *sdk.CallToolResult) string {
	t.Helper()
	require.Len(t, res.Content, 1)
	content, ok := res.Content[0].(*sdk.TextContent)
	require.True(t, ok)
	return content.Text
}

// messages are the progress so far, in the order in which it came.
func (c *client) messages() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.progress {
		list = append(list, p.Message)
	}
	return list
}

func fills(action string, content map[string]any) answers {
	return func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: action, Content: content}, nil
	}
}

var errTest = errors.New("the reason")
