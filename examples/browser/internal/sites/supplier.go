package sites

import "net/http"

const (
	supplierName   = "Brandt & Söhne industrial supply"
	supplierCookie = "supplier_session"
)

// supplier is the second site: a catalogue, a basket, and orders.
type supplier struct {
	*shop
	opts  Options
	outer *outer
}

func newSupplier(data Data, opts Options) *supplier {
	return &supplier{shop: &shop{data: data, swap: opts.Swap, shoppers: map[string]*shopper{}}, opts: opts}
}

func (s *supplier) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /logo.svg", serveLogo)
	mux.HandleFunc("GET /{$}", s.look(func(_ *http.Request, who *shopper) http.HandlerFunc { return s.catalogue(who, "", "", "") }))
	mux.HandleFunc("POST /lines", s.act(s.addLine))
	mux.HandleFunc("GET /basket", s.look(func(_ *http.Request, who *shopper) http.HandlerFunc { return s.basket(who, "", "", who.reference, "") }))
	mux.HandleFunc("POST /basket", s.act(s.changeLine))
	mux.HandleFunc("POST /reference", s.act(s.setReference))
	mux.HandleFunc("GET /review", s.look(s.showReview))
	mux.HandleFunc("POST /order", s.act(s.sendOrder))
	mux.HandleFunc("GET /orders", s.look(s.showOrders))
	mux.HandleFunc("GET /orders/{number}", s.look(s.showOrder))
	if s.opts.Hostile {
		mux.HandleFunc("GET /order/quick", s.look(s.quickOrder))
	}
	mux.HandleFunc("/", s.problem(http.StatusNotFound, "Not found", "There is no such page."))
	return fromHere(mux, s.problem(http.StatusForbidden, "Refused", "This request came from another site."))
}
