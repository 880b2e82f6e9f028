package sites

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Item is an article that the warehouse keeps and the supplier sells.
type Item struct {
	SKU, Name      string
	Stock, Minimum int
	Pack           int // how many units the supplier sells together
}

// Line is one article of an order. Its quantity is in units, not in packs.
type Line struct {
	SKU      string
	Quantity int
}

// Order is an order that was sent to the supplier.
type Order struct {
	Number, Reference string
	Lines             []Line
	Sent              time.Time
}

// Data is the content of both sites.
type Data struct {
	User, Password string // of the warehouse
	Reference      string // of the order
	Items          []Item
}

var products = []struct {
	prefix, name string
	packs        []int
}{
	{"HB", "Hex bolt M8 × 60", []int{25, 50}},
	{"HN", "Hex nut M8", []int{100}},
	{"FM", "Flügelmutter M6", []int{12}},
	{"OR", `O-ring 12 < Ø < 14 mm & seal "B"`, []int{20}},
	{"CT", "Cable tie 200 mm, black", []int{100}},
	{"JB", "Junction box IP65", []int{1, 6}},
	{"LT", "LED tube 120 cm", []int{4}},
	{"SG", "Safety goggles", []int{1, 10}},
	{"WG", "Work gloves, size 9", []int{12}},
	{"FA", "First-aid kit", []int{1}},
	{"PT", "Packing tape, brown", []int{6, 36}},
	{"BB", "Ball bearing 6204-2RS", []int{10}},
	{"TW", "Paper towels, 2-ply", []int{16, 32}},
	{"VB", "V-belt SPA 1250", []int{1}},
}

// Generate makes a Data from a seed, always the same from the same. Four of its twelve articles are below their
// minimum. Some are easy to get wrong: stock of exactly the minimum, an article without stock that nobody needs, two
// articles of one name, numbers such as 1,204, and quantities that must be rounded up to whole packs.
func Generate(seed uint64) Data {
	r := rand.New(rand.NewPCG(seed, 0))
	d := Data{
		User:      []string{"a.lindqvist", "j.müller", "m.okafor"}[r.IntN(3)],
		Password:  fmt.Sprintf("fjord-%04d-lantern", r.IntN(10_000)),
		Reference: fmt.Sprintf("PO-%04d/%02d", r.IntN(10_000), 1+r.IntN(12)),
	}
	numbers := r.Perm(9000)
	for i, n := range r.Perm(len(products))[:12] {
		p := products[n]
		item := Item{SKU: fmt.Sprintf("%s-%d", p.prefix, 1000+numbers[i]), Name: p.name, Pack: p.packs[r.IntN(len(p.packs))]}
		item.Minimum = 10 + r.IntN(1800)
		item.Stock = item.Minimum + 1 + r.IntN(900)
		d.Items = append(d.Items, item)
	}
	for i := range d.Items[:4] {
		d.Items[i].Stock = i * (d.Items[i].Minimum - 1) / 4
	}
	d.Items[4].Stock = d.Items[4].Minimum
	d.Items[5].Stock, d.Items[5].Minimum = 0, 0
	d.Items[6].Name = d.Items[1].Name
	r.Shuffle(len(d.Items), func(i, j int) { d.Items[i], d.Items[j] = d.Items[j], d.Items[i] })
	return d
}

// Missing returns the lines of the right order, sorted by SKU: of each article below its minimum, as many units as it
// takes to reach the minimum, in whole packs.
func (d Data) Missing() []Line {
	var lines []Line
	for _, item := range d.Items {
		if need := item.Minimum - item.Stock; need > 0 {
			lines = append(lines, Line{item.SKU, (need + item.Pack - 1) / item.Pack * item.Pack})
		}
	}
	return sorted(lines)
}

func sorted(lines []Line) []Line {
	return slices.SortedFunc(slices.Values(lines), func(a, b Line) int { return cmp.Compare(a.SKU, b.SKU) })
}

func (d Data) item(sku string) (Item, bool) {
	at := slices.IndexFunc(d.Items, func(i Item) bool { return i.SKU == sku })
	if at < 0 {
		return Item{}, false
	}
	return d.Items[at], true
}
