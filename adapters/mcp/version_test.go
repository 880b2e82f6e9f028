package mcp_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/people"
)

// asker is a server as people write them: one tool asks in the middle of a call, one
// ends its call with what it wants to know. It refuses a method with a message.
func asker(refuses, message string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "asker", Version: "1"}, nil)
	form := &sdk.ElicitParams{Message: "Which size?", RequestedSchema: map[string]any{
		"type": "object", "required": []string{"size"}, "properties": map[string]any{"size": map[string]any{"type": "integer"}},
	}}
	outcome := func(res *sdk.ElicitResult, err error) (*sdk.CallToolResult, any, error) {
		if err != nil {
			return nil, nil, err
		}
		size, _ := res.Content["size"].(float64)
		return said(res.Action + strings.Repeat("!", int(size))), nil, nil
	}
	sdk.AddTool(s, &sdk.Tool{Name: "elicit"}, func(ctx context.Context, req *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		return outcome(req.Session.Elicit(ctx, form))
	})
	sdk.AddTool(s, &sdk.Tool{Name: "request"}, func(_ context.Context, req *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		if res, ok := req.Params.InputResponses["it"].(*sdk.ElicitResult); ok {
			return outcome(res, nil)
		}
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"it": form}}, nil, nil
	})
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method == refuses {
				return nil, &jsonrpc.Error{Code: sdk.CodeUnsupportedProtocolVersion, Message: message}
			}
			return next(ctx, method, req)
		}
	})
	return s
}

// Forms of the tools of ordinary servers reach the User, and a server that knows only the newest version can be asked for it.
func TestVersions(t *testing.T) {
	ways := map[string]func(t *testing.T, refuses string) mcp.Server{
		"memory": func(t *testing.T, refuses string) mcp.Server {
			ours, theirs := sdk.NewInMemoryTransports()
			session, err := asker(refuses, "not that one").Connect(context.Background(), theirs, nil)
			require.NoError(t, err)
			t.Cleanup(func() { _ = session.Close() })
			return mcp.Server{Transport: ours}
		},
		"stdio": func(t *testing.T, refuses string) mcp.Server {
			path, err := os.Executable()
			require.NoError(t, err)
			return mcp.Server{Command: []string{path, refuses, "not that one"}, Env: []string{role + "=asker"}}
		},
		"http": func(t *testing.T, refuses string) mcp.Server {
			options := &sdk.StreamableHTTPOptions{Stateless: refuses == "initialize"} // the Go SDK knows the newest only there
			handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return asker(refuses, "not that one") }, options)
			server := listen(t, handler)
			return mcp.Server{URL: server.URL}
		},
	}
	for way, start := range ways {
		for name, test := range map[string]struct {
			refuses, offers string
			works           map[string]bool
		}{
			"ordinary":      {"", "", map[string]bool{"elicit": true, "request": true}},
			"knows nothing": {"server/discover", "", map[string]bool{"elicit": true, "request": true}},
			"newest wanted": {"initialize", newest, map[string]bool{"elicit": false, "request": true}},
		} {
			t.Run(way+", "+name, func(t *testing.T) {
				noMoreGoroutines(t)
				t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
				server := start(t, test.refuses)
				server.Name, server.ProtocolVersion = "b", test.offers
				asked := 0
				d := open(t, mcp.Config{Servers: []mcp.Server{server}, User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
					asked++
					return people.Answer{Text: "3"}, nil
				})})
				want := 0
				for tool, works := range test.works {
					res := call(t, d, tool, nil)
					if works {
						want++
						assert.Equal(t, "accept!!!", res.Text()+res.Error)
					} else {
						assert.Contains(t, res.Error, "InputRequests")
					}
				}
				assert.Equal(t, want, asked)
				require.NoError(t, d.Close())
			})
		}
	}
}

// A server that refuses every version is one error, that of the first.
func TestNoVersion(t *testing.T) {
	for _, offers := range []string{"", older} {
		s := asker("", "")
		s.AddReceivingMiddleware(func(sdk.MethodHandler) sdk.MethodHandler {
			return func(_ context.Context, method string, _ sdk.Request) (sdk.Result, error) {
				return nil, &jsonrpc.Error{Code: sdk.CodeUnsupportedProtocolVersion, Message: "never " + method}
			}
		})
		ours, theirs := sdk.NewInMemoryTransports()
		session, err := s.Connect(context.Background(), theirs, nil)
		require.NoError(t, err)
		_, err = mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: ours, ProtocolVersion: offers}}})
		require.ErrorIs(t, err, mcp.ErrProtocol)
		assert.ErrorContains(t, err, "never initialize")
		var broken *mcp.ServerError
		require.ErrorAs(t, err, &broken)
		assert.EqualValues(t, sdk.CodeUnsupportedProtocolVersion, broken.Code)
		_ = session.Close()
	}
}
