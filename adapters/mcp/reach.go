package mcp

import (
	"net/http"
	"net/url"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport is the way to a server.
func (c *connection) transport() (sdk.Transport, error) {
	switch {
	case len(c.server.Command) > 0:
		var err error
		if c.proc, err = start(c.server, or(c.config.CloseTimeout, DefaultCloseTimeout, -1)); err != nil {
			return nil, err
		}
		c.proc.most, c.proc.drop = or(c.config.MaxMessage, DefaultMaxMessage, -1), c.onGarbage
		return &prompt{Transport: c.proc, cancels: &c.cancels, again: &c.again, mender: mender{c.log}, most: or(c.config.MaxMessage, DefaultMaxMessage, -1)}, nil
	case c.server.URL != "":
		return c.http()
	}
	switch c.server.Transport.(type) {
	case *sdk.InMemoryTransport, *sdk.IOTransport:
		return &prompt{Transport: c.server.Transport, cancels: &c.cancels, again: &c.again, mender: mender{c.log}, most: or(c.config.MaxMessage, DefaultMaxMessage, -1)}, nil
	}
	return c.server.Transport, nil
}

func (c *connection) http() (sdk.Transport, error) {
	u, err := url.Parse(c.server.URL)
	if err != nil {
		return nil, err
	}
	client := &http.Client{}
	if c.server.HTTPClient != nil {
		*client = *c.server.HTTPClient
	}
	if client.Transport == nil {
		if shared, ok := http.DefaultTransport.(*http.Transport); ok && c.server.HTTPClient == nil {
			own := shared.Clone()
			client.Transport, c.idle = own, own.CloseIdleConnections
		} else {
			client.Transport = http.DefaultTransport
		}
	}
	if client.CheckRedirect == nil {
		client.CheckRedirect = sameServer
	}
	most := or(c.config.MaxMessage, DefaultMaxMessage, -1)
	client.Transport = &roundTripper{
		answers: newAnswers(c.life, func() {
			c.log.Warn("mcp: the server is cut off", "error", &unreadError{})
			c.kept.Close()
		}),
		next: client.Transport, to: u, header: c.server.Header.Clone(),
		most: most, grace: c.grace(), cancels: &c.cancels, work: &c.work, refused: &c.refused, mender: mender{c.log},
	}
	c.cancels.watch()
	return &sdk.StreamableClientTransport{
		Endpoint:   c.server.URL,
		HTTPClient: client,
		MaxRetries: or(c.server.HTTPRetries, DefaultHTTPRetries, -1),
		// Of 0 the SDK says that it is a limit, and has none.
		MaxEventSize: most,
	}, nil
}

// grace is how long each goodbye may take.
func (c *connection) grace() time.Duration {
	return max(time.Millisecond, or(c.config.CloseTimeout, DefaultCloseTimeout, 0))
}

// onGarbage is told of a line of a server that is no message. What is in it may be
// anything, and is not logged.
func (c *connection) onGarbage(size int) {
	if n, yes := c.dropped.worth(); yes {
		c.log.Warn("mcp: the server writes what is no message to its standard output", "bytes", size, "times", n)
	}
}
