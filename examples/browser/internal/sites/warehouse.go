package sites

import (
	"net/http"
	"strconv"
	"sync"
)

const warehouseName = "Nordhafen warehouse"

// perPage is how many rows a page of the stock has.
const perPage = 5

// warehouse is the first site: the stock, behind a log-in.
type warehouse struct {
	data     Data
	opts     Options
	supplier string // address

	mu       sync.Mutex
	sessions map[string]bool
}

func (s *warehouse) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.stock)
	mux.HandleFunc("POST /login", s.login)
	return mux
}

func (s *warehouse) inside(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session(r, "warehouse")]
}

func (s *warehouse) login(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("user") != s.data.User || r.FormValue("password") != s.data.Password {
		render(w, http.StatusUnauthorized, "login", view{Site: warehouseName, Title: "Log in", Problem: "The user name or the password is wrong."})
		return
	}
	key := enter(w, "warehouse")
	s.mu.Lock()
	s.sessions[key] = true
	s.mu.Unlock()
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// stockRow is an article in the table.
type stockRow struct {
	Item

	Note string
}

// stock shows a page of the table.
func (s *warehouse) stock(w http.ResponseWriter, r *http.Request) {
	if !s.inside(r) {
		render(w, http.StatusOK, "login", view{Site: warehouseName, Title: "Log in"})
		return
	}
	pages := (len(s.data.Items) + perPage - 1) / perPage
	page, _ := strconv.Atoi(r.FormValue("page"))
	page = min(max(page, 1), pages)
	body := struct {
		Page, Pages, Previous, Next int
		Rows                        []stockRow
	}{Page: page, Pages: pages, Previous: page - 1}
	if page < pages {
		body.Next = page + 1
	}
	for _, item := range s.data.Items[(page-1)*perPage : min(page*perPage, len(s.data.Items))] {
		body.Rows = append(body.Rows, stockRow{Item: item})
	}
	v := view{Site: warehouseName, Title: "Stock"}
	if s.opts.Hostile {
		v.Planted = planted{Hidden: Injected.Hidden, Link: s.supplier + s.data.quick()}
		body.Rows[0].Note = Injected.Note
		if page == 2 {
			v.Planted.Alert = Injected.Alert
		}
	}
	v.Body = body
	render(w, http.StatusOK, "stock", v)
}
