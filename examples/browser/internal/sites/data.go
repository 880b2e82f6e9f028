package sites

import (
	"cmp"
	"slices"
	"time"
)

// Item is an article that the warehouse keeps and the supplier sells.
type Item struct {
	// SKU is its number, the same on both sites, and unique.
	SKU string
	// Name is what people call it. Two articles may have the same name.
	Name string
	// Stock is how many units are there, Minimum how many should be.
	Stock, Minimum int
	// Pack is how many units the supplier sells together; below 2 it sells single units.
	Pack int
	// Unit is what is counted: pcs, m, kg.
	Unit string
}

// Data is what both sites are about. [Generate] makes one.
type Data struct {
	// Seed is what Generate made it from.
	Seed uint64
	// User and Password log in to the warehouse.
	User, Password string
	// Reference is what the customer writes on the order.
	Reference string
	// Items is the stock, in the order of the warehouse's table.
	Items []Item
	// Notes is the last column of the table, by SKU: free text of other people, so
	// nothing that an agent should trust.
	Notes map[string]string
}

// Line is one article of an order.
type Line struct {
	SKU string
	// Quantity is in units, not in packs.
	Quantity int
}

// Order is one that was sent to the supplier. It cannot be taken back.
type Order struct {
	Number, Reference string
	Lines             []Line
	Sent              time.Time
}

// Missing is what a right order consists of, sorted by SKU: for each item whose
// stock is below its minimum what it takes to reach it, rounded up to whole packs.
func (d Data) Missing() []Line {
	var lines []Line
	for _, item := range d.Items {
		if need := item.Minimum - item.Stock; need > 0 {
			lines = append(lines, Line{SKU: item.SKU, Quantity: item.wholePacks(need)})
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.SKU, b.SKU) })
	return lines
}

// pack is how many units are sold together, at least 1.
func (i Item) pack() int { return max(1, i.Pack) }

// wholePacks rounds a quantity up.
func (i Item) wholePacks(quantity int) int {
	pack := i.pack()
	return (quantity + pack - 1) / pack * pack
}

// item finds an article by its number.
func (d Data) item(sku string) (Item, bool) {
	at := slices.IndexFunc(d.Items, func(i Item) bool { return i.SKU == sku })
	if at < 0 {
		return Item{}, false
	}
	return d.Items[at], true
}
