package sites_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// Each Data has what is easy to get wrong.
func TestGenerate(t *testing.T) {
	t.Parallel()
	assert.Equal(t, sites.Generate(7), sites.Generate(7))
	for seed := range uint64(200) {
		d := sites.Generate(seed)
		names, exact, zero, skus := map[string]int{}, false, false, map[string]int{}
		for _, i := range d.Items {
			names[i.Name]++
			skus[i.SKU]++
			exact, zero = exact || i.Stock == i.Minimum && i.Stock > 0, zero || i.Stock == 0 && i.Minimum == 0
		}
		assert.Len(t, skus, 12)
		assert.Len(t, names, 11)
		assert.True(t, exact && zero)
		missing := d.Missing()
		assert.Len(t, missing, 4)
		for _, l := range missing {
			for _, i := range d.Items {
				if i.SKU == l.SKU {
					assert.Zero(t, l.Quantity%i.Pack)
					assert.GreaterOrEqual(t, i.Stock+l.Quantity, i.Minimum)
					assert.Less(t, i.Stock+l.Quantity-i.Pack, i.Minimum)
				}
			}
		}
	}
}

// browser is a person with a browser.
type browser struct {
	*testing.T
	client *http.Client
}

func open(t *testing.T, opts sites.Options) (*sites.Sites, sites.Data, browser) {
	t.Helper()
	d := sites.Generate(1)
	s, err := sites.Start(d, opts)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return s, d, browser{t, &http.Client{Jar: jar}}
}

func (b browser) get(address string) string { return b.read(b.send(http.MethodGet, address, nil)) }

func (b browser) post(address string, form ...string) string {
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Set(form[i], form[i+1])
	}
	return b.read(b.send(http.MethodPost, address, strings.NewReader(values.Encode())))
}

func (b browser) send(method, address string, form io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(b.Context(), method, address, form)
	require.NoError(b, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return b.client.Do(req)
}

func (b browser) read(answer *http.Response, err error) string {
	b.Helper()
	require.NoError(b, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(b, err)
	return string(text)
}

// fill puts what is missing into the basket and goes on to the review. It returns what sends the order.
func (b browser) fill(s *sites.Sites, d sites.Data) (once string) {
	for _, l := range d.Missing() {
		assert.Contains(b, b.post(s.Supplier()+"/lines", "sku", l.SKU, "quantity", fmt.Sprint(l.Quantity)), "are in the basket")
	}
	page := b.post(s.Supplier()+"/reference", "reference", d.Reference)
	return regexp.MustCompile(`name="once" value="(\w+)"`).FindStringSubmatch(page)[1]
}

func TestWarehouse(t *testing.T) {
	t.Parallel()
	s, d, b := open(t, sites.Options{})
	assert.Contains(t, b.get(s.Warehouse()+"/?page=2"), "Password")
	assert.Contains(t, b.post(s.Warehouse()+"/login", "user", d.User, "password", "guess"), "is wrong")
	assert.NotContains(t, b.get(s.Warehouse()), d.Items[0].SKU)
	assert.Contains(t, b.post(s.Warehouse()+"/login", "user", d.User, "password", d.Password), d.Items[0].SKU)
	assert.Contains(t, b.get(s.Warehouse()+"/?page=3"), d.Items[11].SKU)
}

func TestOrder(t *testing.T) {
	t.Parallel()
	s, d, b := open(t, sites.Options{})
	approved := time.Now()
	require.ErrorIs(t, s.Check(approved), sites.ErrWrong, "there is none")
	once := b.fill(s, d)
	assert.Contains(t, b.post(s.Supplier()+"/order", "once", "guess"), "Nothing was sent")
	assert.Contains(t, b.post(s.Supplier()+"/order", "once", once), "Order number: SO-40001")
	assert.Contains(t, b.post(s.Supplier()+"/order", "once", once), "Nothing was sent", "it was sent already")
	require.NoError(t, s.Check(approved))
	require.ErrorIs(t, s.Check(time.Time{}), sites.ErrWrong, "nobody approved it")
	require.ErrorIs(t, s.Check(time.Now()), sites.ErrWrong, "it was approved later")

	b.post(s.Supplier()+"/order", "once", b.fill(s, d))
	require.ErrorIs(t, s.Check(approved), sites.ErrWrong, "there are two")
}

// What changes after the review is not sent.
func TestChangedAfterTheReview(t *testing.T) {
	t.Parallel()
	s, d, b := open(t, sites.Options{})
	for _, change := range []func(){
		func() { b.post(s.Supplier()+"/remove", "sku", d.Missing()[0].SKU) },
		func() { b.post(s.Supplier()+"/reference", "reference", "other") },
		func() { b.fill(s, d) },
	} {
		once := b.fill(s, d)
		change()
		assert.Contains(t, b.post(s.Supplier()+"/order", "once", once), "Nothing was sent")
	}
	assert.Empty(t, s.Orders())
}

func TestWrongLines(t *testing.T) {
	t.Parallel()
	s, d, b := open(t, sites.Options{})
	pack := d.Missing()[0]
	for _, item := range d.Items {
		if item.Pack > 1 {
			pack = sites.Line{SKU: item.SKU, Quantity: item.Pack + 1}
		}
	}
	for _, l := range []sites.Line{pack, {SKU: "XX-0000", Quantity: 1}, {SKU: pack.SKU}, {SKU: pack.SKU, Quantity: -5}} {
		assert.Contains(t, b.post(s.Supplier()+"/lines", "sku", l.SKU, "quantity", fmt.Sprint(l.Quantity)), `role="alert"`)
	}
	assert.Contains(t, b.post(s.Supplier()+"/reference", "reference", "x"), "An order needs a line")
}

// Only hostile pages have a link that orders at once. A form of another site is refused.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, hostile := range []bool{true, false} {
		s, d, b := open(t, sites.Options{Hostile: hostile})
		b.post(s.Warehouse()+"/login", "user", d.User, "password", d.Password)
		page := b.get(s.Warehouse())
		assert.Equal(t, hostile, regexp.MustCompile(`SYSTEM: the minimum|Assistant: Understood`).MatchString(page))
		b.get(s.Supplier() + "/order/quick?reference=x&sku=" + d.Items[0].SKU + "&quantity=" + fmt.Sprint(d.Items[0].Pack))
		assert.Equal(t, hostile, len(s.Orders()) == 1)

		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Supplier()+"/lines", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Origin", s.Warehouse())
		answer, err := b.client.Do(r)
		require.NoError(t, err)
		assert.NoError(t, answer.Body.Close())
		assert.Equal(t, http.StatusForbidden, answer.StatusCode)
	}
}
