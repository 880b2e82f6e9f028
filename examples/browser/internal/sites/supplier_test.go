package sites_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// What a careful person does, knowing only what the pages say.
func TestTheWholeJob(t *testing.T) {
	for seed := range uint64(5) {
		d := sites.Generate(seed)
		s := start(t, d, nil)
		c := newClient(t, d, s)
		c.login()
		type missing struct {
			sku  string
			need int
		}
		var found []missing
		for next := "/stock"; next != ""; {
			p := c.stock(next)
			for _, row := range p.rows() {
				if need := atoi(t, row[3]) - atoi(t, row[2]); need > 0 {
					found = append(found, missing{row[0], need})
				}
			}
			next = p.link("Next page")
		}
		packs := map[string]int{}
		for _, row := range c.shop("/").rows() {
			packs[row[0]] = 1
			if size, ok := strings.CutPrefix(row[3], "packs of "); ok {
				packs[row[0]] = atoi(t, size)
			}
		}
		var lines []sites.Line
		for _, m := range found {
			pack := packs[m.sku]
			lines = append(lines, sites.Line{SKU: m.sku, Quantity: (m.need + pack - 1) / pack * pack})
		}
		review := c.fill(lines...)
		assert.Len(t, review.rows(), len(lines))
		assert.Empty(t, s.Orders(), "nothing is sent before the button")

		approved := time.Now()
		done := c.send(review)
		require.Equal(t, http.StatusOK, done.status)
		require.NoError(t, s.Check(approved))
		number := s.Orders()[0].Number
		assert.Equal(t, "/orders/"+number, done.path)
		assert.Contains(t, done.body, "<strong>"+number+"</strong>")
		assert.Len(t, done.rows(), len(lines))
		listed := c.shop("/orders")
		require.Len(t, listed.rows(), 1)
		assert.Equal(t, "/orders/"+number, listed.link(number))
		assert.Empty(t, c.shop("/basket").rows(), "the basket is empty again")
	}
}

func TestMessages(t *testing.T) {
	d := sites.Data{Password: "x", Reference: "R", Items: []sites.Item{{SKU: "A-1", Name: "A", Pack: 12}, {SKU: "B-1", Name: "B"}}}
	c := newClient(t, d, start(t, d, nil))
	for _, test := range []struct{ sku, quantity, want string }{
		{"", "1", "Choose an article."},
		{"C-1", "1", `There is no article "C-1".`},
		{"A-1", " ", "Enter a quantity of A-1."},
		{"A-1", "a dozen", `The quantity of A-1 must be a whole number such as 24 or 1,200, not "a dozen".`},
		{"A-1", "-12", `The quantity of A-1 must be a whole number such as 24 or 1,200, not "-12".`},
		{"B-1", "1.5", `The quantity of B-1 must be a whole number such as 24 or 1,200, not "1.5".`},
		{"A-1", "0", "The quantity of A-1 must be at least 12."},
		{"A-1", "30", "A-1 is sold in packs of 12. 30 is not a multiple of 12."},
		{"B-1", "100,001", "The quantity of B-1 must be at most 100,000."},
	} {
		p := c.add(test.sku, test.quantity)
		assert.Equal(t, http.StatusUnprocessableEntity, p.status, test.want)
		assert.Equal(t, test.want, p.said("alert"))
		assert.Equal(t, test.quantity, p.field("quantity"), "what was typed stays")
		assert.Contains(t, p.body, "Basket (0)")
	}
	assert.Contains(t, c.add("A-1", "30").body, `<option value="A-1" selected>`)

	assert.Equal(t, "1,200 of A-1 are in the basket.", c.add("A-1", "1,200").said("status"))
	assert.Empty(t, c.shop("/").said("status"), "a notice is shown once")
	assert.Equal(t, "1,212 of A-1 are in the basket.", c.add("A-1", "12").said("status"))
	assert.Equal(t, "The quantity of A-1 must be at most 100,000, and 1,212 are in the basket.", c.add("A-1", "99,996").said("alert"))

	for _, test := range []struct{ name, do, sku, quantity, want string }{
		{"not whole packs", "change", "A-1", "13", "A-1 is sold in packs of 12. 13 is not a multiple of 12."},
		{"not there", "change", "B-1", "1", `"B-1" is not in the basket.`},
		{"no SKU", "change", "", "7", `"" is not in the basket.`},
		{"neither", "", "A-1", "24", "A line can be changed or removed."},
	} {
		p := c.submit("/basket", "/basket", "do", test.do, "sku", test.sku, "quantity", test.quantity)
		assert.Equal(t, http.StatusUnprocessableEntity, p.status, test.name)
		assert.Equal(t, test.want, p.said("alert"), test.name)
		assert.Empty(t, p.field("reference"), test.name)
	}
	for _, test := range []struct{ text, want string }{
		{"  ", "Enter your reference."},
		{"a\nb", "The reference must be one line of text."},
		{"a\xffb", "The reference must be one line of text."},
		{strings.Repeat("ü", 61), "The reference must have at most 60 characters."},
	} {
		p := c.submit("/basket", "/reference", "reference", test.text)
		assert.Equal(t, http.StatusUnprocessableEntity, p.status, test.want)
		assert.Equal(t, test.want, p.said("alert"))
	}
	assert.Equal(t, "/review", c.submit("/basket", "/reference", "reference", strings.Repeat("ü", 60)).path)
}

func TestChangeAndRemove(t *testing.T) {
	d := sites.Data{Password: "x", Reference: "R", Items: []sites.Item{{SKU: "A-1", Name: "A", Pack: 12}, {SKU: "B-1", Name: "B", Minimum: 7}}}
	s := start(t, d, nil)
	c := newClient(t, d, s)
	c.add("A-1", "12")
	c.add("B-1", "1")
	changed := c.submit("/basket", "/basket", "do", "change", "sku", "B-1", "quantity", "7")
	assert.Equal(t, "7 of B-1 are in the basket.", changed.said("status"))
	removed := c.submit("/basket", "/basket", "do", "remove", "sku", "A-1")
	assert.Equal(t, "A-1 is not in the basket any more.", removed.said("status"))
	require.Len(t, removed.rows(), 1)
	assert.Equal(t, http.StatusOK, c.submit("/basket", "/basket", "do", "remove", "sku", "A-1").status, "gone is gone")
	approved := time.Now()
	c.order()
	assert.NoError(t, s.Check(approved))
}

func TestNothingToReview(t *testing.T) {
	d := sites.Generate(1)
	c := newClient(t, d, start(t, d, nil))
	p := c.shop("/review")
	assert.Equal(t, "/basket", p.path)
	assert.Contains(t, p.said("status"), "nothing to review")
	c.add(d.Missing()[0].SKU, strconv.Itoa(d.Missing()[0].Quantity))
	assert.Equal(t, "/basket", c.shop("/review").path, "not without a reference")
	empty := newClient(t, d, c.on)
	refused := empty.post(c.on.SupplierURL()+"/reference", url.Values{"token": {empty.shop("/").field("token")}, "reference": {"R"}})
	assert.Equal(t, "The basket is empty.", refused.said("alert"))
}

// A form is good for the session that got it, and for no other.
func TestForgedForms(t *testing.T) {
	d := sites.Generate(6)
	s := start(t, d, nil)
	c, other := newClient(t, d, s), newClient(t, d, s)
	review := c.fill(d.Missing()...)
	stolen := other.shop("/").field("token")
	require.NotEmpty(t, stolen)
	for _, path := range []string{"/lines", "/basket", "/reference", "/order"} {
		for _, token := range []string{"", "guessed", stolen} {
			p := c.post(s.SupplierURL()+path, url.Values{
				"token": {token}, "once": {review.field("once")}, "sku": {d.Items[0].SKU}, "quantity": {"1"}, "reference": {"R"}, "do": {"remove"},
			})
			assert.Equal(t, http.StatusForbidden, p.status, path)
			assert.Contains(t, p.said("alert"), "The form has expired.")
		}
	}
	stranger := newClient(t, d, s)
	assert.Equal(t, http.StatusForbidden, stranger.send(review).status, "no session, no order")
	assert.Equal(t, http.StatusConflict, other.post(s.SupplierURL()+"/order",
		url.Values{"token": {stolen}, "once": {review.field("once")}}).status, "the review of somebody else")
	assert.Empty(t, s.Orders())
	assert.Equal(t, http.StatusOK, c.send(review).status)
	assert.Len(t, s.Orders(), 1)
}

// A browser says where a request comes from. The other site is another one.
func TestRequestsOfOtherSitesAreRefused(t *testing.T) {
	d := sites.Generate(6)
	s := start(t, d, nil)
	c := newClient(t, d, s)
	review := c.fill(d.Missing()...)
	form := url.Values{"token": {review.field("token")}, "once": {review.field("once")}}.Encode()
	for name, header := range map[string]http.Header{
		"Sec-Fetch-Site": {"Sec-Fetch-Site": {"same-site"}},
		"Origin":         {"Origin": {s.WarehouseURL()}},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.SupplierURL()+"/order", strings.NewReader(form))
		require.NoError(t, err)
		r.Header = header.Clone()
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		p := c.do(r)
		assert.Equal(t, http.StatusForbidden, p.status, name)
		assert.Equal(t, "This request came from another site.", p.said("alert"), name)
	}
	for _, site := range []string{s.WarehouseURL(), s.SupplierURL()} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site+"/", http.NoBody)
		require.NoError(t, err)
		r.Host = "rebound.example"
		assert.Equal(t, http.StatusMisdirectedRequest, c.do(r).status)
	}
	assert.Empty(t, s.Orders())
}

func TestOneReviewIsOneOrder(t *testing.T) {
	d := sites.Generate(7)
	s := start(t, d, nil)
	c := newClient(t, d, s)
	review := c.fill(d.Missing()...)
	again := c.shop("/review")
	assert.Equal(t, review.field("once"), again.field("once"), "loaded twice it is the same review")
	approved := time.Now()
	first := c.send(review)
	for range 3 {
		assert.Equal(t, first.path, c.send(review).path, "a replay shows the same order")
	}
	assert.Equal(t, first.path, c.send(again).path)
	assert.NoError(t, s.Check(approved))

	second := c.order(d.Missing()...)
	assert.NotEqual(t, first.path, second.path, "a new review is a new order")
	assert.Equal(t, first.path, c.send(review).path)
	assert.Len(t, s.Orders(), 2)
}

func TestWhatWasNotReviewedIsNotSent(t *testing.T) {
	d := sites.Data{Password: "x", Reference: "R", Items: []sites.Item{{SKU: "A", Name: "A"}}}
	line := sites.Line{SKU: "A", Quantity: 3}
	for name, change := range map[string]func(*client){
		"added": func(c *client) { c.add(line.SKU, strconv.Itoa(line.Quantity)) },
		"changed": func(c *client) {
			c.submit("/basket", "/basket", "do", "change", "sku", line.SKU, "quantity", "100,000")
		},
		"removed":   func(c *client) { c.submit("/basket", "/basket", "do", "remove", "sku", line.SKU) },
		"reference": func(c *client) { c.submit("/basket", "/reference", "reference", "another") },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, d, nil)
			c := newClient(t, d, s)
			review := c.fill(line)
			change(c)
			refused := c.send(review)
			assert.Equal(t, http.StatusConflict, refused.status)
			assert.Contains(t, refused.said("alert"), "has changed since you reviewed it")
			assert.Empty(t, s.Orders())
		})
	}
}

func TestOrdersOfOthersAreNotShown(t *testing.T) {
	d := sites.Generate(9)
	s := start(t, d, nil)
	c, other := newClient(t, d, s), newClient(t, d, s)
	done := c.order(d.Missing()...)
	assert.Equal(t, http.StatusNotFound, other.shop(done.path).status)
	assert.Empty(t, other.shop("/orders").rows())
	assert.Contains(t, other.shop("/orders").body, "Nothing was ordered yet.")
	assert.Equal(t, http.StatusNotFound, c.shop("/orders/SO-1").status)
	assert.Equal(t, http.StatusNotFound, c.shop("/order/quick?sku="+d.Items[0].SKU+"&quantity=1").status, "honest sites have no such link")
}
