package sites_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// Whatever is typed, no form breaks the site, no text becomes an element, and what is
// ordered at last is in the catalogue and fills whole packs.
func FuzzOrderForm(f *testing.F) {
	d := sites.Data{Password: "x", Items: []sites.Item{{SKU: "A-1", Name: "A", Pack: 12}, {SKU: "B-1", Name: "B"}}}
	f.Add("A-1", "24", "change", "36", "PO-1")
	f.Add("B-1", "1,204", "remove", "", "<b>")
	f.Add("B-1", "0", "", "-1", "a\x00b")
	f.Add("A-1\"><script>", "<script>", "change", "99999999999999999999", "\"><script>")
	f.Fuzz(func(t *testing.T, sku, quantity, do, changed, reference string) {
		s, _, supplier, err := sites.Handlers(d, nil)
		require.NoError(t, err)
		var cookie string
		request := func(method, path string, form url.Values) page {
			r := httptest.NewRequestWithContext(t.Context(), method, "http://supplier"+path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Cookie", cookie)
			w := httptest.NewRecorder()
			supplier.ServeHTTP(w, r)
			if set := w.Header().Get("Set-Cookie"); set != "" {
				cookie, _, _ = strings.Cut(set, ";")
			}
			assert.NotContains(t, w.Body.String(), "<script")
			assert.Less(t, w.Code, http.StatusInternalServerError)
			return page{status: w.Code, body: w.Body.String()}
		}
		token := request(http.MethodGet, "/", nil).field("token")
		require.NotEmpty(t, token)
		added := request(http.MethodPost, "/lines", url.Values{"token": {token}, "sku": {sku}, "quantity": {quantity}})
		request(http.MethodPost, "/lines", url.Values{"token": {token}, "sku": {"B-1"}, "quantity": {quantity}})
		request(http.MethodPost, "/basket", url.Values{"token": {token}, "sku": {sku}, "quantity": {changed}, "do": {do}})
		referred := request(http.MethodPost, "/reference", url.Values{"token": {token}, "reference": {reference}})
		once := request(http.MethodGet, "/review", nil).field("once")
		sent := request(http.MethodPost, "/order", url.Values{"token": {token}, "once": {once}})
		request(http.MethodGet, "/orders", nil)

		orders := s.Orders()
		if sent.status != http.StatusSeeOther {
			assert.Empty(t, orders)
			return
		}
		require.Len(t, orders, 1)
		assert.Equal(t, http.StatusSeeOther, referred.status)
		assert.NotEmpty(t, strings.TrimSpace(orders[0].Reference))
		assert.NotEmpty(t, orders[0].Lines)
		known := map[string]int{"A-1": 12, "B-1": 1}
		for _, line := range orders[0].Lines {
			require.Contains(t, known, line.SKU)
			assert.True(t, 0 < line.Quantity && line.Quantity <= 100_000 && line.Quantity%known[line.SKU] == 0, "%+v", line)
			if line.SKU == "A-1" {
				assert.Equal(t, http.StatusSeeOther, added.status)
			}
		}
	})
}
