package sites_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// client is a browser that reads HTML with regular expressions, which is good enough
// for pages of ours.
type client struct {
	t    *testing.T
	http *http.Client
	data sites.Data
	on   *sites.Sites
}

// page is an answer after all redirects.
type page struct {
	status int
	path   string
	header http.Header
	body   string
}

func start(t *testing.T, data sites.Data, opts *sites.Options) *sites.Sites {
	t.Helper()
	s, err := sites.Start(data, opts)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func newClient(t *testing.T, data sites.Data, on *sites.Sites) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{t: t, http: &http.Client{Jar: jar, Transport: transport, Timeout: time.Minute}, data: data, on: on}
}

func (c *client) do(r *http.Request) page {
	c.t.Helper()
	answer, err := c.http.Do(r)
	require.NoError(c.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(c.t, err)
	return page{status: answer.StatusCode, path: answer.Request.URL.RequestURI(), header: answer.Header, body: string(body)}
}

func (c *client) get(address string) page {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(c.t, err)
	return c.do(r)
}

func (c *client) post(address string, form url.Values) page {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	require.NoError(c.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.do(r)
}

func (c *client) stock(path string) page { c.t.Helper(); return c.get(c.on.WarehouseURL() + path) }
func (c *client) shop(path string) page  { c.t.Helper(); return c.get(c.on.SupplierURL() + path) }

func (c *client) login() page {
	c.t.Helper()
	return c.post(c.on.WarehouseURL()+"/login", url.Values{"user": {c.data.User}, "password": {c.data.Password}})
}

// submit posts a form of the supplier with the token that the page of it has.
func (c *client) submit(from, to string, fields ...string) page {
	c.t.Helper()
	form := url.Values{"token": {c.shop(from).field("token")}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return c.post(c.on.SupplierURL()+to, form)
}

func (c *client) add(sku, quantity string) page {
	c.t.Helper()
	return c.submit("/", "/lines", "sku", sku, "quantity", quantity)
}

// fill puts lines and the reference in, and returns the review.
func (c *client) fill(lines ...sites.Line) page {
	c.t.Helper()
	for _, line := range lines {
		require.Equal(c.t, "/", c.add(line.SKU, strconv.Itoa(line.Quantity)).path)
	}
	review := c.submit("/basket", "/reference", "reference", c.data.Reference)
	require.Equal(c.t, "/review", review.path)
	return review
}

// order goes all the way.
func (c *client) order(lines ...sites.Line) page {
	c.t.Helper()
	return c.send(c.fill(lines...))
}

// send presses the button of a review.
func (c *client) send(review page) page {
	c.t.Helper()
	return c.post(c.on.SupplierURL()+"/order", url.Values{"token": {review.field("token")}, "once": {review.field("once")}})
}

var (
	rowPattern  = regexp.MustCompile(`(?s)<tr>\s*<th scope="row">.*?</tr>`)
	cellPattern = regexp.MustCompile(`(?s)<t[hd][^>]*>(.*?)</t[hd]>`)
)

// rows of the table of a page, as text.
func (p page) rows() [][]string {
	var rows [][]string
	for _, row := range rowPattern.FindAllString(p.body, -1) {
		var cells []string
		for _, cell := range cellPattern.FindAllStringSubmatch(row, -1) {
			cells = append(cells, html.UnescapeString(cell[1]))
		}
		rows = append(rows, cells)
	}
	return rows
}

// field is the value of the first input of a name.
func (p page) field(name string) string {
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(p.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// said is what an element of a role says.
func (p page) said(role string) string {
	found := regexp.MustCompile(`role="` + role + `">([^<]*)<`).FindStringSubmatch(p.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// link is where the first link of a name leads.
func (p page) link(name string) string {
	found := regexp.MustCompile(`<a [^>]*href="([^"]*)"[^>]*>` + regexp.QuoteMeta(name) + `</a>`).FindStringSubmatch(p.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	require.NoError(t, err)
	return n
}
