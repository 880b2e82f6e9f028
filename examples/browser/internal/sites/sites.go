package sites

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrData says that sites cannot be made of a Data.
var ErrData = errors.New("sites: the data has no items, two items with one SKU, or no password")

// ErrChannel says that a name in [Options].Channels is none of [Channels].
var ErrChannel = errors.New("sites: there is no such channel")

// Sites are a warehouse and its supplier, as two web sites of different origins on
// this machine. Its methods may be called by several goroutines at once.
type Sites struct {
	warehouse *warehouse
	supplier  *supplier
	servers   []*server
	close     sync.Once
	closed    error
}

// Start serves the two sites on free ports of 127.0.0.1, until [Sites.Close]. The
// error wraps [ErrData] or [ErrChannel], or is that of listening. The Data is not changed and must
// not change any more.
func Start(data Data, opts *Options) (*Sites, error) {
	s, err := assemble(data, opts)
	if err != nil {
		return nil, err
	}
	first, err := listen()
	if err != nil {
		return nil, err
	}
	second, err := listen()
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	s.place(first.Addr().String(), second.Addr().String())
	for _, site := range []struct {
		on  net.Listener
		out *outer
	}{{first, s.warehouse.outer}, {second, s.supplier.outer}} {
		s.servers = append(s.servers, serve(site.on, site.out))
	}
	return s, nil
}

// assemble makes both sites without serving them.
func assemble(data Data, opts *Options) (*Sites, error) {
	known := map[string]bool{"": true}
	for _, item := range data.Items {
		if known[item.SKU] {
			return nil, fmt.Errorf("%w: SKU %q", ErrData, item.SKU)
		}
		known[item.SKU] = true
	}
	if len(data.Items) == 0 || data.Password == "" {
		return nil, ErrData
	}
	if opts == nil {
		opts = &Options{}
	}
	for _, name := range opts.Channels {
		if !slices.Contains(Channels(), name) {
			return nil, fmt.Errorf("%w: %q", ErrChannel, name)
		}
	}
	log := &logger{call: opts.Log}
	s := &Sites{warehouse: newWarehouse(data, *opts), supplier: newSupplier(data, *opts)}
	s.warehouse.outer = &outer{site: "warehouse", delay: opts.Delay, arrived: opts.Arrived, log: log, inner: s.warehouse.routes()}
	s.supplier.outer = &outer{site: "supplier", delay: opts.Delay, arrived: opts.Arrived, log: log, inner: s.supplier.routes()}
	return s, nil
}

// place tells the sites where they are.
func (s *Sites) place(warehouse, supplier string) {
	s.warehouse.outer.host, s.supplier.outer.host = warehouse, supplier
	s.warehouse.supplierURL = s.SupplierURL()
}

func listen() (net.Listener, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // binding a port of this machine does not block
	if err != nil {
		return nil, fmt.Errorf("sites: no port to listen on: %w", err)
	}
	return on, nil
}

// WarehouseURL is where the warehouse is, without a slash at its end.
func (s *Sites) WarehouseURL() string { return "http://" + s.warehouse.outer.host }

// SupplierURL is where the supplier is, without a slash at its end.
func (s *Sites) SupplierURL() string { return "http://" + s.supplier.outer.host }

// Orders are those of the supplier's own database, as they came in. The caller owns them.
func (s *Sites) Orders() []Order { return s.supplier.all() }

// Close stops both sites. Requests under way are cut off, and whatever one of them
// ordered is in [Sites.Orders]. When Close returns, no goroutine of the sites is left.
func (s *Sites) Close() error {
	s.close.Do(func() {
		for _, server := range s.servers {
			s.closed = errors.Join(s.closed, server.stop())
		}
	})
	return s.closed
}

// server is a listener and the goroutines behind it.
type server struct {
	http    *http.Server
	cancel  context.CancelFunc // of all requests
	ended   chan error
	clients sync.WaitGroup
}

func serve(on net.Listener, handler http.Handler) *server {
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{cancel: cancel, ended: make(chan error, 1)}
	s.http = &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ConnState: func(_ net.Conn, state http.ConnState) {
			// New comes from Serve itself, before the goroutine of the connection. So
			// nothing is added any more once Serve has returned.
			switch state {
			case http.StateNew:
				s.clients.Add(1)
			case http.StateClosed, http.StateHijacked:
				s.clients.Done()
			default:
			}
		},
	}
	go func() { s.ended <- s.http.Serve(on) }()
	return s
}

// stop ends all requests, cuts their connections and waits. That a connection is cut
// does not end a request by itself as long as its body was not read.
func (s *server) stop() error {
	s.cancel()
	err := s.http.Close()
	if ended := <-s.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	// A connection that was accepted while Close ran is not cut by it.
	err = errors.Join(err, s.http.Close())
	s.clients.Wait()
	if err != nil {
		return fmt.Errorf("sites: %w", err)
	}
	return nil
}

// logger calls a func one call at a time.
type logger struct {
	mu   sync.Mutex
	call func(Event)
}

func (l *logger) log(e Event) {
	if l.call == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.call(e)
}

// outer is what every request of a site goes through.
type outer struct {
	site, host string
	delay      time.Duration
	arrived    func(Event) // nil: nobody is told
	log        *logger
	inner      http.Handler
}

// ServeHTTP implements http.Handler.
func (o *outer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if o.arrived != nil {
		o.arrived(Event{Time: time.Now(), Site: o.site, Method: r.Method, Path: r.URL.Path})
	}
	answer := &recorder{ResponseWriter: w, status: http.StatusOK}
	o.answer(answer, r)
	o.log.log(Event{Time: time.Now(), Site: o.site, Method: r.Method, Path: r.URL.Path, Status: answer.status})
}

func (o *outer) answer(w http.ResponseWriter, r *http.Request) {
	if !wait(r, o.delay) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	// A name that a page elsewhere made to mean 127.0.0.1 is not ours.
	if !strings.EqualFold(r.Host, o.host) {
		http.Error(w, "There is no such site here.", http.StatusMisdirectedRequest)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	o.inner.ServeHTTP(w, r)
}

// wait reports whether the time has passed, and not the request ended before.
func wait(r *http.Request, delay time.Duration) bool {
	if delay <= 0 {
		return true
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}
