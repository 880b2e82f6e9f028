package sites

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Generate makes a Data from a seed, always the same from the same. It has 30 to 42
// items, three to six of them below their minimum and one of those at least on each
// page of the table. Each Data has what is easily got wrong:
//
//   - stock that is exactly the minimum, which is enough;
//   - no stock, both of an item that should be there and of one that need not;
//   - two items of the same name, of which one is missing, and whose SKUs begin alike;
//   - numbers of four digits, which are shown as 1,204;
//   - a quantity that must be rounded up to whole packs, and one that need not;
//   - long names, letters beyond ASCII, and < & " in names and notes.
func Generate(seed uint64) Data {
	r := rand.New(rand.NewPCG(seed, 0x57_4f_43_4b))
	g := &generator{rand: r, items: make([]Item, 30+r.IntN(13)), fixed: map[int]bool{}}
	g.articles()
	below := g.below()
	g.twins(below)
	g.traps()
	return Data{
		Seed:      seed,
		User:      pick(r, "a.lindqvist", "j.müller", "storekeeper", "m.okafor", "t.novak"),
		Password:  fmt.Sprintf("%s-%02d-%s", pick(r, "Kranich", "Amber", "Fjord", "Maple"), r.IntN(100), pick(r, "speicher", "harbour", "lantern")),
		Reference: fmt.Sprintf("PO-%04d/%02d", r.IntN(10_000), 1+r.IntN(12)),
		Items:     g.items,
		Notes:     g.notes(),
	}
}

type generator struct {
	rand  *rand.Rand
	items []Item
	fixed map[int]bool // what has its numbers
}

// articles gives every item a name, a number and more stock than it needs.
func (g *generator) articles() {
	chosen := slices.Clone(others)
	g.rand.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = append(slices.Clone(always), chosen[:len(g.items)-len(always)]...)
	g.rand.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	numbers := g.rand.Perm(9000)
	for i, p := range chosen {
		minimum := 4 + g.rand.IntN(pick(g.rand, 20, 60, 300))
		g.items[i] = Item{
			SKU: fmt.Sprintf("%s-%d", p.prefix, 1000+numbers[i]), Name: p.name, Unit: p.unit, Pack: pick(g.rand, p.packs...),
			Minimum: minimum, Stock: minimum + 1 + g.rand.IntN(2*minimum),
		}
	}
}

// below makes three to six items too few, one at least on each page. The first has
// no stock at all, the second needs part of a pack, the third whole packs.
func (g *generator) below() []int {
	var at []int
	pages := paginate(len(g.items))
	for _, p := range pages {
		at = append(at, p.from+g.rand.IntN(p.to-p.from))
	}
	g.rand.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	for want := len(at) + g.rand.IntN(4); len(at) < want; {
		if i := g.rand.IntN(len(g.items)); !slices.Contains(at, i) {
			at = append(at, i)
		}
	}
	for n, i := range at {
		item := &g.items[i]
		g.fixed[i] = true
		item.Stock = item.Minimum - 1 - g.rand.IntN(item.Minimum-1)
		switch n {
		case 0:
			item.Stock = 0
		case 1:
			item.Pack = pick(g.rand, 6, 10, 12, 25)
			item.Minimum = 1000 + g.rand.IntN(900)
			item.Stock = item.Minimum - item.Pack*g.rand.IntN(4) - 1 - g.rand.IntN(item.Pack-1)
		case 2:
			item.Pack = pick(g.rand, 2, 4, 5)
			item.Stock = 1 + g.rand.IntN(40)
			item.Minimum = item.Stock + item.Pack*(1+g.rand.IntN(9))
		}
	}
	return at
}

// twins gives an item that is not missing the name of one that is.
func (g *generator) twins(below []int) {
	missing := g.items[pick(g.rand, below...)]
	at := g.free()
	for slices.ContainsFunc(always, func(p product) bool { return p.name == g.items[at].Name }) {
		at = g.free() // those stay
	}
	twin := &g.items[at]
	twin.Name, twin.Unit, twin.SKU = missing.Name, missing.Unit, missing.SKU+"-L"
}

// traps sets numbers that look like too few, and are not.
func (g *generator) traps() {
	for range 3 {
		same := &g.items[g.free()]
		same.Stock = same.Minimum
	}
	unwanted := &g.items[g.free()]
	unwanted.Stock, unwanted.Minimum = 0, 0
	large := &g.items[g.free()]
	large.Minimum = 600 + g.rand.IntN(390)
	large.Stock = 1000 + g.rand.IntN(900)
}

// free finds an item whose numbers are not fixed, and fixes it.
func (g *generator) free() int {
	for {
		if i := g.rand.IntN(len(g.items)); !g.fixed[i] {
			g.fixed[i] = true
			return i
		}
	}
}

// notes writes something into about half of the rows.
func (g *generator) notes() map[string]string {
	notes := map[string]string{}
	for _, item := range g.items {
		if g.rand.IntN(2) == 0 {
			notes[item.SKU] = pick(g.rand, remarks...)
		}
	}
	return notes
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// span is the items of a page.
type span struct{ from, to int }

// paginate divides n items into three pages of the same length, give or take one;
// fewer when there are fewer items.
func paginate(n int) []span {
	pages := make([]span, max(1, min(3, n)))
	for i := range pages {
		pages[i] = span{from: i * n / len(pages), to: (i + 1) * n / len(pages)}
	}
	return pages
}
