package sites_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

func TestLogInIsRequired(t *testing.T) {
	d := sites.Generate(1)
	c := newClient(t, d, start(t, d, nil))
	for _, path := range []string{"/", "/stock", "/stock?page=2", "/stock?page=99"} {
		p := c.stock(path)
		assert.Equal(t, "/login", p.path, path)
		assert.Empty(t, p.rows())
	}
	assert.Equal(t, "/login", c.post(c.on.WarehouseURL()+"/logout", nil).path)
	assert.Equal(t, http.StatusNotFound, c.stock("/admin").status)
}

func TestLogInAndOut(t *testing.T) {
	d := sites.Generate(2)
	c := newClient(t, d, start(t, d, nil))
	first := c.login()
	assert.Equal(t, "/stock", first.path)
	assert.NotEmpty(t, first.rows())

	refused := c.post(c.on.WarehouseURL()+"/logout", url.Values{"token": {"guessed"}})
	assert.Equal(t, http.StatusForbidden, refused.status)
	assert.Equal(t, "/stock", c.stock("/stock").path)

	out := c.post(c.on.WarehouseURL()+"/logout", url.Values{"token": {first.field("token")}})
	assert.Equal(t, "/login", out.path)
	assert.Equal(t, "/login", c.stock("/stock").path)
}

// The key of a session that ended opens nothing, whoever kept it.
func TestLogOutEndsTheSession(t *testing.T) {
	d := sites.Generate(2)
	c := newClient(t, d, start(t, d, nil))
	token := c.login().field("token")
	at, err := url.Parse(c.on.WarehouseURL())
	require.NoError(t, err)
	kept := c.http.Jar.Cookies(at)
	require.Len(t, kept, 1)
	c.post(c.on.WarehouseURL()+"/logout", url.Values{"token": {token}})
	c.http.Jar.SetCookies(at, kept)
	assert.Equal(t, "/login", c.stock("/stock").path)
}

func TestWrongPassword(t *testing.T) {
	d := sites.Generate(3)
	c := newClient(t, d, start(t, d, nil))
	for _, form := range []url.Values{
		{"user": {d.User}, "password": {"wrong"}}, {"user": {"nobody"}, "password": {d.Password}}, {"user": {d.User}}, {},
	} {
		p := c.post(c.on.WarehouseURL()+"/login", form)
		assert.Equal(t, http.StatusUnauthorized, p.status)
		assert.Equal(t, "The user name or the password is wrong.", p.said("alert"))
		assert.Equal(t, form.Get("user"), p.field("user"))
		assert.NotContains(t, p.body, d.Password)
	}
	assert.Equal(t, "/stock", c.login().path, "four failures do not lock out")
}

func TestFiveWrongPasswordsMakeEverybodyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := sites.Generate(4)
		_, warehouse, _, err := sites.Handlers(d, nil)
		require.NoError(t, err)
		try := func(password string) *httptest.ResponseRecorder {
			form := url.Values{"user": {d.User}, "password": {password}}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://warehouse/login", strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			warehouse.ServeHTTP(w, r)
			return w
		}
		for range 4 {
			require.Equal(t, http.StatusUnauthorized, try("wrong").Code)
		}
		fifth := try("wrong")
		assert.Equal(t, http.StatusTooManyRequests, fifth.Code)
		assert.Equal(t, "30", fifth.Header().Get("Retry-After"))
		assert.Contains(t, fifth.Body.String(), "possible in 30 s.")

		time.Sleep(29 * time.Second)
		right := try(d.Password)
		assert.Equal(t, http.StatusTooManyRequests, right.Code, "not before the time is up")
		assert.Contains(t, right.Body.String(), "possible in 1 s.")

		time.Sleep(time.Second)
		assert.Equal(t, http.StatusTooManyRequests, try("wrong").Code, "one more, and the time begins again")
		time.Sleep(30 * time.Second)
		assert.Equal(t, http.StatusSeeOther, try(d.Password).Code)
		assert.Equal(t, http.StatusUnauthorized, try("wrong").Code, "who was in starts from the beginning")
	})
}

func TestStockIsOnThreePages(t *testing.T) {
	d := sites.Generate(5)
	c := newClient(t, d, start(t, d, nil))
	p := c.login()
	assert.Empty(t, p.link("Previous page"))
	var rows [][]string
	for n, next := 1, "/stock"; next != ""; n++ {
		p = c.stock(next)
		require.LessOrEqual(t, n, 3)
		assert.Contains(t, p.body, "Page "+string(rune('0'+n))+" of 3")
		if n > 1 {
			assert.NotEmpty(t, p.link("Previous page"))
		}
		rows = append(rows, p.rows()...)
		next = p.link("Next page")
	}
	require.Len(t, rows, len(d.Items))
	for i, item := range d.Items {
		assert.Equal(t, []string{item.SKU, item.Name, sites.Show(item.Stock), sites.Show(item.Minimum), item.Unit, d.Notes[item.SKU]}, rows[i])
	}

	for _, page := range []string{"0", "4", "-1", "x", "1e1", "99999999999999999999"} {
		p := c.stock("/stock?page=" + page)
		assert.Equal(t, http.StatusNotFound, p.status, page)
		assert.Equal(t, "The stock has pages 1 to 3.", p.said("alert"))
	}
}
