package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is this side of the protocol. It offers what the config offers, and no
// more.
func (c *connection) client() *sdk.Client {
	name, version := c.config.Name, c.config.Version
	if name == "" {
		name = "agentfsm"
	}
	if version == "" { // the protocol wants one
		version = ownVersion()
	}
	offered := &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}}
	if len(c.config.Roots) > 0 {
		offered.RootsV2 = &sdk.RootCapabilities{}
	}
	options := &sdk.ClientOptions{
		Logger:             c.log,
		Capabilities:       offered,
		ElicitationHandler: c.elicit,
		// Without it the SDK does not ask to be told, and may show an old list.
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
	}
	if c.config.Progress != nil {
		options.ProgressNotificationHandler = c.onProgress
	}
	if c.config.Sampling != nil {
		options.CreateMessageHandler = c.sample
	}
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: version}, options)
	for _, root := range c.config.Roots {
		if uri, err := rootURI(root); err == nil {
			client.AddRoots(&sdk.Root{URI: uri})
		}
	}
	return client
}

// ownVersion is the version of this module in the program.
func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range append(info.Deps, &info.Main) {
			if module.Path == "github.com/agentfsm/agentfsm/adapters/mcp" && module.Version != "" {
				return module.Version
			}
		}
	}
	return "(devel)"
}

// remembered is for how many calls progress is still told apart.
const remembered = 256

// progress knows which call a token of progress is of.
type progress struct {
	mu    sync.Mutex
	last  int
	calls [remembered]Progress
}

// token remembers a call.
func (p *progress) token(server, tool, callID string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.calls[p.last%remembered] = Progress{Server: server, Tool: tool, CallID: callID}
	return fmt.Sprint("call-", p.last)
}

// call returns the call of a token.
func (p *progress) call(token any) (Progress, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var n int
	text, _ := token.(string)
	if _, err := fmt.Sscanf(text, "call-%d", &n); err != nil || n < 1 || n > p.last || n <= p.last-remembered {
		return Progress{}, false
	}
	return p.calls[n%remembered], true
}

func (c *connection) onProgress(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
	if req.Params == nil {
		return
	}
	told, ok := c.progress.call(req.Params.ProgressToken)
	if !ok {
		return
	}
	told.Progress, told.Total, told.Message = req.Params.Progress, req.Params.Total, c.secrets.hide(req.Params.Message)
	select {
	case c.reports <- told:
	default: // or the queue of the SDK would grow as long as the server likes
	}
}

// unseen is how many reports of progress may wait.
const unseen = 64

// tell hands progress on until the connection ends.
func (c *connection) tell() {
	for {
		select {
		case told := <-c.reports:
			func() {
				defer c.survive("Progress")
				c.config.Progress(told)
			}()
		case <-c.life.Done():
			return
		}
	}
}

// survive keeps a panic of a plug-in from ending the program: it happens in a
// goroutine of the SDK, where no caller can recover it.
func (c *connection) survive(who string) {
	if v := recover(); v != nil {
		c.log.Error("mcp: a plug-in panicked", "plugin", who, "panic", fmt.Sprint(v))
	}
}
