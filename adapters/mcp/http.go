package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/internal/clip"
)

// maxRetries is how often a broken stream is taken up again. No call is sent twice.
const maxRetries = 2

// http is the way to a server on the network.
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
		client.Transport = http.DefaultTransport
		if shared, ok := http.DefaultTransport.(*http.Transport); ok && c.server.HTTPClient == nil {
			own := shared.Clone()
			client.Transport, c.idle = own, own.CloseIdleConnections
		}
	}
	if client.CheckRedirect == nil {
		client.CheckRedirect = sameServer
	}
	client.Transport = &roundTripper{
		next: client.Transport, to: u, header: c.server.Header,
		most: c.config.MaxMessage, grace: c.config.CloseTimeout, life: c.wire, log: c.log, untold: &c.untold,
	}
	return &sdk.StreamableClientTransport{Endpoint: c.server.URL, HTTPClient: client, MaxRetries: maxRetries, MaxEventSize: c.config.MaxMessage}, nil
}

var errRedirect = errors.New("it redirects to another server, which is not followed: what is sent may be secret")

// sameServer follows redirects within a server.
func sameServer(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return errRedirect
	}
	if len(via) >= 10 {
		return errors.New("it redirects without end")
	}
	return nil
}

// roundTripper adds the headers of a server to the requests to its host, ends them with the connection,
// and bounds and mends the answers.
type roundTripper struct {
	next   http.RoundTripper
	to     *url.URL
	header http.Header
	most   int             // bytes of an answer
	grace  time.Duration   // for the goodbye
	life   context.Context //nolint:containedctx // of the connection
	log    *slog.Logger
	open   atomic.Int64 // requests without an answer
	untold *atomic.Int64
}

var errOpen = errors.New("too many requests have no answer yet")

func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := func() bool { return true }
	switch req.Method {
	case http.MethodDelete: // the SDK would wait longer than Close may take
		cancel()
		ctx, cancel = context.WithTimeout(req.Context(), r.grace)
	case http.MethodPost:
		defer r.open.Add(-1)
		if r.open.Add(1) > maxUnread { // the server asks, and does not take the answers
			cancel()
			return nil, errOpen
		}
		fallthrough
	default:
		stop = context.AfterFunc(r.life, cancel)
	}
	out := req.Clone(ctx)
	if out.URL.Host == r.to.Host && out.URL.Scheme == r.to.Scheme {
		maps.Copy(out.Header, r.header)
	}
	resp, err := r.next.RoundTrip(out)
	if sent(req).Method == cancelled {
		r.untold.Add(-1)
	}
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	resp.Body = &ending{resp.Body, func() { stop(); cancel() }}
	switch isStream := mediaType(resp) == "text/event-stream"; {
	case resp.StatusCode != http.StatusOK:
		r.refusal(req, resp)
	case isStream:
		r.events(resp)
	default:
		r.body(resp)
	}
	return resp, nil
}

func mediaType(resp *http.Response) string {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// ending is a body with which a context ends.
type ending struct {
	io.ReadCloser
	end func()
}

func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

// events mends the messages of a stream, line by line. The SDK refuses a line that is too long.
func (r *roundTripper) events(resp *http.Response) {
	lines := bufio.NewReader(resp.Body)
	resp.Body = &pieces{Closer: resp.Body, more: func() ([]byte, error) {
		line, err := readLine(lines, r.most)
		if data, is := bytes.CutPrefix(line, []byte("data:")); is && len(line) <= r.most {
			if mended, changed := mendText(r.log, data); changed {
				line = slices.Concat([]byte("data: "), mended, []byte("\n"))
			}
		}
		return line, err
	}}
}

// body mends and bounds an answer that is no stream.
func (r *roundTripper) body(resp *http.Response) {
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	all := resp.Body
	resp.Body = &pieces{Closer: all, more: func() ([]byte, error) {
		raw, err := io.ReadAll(io.LimitReader(all, int64(r.most)+1))
		if err == nil {
			err = io.EOF
		}
		if len(raw) > r.most {
			return nil, &tooLongError{r.most}
		}
		if mended, changed := mendText(r.log, raw); changed {
			raw = mended
		}
		return raw, err
	}}
}

// message is what is looked at of a message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Error  json.RawMessage `json:"error"`
}

// sent is the message in a request. The SDK wrote it; a request that is not one of messages has none.
func sent(req *http.Request) (msg message) {
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			_ = json.NewDecoder(body).Decode(&msg)
		}
	}
	return msg
}

// maxRefusal bounds what is read of an answer that is no success, in bytes.
const maxRefusal = 64 << 10

// refusal makes of a status that refuses one call, such as 400, an error of the protocol: the SDK would end the
// session. A status that speaks of the session does end it.
func (r *roundTripper) refusal(req *http.Request, resp *http.Response) {
	said, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	asked := sent(req)
	var answered message
	refused := []int{http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}
	known := json.Unmarshal(said, &answered) == nil && answered.ID != nil && answered.Error != nil
	if err == nil && !known && slices.Contains(refused, resp.StatusCode) && (asked.Method == "tools/call" || asked.Method == "tools/list") &&
		!bytes.Contains(bytes.ToLower(said), []byte("session")) {
		why := http.StatusText(resp.StatusCode)
		if text := clip.Text(oneLine(string(said)), clip.Message); text != "" && text[0] != '<' {
			why += ": " + text
		}
		said = written(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "error": map[string]any{"code": jsonrpc.CodeInvalidParams, "message": why}})
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(said), resp.Body}
}
