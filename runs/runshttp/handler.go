package runshttp

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/runs"
)

// Action is what a request wants.
type Action struct {
	Name string // start, list, get, answer, cancel, retry, fork, delete or watch
	Run  string // its id; "" of list, and of start with a new id
	// As is the id of the new run of a fork; Prefix that of the ids that a list is of.
	As, Prefix string
}

// Config says what a handler serves, and to whom.
type Config struct {
	// Authorize decides whether a request may do something. Its error is the detail of the answer, with the status 403; the
	// status is 401 where a WWW-Authenticate header was set in the header that it is given. Nil: only loopback is
	// served.
	Authorize func(r *http.Request, answer http.Header, a Action) error
	// Hosts are the names, without port, that a request may have as its Host. Nil: any, or with a nil Authorize those
	// of loopback.
	Hosts []string
	// Origins are those, such as "https://example.com", whose pages may use the API in a browser, besides the handler's own
	// (CORS, without cookies).
	Origins []string
	// MaxBody is how large a body may be, in bytes (1 MiB).
	MaxBody int64
	// Logger is told of errors that clients get no details of. Nil: no log.
	Logger *slog.Logger
}

type handler struct {
	svc    *runs.Service
	config Config
	mux    *http.ServeMux
}

// New returns the handler of a service. It panics where an Origin of the Config is none.
func New(svc *runs.Service, config Config) http.Handler {
	config.Hosts = slices.Clone(config.Hosts)
	if config.MaxBody <= 0 {
		config.MaxBody = 1 << 20
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
			r.Body = http.MaxBytesReader(w, r.Body, config.MaxBody)
			if err := does.do(w, r, Action{Name: does.name, Run: r.PathValue("run")}); err != nil {
				h.fail(w, r, err)
			}
		})
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { h.fail(w, r, h.noPlace(r)) })
	for i, host := range config.Hosts {
		config.Hosts[i] = strings.ToLower(host)
	}
	origins := http.NewCrossOriginProtection()
	for _, origin := range config.Origins {
		if err := origins.AddTrustedOrigin(origin); err != nil {
			panic("runshttp: " + err.Error())
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if err := h.admit(r); err != nil {
			h.fail(w, r, err)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(config.Origins, origin) {
			w.Header().Add("Vary", "Origin")
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Location")
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
				w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		if err := origins.Check(r); err != nil {
			h.fail(w, r, &problem{status: http.StatusForbidden, code: "origin", detail: err.Error()})
			return
		}
		h.mux.ServeHTTP(w, r)
	})
}

// noPlace is the error of a request that no pattern takes.
func (h *handler) noPlace(r *http.Request) error {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := h.mux.Handler(other); pattern != "/" && pattern != "" {
			return &problem{status: http.StatusMethodNotAllowed, code: "method", detail: "this place does not take " + r.Method}
		}
	}
	return &problem{status: http.StatusNotFound, code: "no_place", detail: "there is nothing at this path"}
}

// admit refuses what came in another way than the Config says.
func (h *handler) admit(r *http.Request) error {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	switch {
	case h.config.Hosts != nil && !slices.Contains(h.config.Hosts, host), h.config.Hosts == nil && h.config.Authorize == nil && !isLoopback(host):
		return &problem{status: http.StatusForbidden, code: "host", detail: "this host is not served"}
	case h.config.Authorize != nil:
		return nil
	case r.Header.Get("Forwarded") != "", r.Header.Get("X-Forwarded-For") != "", r.Header.Get("X-Real-Ip") != "":
		return &problem{status: http.StatusForbidden, code: "forwarded", detail: "without an authorization, no proxy is served"}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return &problem{status: http.StatusForbidden, code: "not_local", detail: "without an authorization, only this machine is served"}
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// may asks whether a request may do something.
func (h *handler) may(w http.ResponseWriter, r *http.Request, a Action) error {
	if h.config.Authorize == nil {
		return nil
	}
	err := h.config.Authorize(r, w.Header(), a)
	if err == nil {
		return nil
	}
	if w.Header().Get("WWW-Authenticate") != "" {
		return &problem{status: http.StatusUnauthorized, code: "unauthorized", detail: err.Error()}
	}
	return &problem{status: http.StatusForbidden, code: "forbidden", detail: err.Error()}
}
