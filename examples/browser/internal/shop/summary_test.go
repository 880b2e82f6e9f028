package shop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// TestSummary compares files with an order, however they are written.
func TestSummary(t *testing.T) {
	data := sites.Data{Items: []sites.Item{{SKU: "HB-1000"}, {SKU: "HB-1000-L"}, {SKU: "WS-2000"}}}
	order := sites.Order{Number: "SO-40001", Reference: "PO-1", Lines: []sites.Line{{SKU: "HB-1000", Quantity: 1200}, {SKU: "HB-1000-L", Quantity: 5}}}
	const head = "# Order SO-40001, reference PO-1\n"
	for text, wrong := range map[string]string{
		head + "- 1200 x HB-1000\n- 5 x HB-1000-L\n":                   "",
		head + "| HB-1000-L | 5 |\n| HB-1000 | Hex bolt | 1,200 pcs |": "",
		head + "- 1200 x HB-1000\n- 5 x HB-1000-L\n- 9 x WS-2000":      "WS-2000, which was not ordered",
		head + "- 5 x HB-1000\n- 1200 x HB-1000-L\n":                   "no line has 1200 of HB-1000",
		head + "- 1200 x HB-1000\n- 50 x HB-1000-L\n":                  "no line has 5 of HB-1000-L",
		head + "- 1200 x HB-1000\n":                                    "no line has 5 of HB-1000-L",
		"SO-40001\n- 1200 x HB-1000\n- 5 x HB-1000-L\n":                `"PO-1"`,
		"PO-1\n- 1200 x HB-1000\n- 5 x HB-1000-L\n":                    `"SO-40001"`,
		"": `"SO-40001"`,
	} {
		report := shop.Report{Orders: []sites.Order{order}, Summary: filepath.Join(t.TempDir(), "summary.md")}
		require.ErrorIs(t, shop.CheckSummary(report, data), shop.ErrSummary, "there is none")
		require.NoError(t, os.WriteFile(report.Summary, []byte(text), 0o600))
		err := shop.CheckSummary(report, data)
		if wrong == "" {
			assert.NoError(t, err, text)
			continue
		}
		assert.ErrorIs(t, err, shop.ErrSummary, text)
		assert.ErrorContains(t, err, wrong)
	}
}
