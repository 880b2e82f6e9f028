package sites

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	warehouseName   = "Nordhafen warehouse"
	warehouseCookie = "warehouse_session"
	// attempts is how many wrong passwords are answered at once, pause how long
	// nobody can log in after each one more.
	attempts = 5
	pause    = 30 * time.Second
)

// warehouse is the first site: a stock table behind a log-in.
type warehouse struct {
	data        Data
	opts        Options
	outer       *outer
	supplierURL string

	mu       sync.Mutex
	sessions map[string]string // key in the cookie to token
	failed   int
	until    time.Time
}

func newWarehouse(data Data, opts Options) *warehouse {
	return &warehouse{data: data, opts: opts, sessions: map[string]string{}}
}

func (s *warehouse) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /logo.svg", serveLogo)
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { s.askLogin(w, "", "", http.StatusOK) })
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.inside(s.logout))
	mux.HandleFunc("GET /stock", s.inside(s.stock))
	mux.HandleFunc("GET /{$}", s.inside(func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, "/stock", http.StatusSeeOther)
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		s.problem(w, http.StatusNotFound, "Not found", "There is no such page.")
	})
	return fromHere(mux, func(w http.ResponseWriter, _ *http.Request) {
		s.problem(w, http.StatusForbidden, "Refused", "This request came from another site.")
	})
}

func (s *warehouse) problem(w http.ResponseWriter, status int, title, problem string) {
	render(w, "problem", view{Name: warehouseName, Title: title, Problem: problem, status: status})
}

func (s *warehouse) askLogin(w http.ResponseWriter, user, problem string, status int) {
	render(w, "login", view{Name: warehouseName, Title: "Log in", Problem: problem, Body: struct{ User string }{user}, status: status})
}

func (s *warehouse) login(w http.ResponseWriter, r *http.Request) {
	user, password := r.PostFormValue("user"), r.PostFormValue("password")
	key, wait := s.admit(user, password, time.Now())
	switch {
	case key != "":
		remember(w, warehouseCookie, key)
		http.Redirect(w, r, "/stock", http.StatusSeeOther)
	case wait > 0:
		seconds := strconv.Itoa(int((wait + time.Second - 1) / time.Second))
		w.Header().Set("Retry-After", seconds)
		s.askLogin(w, user, "Too many attempts failed. The next one is possible in "+seconds+" s.", http.StatusTooManyRequests)
	default:
		s.askLogin(w, user, "The user name or the password is wrong.", http.StatusUnauthorized)
	}
}

// admit makes a session, or says how long nobody can log in. It compares nothing in
// that time, so that guessing does not pay.
func (s *warehouse) admit(user, password string, now time.Time) (key string, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if wait := s.until.Sub(now); wait > 0 {
		return "", wait
	}
	if userRight, passwordRight := same(user, s.data.User), same(password, s.data.Password); userRight && passwordRight {
		s.failed, s.until = 0, time.Time{}
		key := secret()
		s.sessions[key] = secret()
		return key, 0
	}
	if s.failed++; s.failed >= attempts {
		s.until = now.Add(pause)
		return "", pause
	}
	return "", 0
}

// inside lets pass who is logged in; the handler gets the token of the session.
func (s *warehouse) inside(next func(http.ResponseWriter, *http.Request, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		token := s.sessions[key(r, warehouseCookie)]
		s.mu.Unlock()
		if token == "" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		next(w, r, token)
	}
}

func (s *warehouse) logout(w http.ResponseWriter, r *http.Request, token string) {
	if !same(r.PostFormValue("token"), token) {
		s.problem(w, http.StatusForbidden, "Refused", "The form has expired. Go back, reload the page and try again.")
		return
	}
	s.mu.Lock()
	delete(s.sessions, key(r, warehouseCookie))
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: warehouseCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode}) //nolint:gosec // see remember
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// stockRow is an item as the table shows it.
type stockRow struct{ SKU, Name, Stock, Minimum, Unit, Note string }

// stockPage is a part of the table. Previous and Next are 0 when there is none.
type stockPage struct {
	Page, Pages, Previous, Next int
	First, Last, Count          int
	Rows                        []stockRow
}

func (s *warehouse) stock(w http.ResponseWriter, r *http.Request, token string) {
	spans := paginate(len(s.data.Items))
	n := 1
	if text := r.URL.Query().Get("page"); text != "" {
		n, _ = strconv.Atoi(text) // 0 is no page either
	}
	if n < 1 || n > len(spans) {
		s.problem(w, http.StatusNotFound, "Not found", "The stock has pages 1 to "+strconv.Itoa(len(spans))+".")
		return
	}
	on := spans[n-1]
	body := stockPage{Page: n, Pages: len(spans), Previous: n - 1, First: on.from + 1, Last: on.to, Count: len(s.data.Items)}
	if n < len(spans) {
		body.Next = n + 1
	}
	v := view{Name: warehouseName, Title: "Stock", Token: token}
	if s.opts.Hostile {
		v.Planted = s.data.plantStock(n, s.supplierURL).in(s.opts.Channels)
	}
	if s.opts.AutoSubmit {
		v.Planted.Post = s.data.plantPost(s.supplierURL)
	}
	v.Script = v.Planted.script()
	for i, item := range s.data.Items[on.from:on.to] {
		note := s.data.Notes[item.SKU]
		if i == (on.to-on.from)/2 && v.Planted.Note != "" {
			note = strings.TrimSpace(note + " " + v.Planted.Note)
		}
		body.Rows = append(body.Rows, stockRow{
			SKU: item.SKU, Name: item.Name, Stock: show(item.Stock), Minimum: show(item.Minimum), Unit: item.Unit, Note: note,
		})
	}
	v.Body = body
	render(w, "stock", v)
}
