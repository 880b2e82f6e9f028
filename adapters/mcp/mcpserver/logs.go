package mcpserver

import (
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// capabilities are what the server can do besides what the SDK finds out by itself.
func capabilities() *sdk.ServerCapabilities {
	return &sdk.ServerCapabilities{
		Tools:   &sdk.ToolCapabilities{}, // the list never changes
		Logging: &sdk.LoggingCapabilities{},
	}
}

// logger is a handler whose records go to the client, if it set a level for that.
func (r *running) logger() slog.Handler {
	return sdk.NewLoggingHandler(r.session, &sdk.LoggingHandlerOptions{LoggerName: "agentfsm"})
}
