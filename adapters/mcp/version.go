package mcp

import (
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// usual is the version of the protocol that is offered when nobody names one: the
// last in which servers ask in the middle of a call, as nearly all of today do.
const usual = "2025-11-25"

// refusesVersion reports whether a server that refused the usual version may take
// the newest, and can be asked.
func (c *connection) refusesVersion(transport sdk.Transport, err error) bool {
	if wire, ok := answered(err); ok {
		switch wire.Code {
		case sdk.CodeUnsupportedProtocolVersion, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams:
		default:
			return false
		}
	} else if !c.refused.Load() { // a web server may say no without words of the protocol
		return false
	}
	_, kept := transport.(*prompt)
	return kept || c.server.URL != ""
}
