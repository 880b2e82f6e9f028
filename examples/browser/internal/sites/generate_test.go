package sites_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

func TestGenerateIsTheSameForTheSameSeed(t *testing.T) {
	for seed := range uint64(20) {
		assert.Equal(t, sites.Generate(seed), sites.Generate(seed))
		assert.NotEqual(t, sites.Generate(seed).Items, sites.Generate(seed+1).Items)
	}
}

// What every Data has, or the example would not be tried by it.
func TestGenerateHasEveryTrap(t *testing.T) {
	for seed := range uint64(1000) {
		d := sites.Generate(seed)
		require.Equal(t, seed, d.Seed)
		require.NotEmpty(t, d.User)
		require.NotEmpty(t, d.Password)
		require.NotEmpty(t, d.Reference)
		require.True(t, 30 <= len(d.Items) && len(d.Items) <= 42, "%d items", len(d.Items))

		skus := map[string]sites.Item{}
		var same, empty, unwanted, large, rounded, whole, umlaut, long, markup int
		for _, item := range d.Items {
			require.NotContains(t, skus, item.SKU)
			skus[item.SKU] = item
			require.NotEmpty(t, item.Name)
			require.NotEmpty(t, item.Unit)
			require.True(t, item.Stock >= 0 && item.Minimum >= 0 && item.Pack >= 0, "%+v", item)
			missing := item.Stock < item.Minimum
			count := func(n *int, when bool) {
				if when {
					*n++
				}
			}
			count(&same, item.Stock == item.Minimum && item.Stock > 0)
			count(&empty, missing && item.Stock == 0)
			count(&unwanted, item.Stock == 0 && item.Minimum == 0)
			count(&large, item.Stock >= 1000 && item.Minimum < 1000 && !missing)
			count(&rounded, missing && item.Pack > 1 && (item.Minimum-item.Stock)%item.Pack != 0)
			count(&whole, missing && item.Pack > 1 && (item.Minimum-item.Stock)%item.Pack == 0)
			count(&umlaut, strings.ContainsAny(item.Name, "äöüßØ"))
			count(&long, len([]rune(item.Name)) > 80)
			count(&markup, strings.ContainsAny(item.Name, "<&\""))
		}
		for what, n := range map[string]int{
			"exactly at the minimum": same, "none left": empty, "none wanted": unwanted, "four digits": large,
			"part of a pack": rounded, "whole packs": whole, "umlauts": umlaut, "a long name": long, "markup": markup,
		} {
			require.Positive(t, n, "seed %d: %s", seed, what)
		}
		for sku := range d.Notes {
			require.Contains(t, skus, sku)
		}

		lines := d.Missing()
		require.True(t, 3 <= len(lines) && len(lines) <= 6, "%d lines", len(lines))
		require.True(t, slices.IsSortedFunc(lines, func(a, b sites.Line) int { return strings.Compare(a.SKU, b.SKU) }))
		twins := 0
		for _, line := range lines {
			item := skus[line.SKU]
			pack := max(1, item.Pack)
			require.Zero(t, line.Quantity%pack)
			require.GreaterOrEqual(t, item.Stock+line.Quantity, item.Minimum)
			require.Less(t, item.Stock+line.Quantity-pack, item.Minimum)
			if twin, ok := skus[line.SKU+"-L"]; ok && twin.Name == item.Name && twin.Stock >= twin.Minimum {
				twins++
			}
		}
		require.Equal(t, 1, twins, "seed %d", seed)

		pages := sites.Paginate(len(d.Items))
		require.Len(t, pages, 3)
		for _, p := range pages {
			require.True(t, 10 <= p[1]-p[0] && p[1]-p[0] <= 15)
			require.True(t, slices.ContainsFunc(d.Items[p[0]:p[1]], func(i sites.Item) bool { return i.Stock < i.Minimum }))
		}
	}
}

func TestMissing(t *testing.T) {
	d := sites.Data{Items: []sites.Item{
		{SKU: "B", Stock: 0, Minimum: 30, Pack: 12},
		{SKU: "C", Stock: 5, Minimum: 5},
		{SKU: "A", Stock: 9, Minimum: 10},
		{SKU: "D", Stock: 0, Minimum: 24, Pack: 12},
		{SKU: "E", Stock: 1204, Minimum: 950, Pack: 1},
	}}
	assert.Equal(t, []sites.Line{{"A", 1}, {"B", 36}, {"D", 24}}, d.Missing())
	assert.Empty(t, sites.Data{}.Missing())
}

func TestPaginate(t *testing.T) {
	assert.Equal(t, [][2]int{{0, 0}}, sites.Paginate(0))
	assert.Equal(t, [][2]int{{0, 1}, {1, 2}}, sites.Paginate(2))
	assert.Equal(t, [][2]int{{0, 3}, {3, 6}, {6, 10}}, sites.Paginate(10))
}

func TestNumbers(t *testing.T) {
	for n, text := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1204: "1,204", 1234567: "1,234,567", -1204: "-1,204"} {
		assert.Equal(t, text, sites.Show(n))
	}
	for text, want := range map[string]int{"0": 0, " 24 ": 24, "1204": 1204, "1,204": 1204, "100,000": 100_000} {
		n, ok := sites.Parse(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, n)
	}
	for _, text := range []string{"", "x", "-1", "+1", "1.5", "1,20", ",1", "12,04", "0x10", "007", "1_000", "１", "99999999999999999999", "1e3"} {
		_, ok := sites.Parse(text)
		assert.False(t, ok, text)
	}
}
