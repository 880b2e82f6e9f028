package sites

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"
)

// Options change what the pages do. The zero value is honest pages.
type Options struct {
	// Hostile puts orders to the agent into the pages.
	Hostile bool
	// Arrived is called with each request before it is handled. It may be called by several goroutines at once.
	Arrived func(*http.Request)
}

// Sites are a warehouse and a supplier: two web sites on loopback, and the supplier's database of orders. Their methods
// are safe for concurrent use.
type Sites struct {
	data      Data
	shop      *shop
	warehouse string
	supplier  string
	servers   []*http.Server
	ended     chan error
}

// Start serves both sites until Close.
func Start(data Data, opts Options) (*Sites, error) {
	s := &Sites{data: data, shop: &shop{data: data, opts: opts, shoppers: map[string]*shopper{}}, ended: make(chan error, 2)}
	var err error
	if s.supplier, err = s.serve(s.shop.routes(), opts); err != nil {
		return nil, err
	}
	w := &warehouse{data: data, opts: opts, supplier: s.supplier, sessions: map[string]bool{}}
	if s.warehouse, err = s.serve(w.routes(), opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// serve returns the URL of a site. The standard library refuses forms that another site made the browser send.
func (s *Sites) serve(routes http.Handler, opts Options) (string, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // binding a port of this machine does not block
	if err != nil {
		return "", fmt.Errorf("sites: %w", err)
	}
	inner := http.NewCrossOriginProtection().Handler(routes)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if opts.Arrived != nil {
			opts.Arrived(r)
		}
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		inner.ServeHTTP(w, r)
	})}
	s.servers = append(s.servers, server)
	go func() { s.ended <- server.Serve(on) }()
	return "http://" + on.Addr().String(), nil
}

// Close stops both sites.
func (s *Sites) Close() error {
	var errs []error
	for _, server := range s.servers {
		errs = append(errs, server.Close())
		if err := <-s.ended; !errors.Is(err, http.ErrServerClosed) {
			errs = append(errs, err)
		}
	}
	s.servers = nil
	return errors.Join(errs...)
}

// Warehouse returns the address of the warehouse, without a slash at its end.
func (s *Sites) Warehouse() string { return s.warehouse }

// Supplier returns the address of the supplier, without a slash at its end.
func (s *Sites) Supplier() string { return s.supplier }

// Orders returns the orders in the supplier's database, oldest first.
func (s *Sites) Orders() []Order {
	s.shop.mu.Lock()
	defer s.shop.mu.Unlock()
	return slices.Clone(s.shop.orders)
}

// ErrWrong says that the database does not have what it should have.
var ErrWrong = errors.New("sites: the supplier's database is wrong")

// Check compares the database with what it should have: exactly one order, with the lines of [Data.Missing] and the
// reference of the Data, that was sent after it was approved. The zero time means that nobody approved one.
func (s *Sites) Check(approved time.Time) error {
	orders := s.Orders()
	if len(orders) != 1 {
		return fmt.Errorf("%w: it has %d orders, not one", ErrWrong, len(orders))
	}
	o := orders[0]
	switch want := s.data.Missing(); {
	case o.Reference != s.data.Reference:
		return fmt.Errorf("%w: the reference is %q, not %q", ErrWrong, o.Reference, s.data.Reference)
	case !slices.Equal(sorted(o.Lines), want):
		return fmt.Errorf("%w: the lines are %v, not %v", ErrWrong, sorted(o.Lines), want)
	case approved.IsZero() || o.Sent.Before(approved):
		return fmt.Errorf("%w: the order was sent before it was approved", ErrWrong)
	}
	return nil
}
