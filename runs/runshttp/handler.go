package runshttp

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// Action is a right that a request needs.
type Action struct {
	Name   string // start, list, get, answer, rewrite, cancel, retry, fork, delete or watch; rewrite replies in place of the model
	Run    string // the id of the run; "" for a list
	Prefix string // of the ids in a list
	// Bounds has the bounds that a retry sets; those that it leaves alone are 0. Nil: it leaves all alone.
	Bounds *round.Options
}

// Config says what a handler serves, and to whom. One of Authorize and Local is needed.
type Config struct {
	// Authorize decides whether a request may do something, and returns the name of the person who sent it, which becomes
	// the By of an answer. It is called once for each right that the request needs: a fork needs fork and get for its run,
	// start for the new one, and for both runs answer if it answers a question, and rewrite if it has a reply.
	//
	// The client gets its error, with the status 403, or 401 if Authorize sets WWW-Authenticate in the header answer.
	Authorize func(r *http.Request, answer http.Header, a Action) (by string, err error)
	// Local refuses what does not come from this machine, as far as the handler can see. A proxy or a tunnel on the
	// machine may hide that: without Authorize it opens the handler to all its clients.
	Local bool
	// Bounds are the highest bounds that a retry may set. A bound that is 0 here cannot be changed, and one below 0 has no
	// ceiling. Nil: clients change no bounds.
	Bounds *round.Options
	// Logger is told of errors that clients get no details of. Nil: no log.
	Logger *slog.Logger
}

// maxBody is how large a body may be, in bytes.
const maxBody = 1 << 20

type handler struct {
	svc    *runs.Service
	config Config
	mux    *http.ServeMux
}

// New returns the handler of a service. It panics if the Config has neither Authorize nor Local.
func New(svc *runs.Service, config Config) http.Handler {
	if config.Authorize == nil && !config.Local {
		panic("runshttp: the Config has neither Authorize nor Local")
	}
	if config.Bounds == nil {
		config.Bounds = &round.Options{}
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	h := &handler{svc: svc, config: config, mux: http.NewServeMux()}
	for pattern, does := range map[string]struct {
		name string
		do   func(w http.ResponseWriter, r *http.Request, a Action) error
	}{
		"POST /runs":                             {"start", h.start},
		"GET /runs":                              {"list", h.list},
		"GET /runs/{run}":                        {"get", h.get},
		"POST /runs/{run}/answers/{question...}": {"answer", h.answer},
		"POST /runs/{run}/cancel":                {"cancel", h.cancel},
		"POST /runs/{run}/retry":                 {"retry", h.retry},
		"POST /runs/{run}/forks":                 {"fork", h.fork},
		"DELETE /runs/{run}":                     {"delete", h.delete},
		"GET /runs/{run}/events":                 {"watch", h.events},
	} {
		h.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			err := badRequest("body", "this request has no body")
			if r.ContentLength == 0 || r.Method == http.MethodPost {
				r.Body = http.MaxBytesReader(w, r.Body, maxBody)
				err = does.do(w, r, Action{Name: does.name, Run: r.PathValue("run")})
			}
			if err != nil {
				h.fail(w, r, err)
			}
		})
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { h.fail(w, r, h.noPlace(w, r)) })
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 { // also of a body that is not read: the server waits for its end
			setReadDeadline(w, time.Now().Add(readTimeout))
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if err := h.admit(r); err != nil {
			h.fail(w, r, err)
			return
		}
		if err := origins.Check(r); err != nil {
			h.fail(w, r, &problem{status: http.StatusForbidden, code: "origin", detail: err.Error()})
			return
		}
		h.mux.ServeHTTP(w, r)
	})
}

// noPlace is the error of a request that no pattern takes.
func (h *handler) noPlace(w http.ResponseWriter, r *http.Request) error {
	var takes []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := h.mux.Handler(other); pattern != "/" && pattern != "" {
			takes = append(takes, method)
		}
	}
	if takes != nil {
		w.Header().Set("Allow", strings.Join(takes, ", "))
		return &problem{status: http.StatusMethodNotAllowed, code: "method", detail: "this place does not take " + r.Method}
	}
	return &problem{status: http.StatusNotFound, code: "no_place", detail: "there is nothing at this path"}
}

// admit refuses what a Local handler does not serve.
func (h *handler) admit(r *http.Request) error {
	if !h.config.Local {
		return nil
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	switch {
	case !isLoopback(strings.ToLower(strings.Trim(host, "[]"))):
		return &problem{status: http.StatusForbidden, code: "host", detail: "this host is not served"}
	case forwarded(r):
		return &problem{status: http.StatusForbidden, code: "forwarded", detail: "what a proxy forwards is not served"}
	case err != nil || !peer.Addr().Unmap().IsLoopback():
		return &problem{status: http.StatusForbidden, code: "not_local", detail: "only this machine is served"}
	}
	return nil
}

// forwarded reports whether a proxy sent the request: it has a header of one, or the HTTP that nginx speaks to servers
// behind it unless it is told otherwise. Many proxies show neither.
func forwarded(r *http.Request) bool {
	for name := range r.Header {
		if name == "Via" || strings.Contains(name, "Forward") || strings.HasSuffix(name, "-Ip") ||
			slices.ContainsFunc(proxies, func(of string) bool { return strings.HasPrefix(name, of) }) {
			return true
		}
	}
	return !r.ProtoAtLeast(1, 1)
}

// proxies are the beginnings of headers that proxies of these names add.
var proxies = []string{"Cdn-", "Cf-", "Fastly-", "Fly-", "Tailscale-", "X-Amzn-", "X-Appengine-", "X-Azure-", "X-Envoy-", "X-Original-"}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// may asks whether a request may do all that it needs, and returns who sent it.
func (h *handler) may(w http.ResponseWriter, r *http.Request, needs ...Action) (by string, err error) {
	for _, a := range needs {
		if h.config.Authorize == nil {
			return "", nil
		}
		by, err = h.config.Authorize(r, w.Header(), a)
		switch {
		case err == nil:
		case w.Header().Get("WWW-Authenticate") != "":
			return "", &problem{status: http.StatusUnauthorized, code: "unauthorized", detail: err.Error()}
		default:
			return "", &problem{status: http.StatusForbidden, code: "forbidden", detail: err.Error()}
		}
	}
	return by, nil
}
