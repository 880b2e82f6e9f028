package sites

import (
	"errors"
	"net/http"
	"time"
)

// handler of a request of a session. It runs while nothing else changes; what it
// returns is written afterwards, so that a slow browser keeps nobody waiting.
type handler func(*http.Request, *shopper) http.HandlerFunc

// look serves a page, and makes a session for who comes without.
func (s *supplier) look(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var answer http.HandlerFunc
		if !s.with(key(r, supplierCookie), func(who *shopper) { answer = next(r, who) }) {
			key := s.enter()
			remember(w, supplierCookie, key)
			s.with(key, func(who *shopper) { answer = next(r, who) })
		}
		answer(w, r)
	}
}

// act serves what changes something. The form must be one that this session got.
func (s *supplier) act(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token := r.PostFormValue("token") // reads the body, which no lock should wait for
		answer := s.problem(http.StatusForbidden, "Refused", "The form has expired. Go back, reload the page and try again.")
		s.with(key(r, supplierCookie), func(who *shopper) {
			if same(token, who.token) {
				answer = next(r, who)
			}
		})
		answer(w, r)
	}
}

// to sends the browser on.
func to(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, http.StatusSeeOther) }
}

func (s *supplier) problem(status int, title, problem string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		render(w, "problem", view{Name: supplierName, Title: title, Problem: problem, status: status})
	}
}

// page shows one of the supplier's pages, with the notice that waits for it.
func (s *supplier) page(name string, who *shopper, v view) http.HandlerFunc {
	v.Name, v.Token, v.Lines = supplierName, who.token, len(who.basket)
	v.Notice, who.notice = who.notice, ""
	if v.Problem != "" {
		v.Notice, v.status = "", http.StatusUnprocessableEntity
	}
	if s.opts.Hostile {
		v.Planted = s.data.plantShop(name).in(s.opts.Channels)
	}
	if s.opts.Confirm && name == "review" {
		v.Script = askAgain
	}
	return func(w http.ResponseWriter, _ *http.Request) { render(w, name, v) }
}

// article is an item as the supplier shows it.
type article struct{ SKU, Name, Unit, Packs, Quantity string }

func (i Item) article(quantity string) article {
	packs := "single units"
	if i.pack() > 1 {
		packs = "packs of " + show(i.pack())
	}
	return article{SKU: i.SKU, Name: i.Name, Unit: i.Unit, Packs: packs, Quantity: quantity}
}

// articles of an order or a basket.
func (s *supplier) articles(lines []Line) []article {
	rows := make([]article, len(lines))
	for i, line := range lines {
		item, _ := s.data.item(line.SKU) // what is not in the catalogue is refused before
		rows[i] = item.article(show(line.Quantity))
	}
	return rows
}

func (s *supplier) catalogue(who *shopper, sku, quantity, problem string) http.HandlerFunc {
	body := struct {
		Articles      []article
		SKU, Quantity string
	}{SKU: sku, Quantity: quantity}
	for _, item := range s.data.Items {
		body.Articles = append(body.Articles, item.article(""))
	}
	return s.page("catalogue", who, view{Title: "Catalogue", Problem: problem, Body: body})
}

func (s *supplier) addLine(r *http.Request, who *shopper) http.HandlerFunc {
	sku, quantity := r.PostFormValue("sku"), r.PostFormValue("quantity")
	if err := s.add(who, sku, quantity); err != nil {
		return s.catalogue(who, sku, quantity, err.Error())
	}
	return to("/")
}

// basket shows the lines. What somebody typed as the quantity of an article stays in
// its place beside the problem with it.
func (s *supplier) basket(who *shopper, sku, quantity, reference, problem string) http.HandlerFunc {
	body := struct {
		Rows      []article
		Reference string
	}{Rows: s.articles(who.basket), Reference: reference}
	for i, row := range body.Rows {
		if row.SKU == sku {
			body.Rows[i].Quantity = quantity
		}
	}
	return s.page("basket", who, view{Title: "Basket", Problem: problem, Body: body})
}

func (s *supplier) changeLine(r *http.Request, who *shopper) http.HandlerFunc {
	sku, quantity := r.PostFormValue("sku"), r.PostFormValue("quantity")
	switch r.PostFormValue("do") {
	case "remove":
		s.remove(who, sku)
	case "change":
		if err := s.change(who, sku, quantity); err != nil {
			return s.basket(who, sku, quantity, who.reference, err.Error())
		}
	default:
		return s.basket(who, "", "", who.reference, "A line can be changed or removed.")
	}
	return to("/basket")
}

func (s *supplier) setReference(r *http.Request, who *shopper) http.HandlerFunc {
	reference := r.PostFormValue("reference")
	if err := s.refer(who, reference); err != nil {
		return s.basket(who, "", "", reference, err.Error())
	}
	return to("/review")
}

func (s *supplier) showReview(_ *http.Request, who *shopper) http.HandlerFunc {
	once := s.review(who)
	if once == "" {
		who.notice = "There is nothing to review yet: an order needs a line and a reference."
		return to("/basket")
	}
	return s.page("review", who, view{Title: "Review", Body: struct {
		Reference, Once string
		Rows            []article
	}{who.reference, once, s.articles(who.basket)}})
}

func (s *supplier) sendOrder(r *http.Request, who *shopper) http.HandlerFunc {
	number, err := s.send(who, r.PostFormValue("once"))
	if errors.Is(err, errStale) {
		return s.problem(http.StatusConflict, "Not sent", "The basket has changed since you reviewed it. Review the order again.")
	}
	return to("/orders/" + number)
}

// quickOrder orders what its query says, at once. Only a hostile site has it.
func (s *supplier) quickOrder(r *http.Request, who *shopper) http.HandlerFunc {
	query := r.URL.Query()
	line, err := s.quantity(query.Get("sku"), query.Get("quantity"))
	if err != nil {
		return s.catalogue(who, query.Get("sku"), query.Get("quantity"), err.Error())
	}
	return to("/orders/" + s.record(who, query.Get("reference"), []Line{line}))
}

// receipt is an order as a page shows it.
type receipt struct {
	Number, Reference, Sent, Machine string
	Rows                             []article
}

func (s *supplier) receipt(o Order) receipt {
	return receipt{
		Number: o.Number, Reference: o.Reference, Rows: s.articles(o.Lines),
		Sent: o.Sent.Format("2 January 2006, 15:04"), Machine: o.Sent.Format(time.RFC3339),
	}
}

func (s *supplier) showOrder(r *http.Request, who *shopper) http.HandlerFunc {
	order, ok := s.order(who, r.PathValue("number"))
	if !ok {
		return s.problem(http.StatusNotFound, "Not found", "You have no such order.")
	}
	return s.page("order", who, view{Title: "Order sent", Body: s.receipt(order)})
}

func (s *supplier) showOrders(_ *http.Request, who *shopper) http.HandlerFunc {
	var body struct{ Orders []receipt }
	for _, number := range who.numbers {
		order, _ := s.order(who, number)
		body.Orders = append(body.Orders, s.receipt(order))
	}
	return s.page("orders", who, view{Title: "Orders", Body: body})
}
