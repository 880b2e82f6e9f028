package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agentfsm/agentfsm/internal/clip"
)

// stateless is the first version of the protocol in which a server knows by the
// end of the request that a call is cancelled.
const stateless = "2026-07-28"

// roundTripper is what a connection does with each of its requests. It adds the
// headers of the server to those to its host, bounds what is read, and sees to it
// that a cancellation finds its call.
type roundTripper struct {
	next    http.RoundTripper
	to      *url.URL
	header  http.Header
	most    int           // bytes of an answer that is no stream; negative: any
	grace   time.Duration // for goodbyes
	cancels *cancels
	work    *sync.WaitGroup
	refused *atomic.Bool // set when a request is bad, or its address unknown
	answers *answers
	mender  mender
}

func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if len(r.header) > 0 && req.URL.Host == r.to.Host && req.URL.Scheme == r.to.Scheme {
		req = req.Clone(req.Context())
		maps.Copy(req.Header, r.header)
	}
	resp, err := r.send(req)
	if err == nil && req.Method == http.MethodPost && (resp.StatusCode == http.StatusBadRequest || resp.StatusCode == http.StatusNotFound) {
		r.refused.Store(true)
	}
	if err == nil && r.most >= 0 && !isStream(resp) { // the SDK bounds the events of a stream
		resp.Body = &bounded{ReadCloser: resp.Body, left: r.most, most: r.most}
	}
	switch {
	case err != nil:
	case resp.StatusCode == http.StatusOK:
		r.mender.body(resp, r.most)
	default:
		refuseCall(req, resp)
	}
	return resp, err
}

func (r *roundTripper) send(req *http.Request) (*http.Response, error) {
	p, _ := req.Context().Value(postKey{}).(*post)
	switch {
	case req.Method == http.MethodDelete: // the SDK waits longer than Close may take
		ctx, cancel := context.WithTimeout(req.Context(), r.grace)
		resp, err := r.next.RoundTrip(req.WithContext(ctx))
		return endWith(resp, err, cancel)
	case req.Method != http.MethodPost:
		return r.next.RoundTrip(req)
	case isCancel(req):
		defer r.cancels.sent()
		p.toldBy(req)
		return r.next.RoundTrip(req)
	case p == nil: // an answer, or hello
		ctx, done, err := r.answers.begin(req.Context())
		if err != nil {
			return nil, err
		}
		resp, err := r.next.RoundTrip(req.WithContext(ctx))
		return endWith(resp, err, done)
	case req.Header.Get("Mcp-Protocol-Version") >= stateless:
		return r.next.RoundTrip(req)
	}
	return r.call(req, p)
}

func isStream(resp *http.Response) bool {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && kind == "text/event-stream"
}

// refuseCall makes of an answer that refuses one call, such as 400, an error of the protocol: the SDK would take any
// other for the end of the session. An answer that speaks of the session is that.
func refuseCall(req *http.Request, resp *http.Response) {
	p, _ := req.Context().Value(postKey{}).(*post)
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		if p == nil || req.GetBody == nil {
			return
		}
	default:
		return
	}
	var asked, answered struct {
		ID    json.RawMessage `json:"id"`
		Error json.RawMessage `json:"error"`
	}
	if sent, err := req.GetBody(); err == nil {
		_ = json.NewDecoder(sent).Decode(&asked) // the SDK wrote it
	}
	said, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	known := json.Unmarshal(said, &answered) == nil && answered.ID != nil && answered.Error != nil
	if err == nil && !known && asked.ID != nil && !bytes.Contains(bytes.ToLower(said), []byte("session")) {
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

// maxRefusal is how much of an answer is read that is no success, in bytes.
const maxRefusal = 64 << 10

// endWith ends a context with the body of a response, or at once if there is none.
func endWith(resp *http.Response, err error, end func()) (*http.Response, error) {
	if err != nil {
		end()
		return nil, err
	}
	resp.Body = &ending{resp.Body, end}
	return resp, nil
}

type ending struct {
	io.ReadCloser
	end func()
}

func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

// tooLongError says that a server sent more than it may.
type tooLongError struct{ most int }

func (e *tooLongError) Error() string { return fmt.Sprintf("it sent more than %d bytes", e.most) }

// bounded is a body that is given up when it is too long.
type bounded struct {
	io.ReadCloser
	left, most int
}

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) > b.left+1 { // one more tells whether there is more
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if n > b.left {
		return 0, &tooLongError{b.most}
	}
	b.left -= n
	return n, err
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
