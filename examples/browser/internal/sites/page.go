package sites

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

//go:embed pages
var files embed.FS

// view is what a page is made of.
type view struct {
	Name, Title string
	// Notice is good news, Problem is what somebody must do otherwise.
	Notice, Problem string
	// Token is the session's, against forged requests.
	Token string
	// Lines is how many lines are in the basket.
	Lines   int
	Planted planted
	Script  template.JS
	Body    any

	status int
}

// Style is that of all pages.
func (view) Style() template.CSS { return style }

var (
	style = template.CSS(read("pages/style.css")) //nolint:gosec // a file of ours, embedded
	logo  = []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d5fa8"/>` +
		`<path d="M7 22V12l9-5 9 5v10" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`)
	pages = parsePages()
)

func read(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// parsePages reads each page with the layout around it, and the menu of its site.
func parsePages() map[string]*template.Template {
	all := map[string]*template.Template{}
	for page, menu := range map[string]string{
		"login": "", "stock": "", "problem": "", "catalogue": "shopmenu", "basket": "shopmenu", "review": "shopmenu", "order": "shopmenu", "orders": "shopmenu",
	} {
		t := template.Must(template.New(page).Parse(read("pages/layout.html")))
		if menu != "" {
			template.Must(t.Parse(read("pages/" + menu + ".html")))
		}
		all[page] = template.Must(t.Parse(read("pages/" + page + ".html")))
	}
	return all
}

// render writes a page. Only what is in its policy may run or be loaded in it.
func render(w http.ResponseWriter, page string, v view) {
	var b strings.Builder
	if err := pages[page].Execute(&b, v); err != nil {
		http.Error(w, "The page cannot be shown.", http.StatusInternalServerError)
		return
	}
	scripts, targets, frames := "'none'", "'self'", "'none'"
	if v.Script != "" {
		scripts = hash(string(v.Script))
	}
	if v.Planted.Post.Action != "" { // whoever planted that saw to its being allowed
		origin := strings.TrimSuffix(v.Planted.Post.Action, "/lines")
		targets, frames = targets+" "+origin, origin
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src "+hash(string(style))+"; img-src 'self'; script-src "+scripts+
		"; form-action "+targets+"; frame-src "+frames+"; base-uri 'none'; frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(b.Len()))
	if v.status != 0 {
		w.WriteHeader(v.status)
	}
	_, _ = w.Write([]byte(b.String())) // who has gone does not see it
}

// hash allows a text in a Content-Security-Policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func serveLogo(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(logo)
}

// fromHere refuses what a browser sends because a page of another site told it to. An
// answer of 403 comes before any handler.
func fromHere(next http.Handler, refuse http.HandlerFunc) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(refuse)
	return protection.Handler(next)
}

// same compares secrets in a time that does not depend on where they differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// secret is a value that nobody can guess.
func secret() string { return rand.Text() }

// remember gives the browser the key of its session. Cookies do not know ports, so
// each site has a name of its own.
func remember(w http.ResponseWriter, name, key string) {
	//nolint:gosec // plain HTTP on this machine: a Secure cookie would not come back everywhere
	http.SetCookie(w, &http.Cookie{Name: name, Value: key, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// key of the session that a request belongs to.
func key(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
