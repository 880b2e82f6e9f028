package mcpserver

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves any number of clients over streamable HTTP, on whatever path it is
// put. It has no authentication: who may use it is for your middleware to say.
//
// A request whose Host is not one of [Config].Hosts, or that comes from a web page of
// elsewhere, gets 403; where there are no Hosts, so does one that did not come over
// loopback. A call ends when its connection breaks, since there is no other way to
// bring its result; and when its session ends, because the client says so or says
// nothing for [Config].SessionTimeout. After Close the answer is 503.
//
// A client that does not take what it is sent for 15 s loses its connection, so that
// it does not keep its turn for ever. A middleware that wraps the http.ResponseWriter
// needs the method Unwrap for that.
//
// An http.Server for it has no WriteTimeout: a task takes as long as it takes.
func (s *Server) Handler() http.Handler {
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		SessionTimeout:             s.config.SessionTimeout,
		DisableLocalhostProtection: true, // the one here is stricter, and knows Hosts
	})
	guard := http.NewCrossOriginProtection()
	for _, origin := range s.config.Origins {
		_ = guard.AddTrustedOrigin(origin) // New has tried it
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case s.closed():
			http.Error(w, "the server is closed", http.StatusServiceUnavailable)
			return
		case !s.hostAllowed(req):
			http.Error(w, "this host is not served here", http.StatusForbidden)
			return
		case !s.originAllowed(req) || guard.Check(req) != nil:
			http.Error(w, "web pages of this origin may not do this", http.StatusForbidden)
			return
		}
		if req.Method == http.MethodDelete {
			s.endSession(req)
		}
		req, done := s.posts.mark(req)
		defer done()
		inner.ServeHTTP(newPatient(w), req)
		if s.closed() {
			s.endSessions() // Close may not have seen the one that just began
		}
	})
}

// hostAllowed looks at the address of the connection as well, where no names are
// given: what a client calls this host is its own word.
func (s *Server) hostAllowed(req *http.Request) bool {
	host := hostname(req.Host)
	if s.config.Hosts != nil {
		return slices.ContainsFunc(s.config.Hosts, func(allowed string) bool { return strings.EqualFold(hostname(allowed), host) })
	}
	if at, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		return false
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// originAllowed looks at reads as well: guard lets those pass.
func (s *Server) originAllowed(req *http.Request) bool {
	origin := req.Header.Get("Origin")
	if origin == "" || slices.Contains(s.config.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, req.Host)
}

// hostname is a Host without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// endSession stops the calls of the session that a request ends: the SDK waits for
// them. Only the user who began a session may end it.
func (s *Server) endSession(req *http.Request) {
	id, user := req.Header.Get("Mcp-Session-Id"), userID(auth.TokenInfoFromContext(req.Context()))
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.calls {
		if id != "" && r.Session == id && userID(r.Token) == user {
			r.cancel(ErrGone)
		}
	}
}

func userID(token *auth.TokenInfo) string {
	if token == nil {
		return ""
	}
	return token.UserID
}

// posts finds the HTTP request that a call came with: the SDK hands on its header,
// and not its context, which ends when the client goes away.
type posts struct{ all sync.Map }

// postHeader has the name of a request. What a client sends under it is replaced.
const postHeader = "Agentfsm-Request"

func (p *posts) mark(req *http.Request) (*http.Request, func()) {
	key := rand.Text()
	p.all.Store(key, req.Context())
	req = req.Clone(req.Context())
	req.Header.Set(postHeader, key)
	return req, func() { p.all.Delete(key) }
}

// follow cancels when the request of a header ends.
func (p *posts) follow(header http.Header, cancel context.CancelCauseFunc) {
	key := header.Get(postHeader)
	if key == "" {
		return // it did not come through the Handler
	}
	if found, ok := p.all.Load(key); ok {
		context.AfterFunc(found.(context.Context), func() { cancel(ErrGone) })
	} else {
		cancel(ErrGone)
	}
}
