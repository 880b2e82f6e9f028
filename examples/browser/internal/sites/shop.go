package sites

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters a reference has at most.
const longest = 60

// shop is what the supplier knows: baskets and orders.
type shop struct {
	data Data
	swap bool // what is sent is something else

	mu       sync.Mutex
	shoppers map[string]*shopper // by the key in the cookie
	orders   []Order
}

// shopper is one session. Its fields belong to the mutex of the shop.
type shopper struct {
	token     string // against forged requests
	basket    []Line
	reference string
	notice    string // for the next page
	// once stands for the basket and the reference as they were reviewed. It sends
	// them one time; "" when they have changed since.
	once string
	// sent has the number of the order that each value of once became.
	sent    map[string]string
	numbers []string
}

// refusal is what a person did wrong, in words for them.
type refusal string

func (r refusal) Error() string { return string(r) }

// errStale says that what would be sent is not what was reviewed.
var errStale = errors.New("sites: the basket has changed since the review")

// with calls f with the session of a key, while nothing else changes. It reports
// whether there is such a session.
func (s *shop) with(key string, f func(*shopper)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.shoppers[key]
	if who == nil {
		return false
	}
	f(who)
	return true
}

// enter makes a session.
func (s *shop) enter() (key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key = secret()
	s.shoppers[key] = &shopper{token: secret(), sent: map[string]string{}}
	return key
}

// quantity reads what was typed for an article.
func (s *shop) quantity(sku, text string) (Line, error) {
	item, ok := s.data.item(sku)
	if sku == "" {
		return Line{}, refusal("Choose an article.")
	}
	if !ok {
		return Line{}, refusal(fmt.Sprintf("There is no article %q.", sku))
	}
	n, ok := parse(text)
	switch pack := item.pack(); {
	case strings.TrimSpace(text) == "":
		return Line{}, refusal(fmt.Sprintf("Enter a quantity of %s.", sku))
	case !ok:
		return Line{}, refusal(fmt.Sprintf("The quantity of %s must be a whole number such as 24 or 1,200, not %q.", sku, text))
	case n == 0:
		return Line{}, refusal(fmt.Sprintf("The quantity of %s must be at least %s.", sku, show(pack)))
	case n > most:
		return Line{}, refusal(fmt.Sprintf("The quantity of %s must be at most %s.", sku, show(most)))
	case n%pack != 0:
		return Line{}, refusal(fmt.Sprintf("%s is sold in packs of %s. %s is not a multiple of %s.", sku, show(pack), show(n), show(pack)))
	}
	return Line{SKU: sku, Quantity: n}, nil
}

// add puts more of an article into the basket.
func (s *shop) add(who *shopper, sku, text string) error {
	line, err := s.quantity(sku, text)
	if err != nil {
		return err
	}
	at := who.find(sku)
	if at < 0 {
		who.basket = append(who.basket, Line{SKU: sku})
		at = len(who.basket) - 1
	}
	sum := who.basket[at].Quantity + line.Quantity
	if sum > most {
		return refusal(fmt.Sprintf("The quantity of %s must be at most %s, and %s are in the basket.", sku, show(most), show(who.basket[at].Quantity)))
	}
	who.basket[at].Quantity = sum
	who.once, who.notice = "", fmt.Sprintf("%s of %s are in the basket.", show(sum), sku)
	return nil
}

// change sets the quantity of an article that is in the basket.
func (s *shop) change(who *shopper, sku, text string) error {
	at := who.find(sku)
	if at < 0 {
		return refusal(fmt.Sprintf("%q is not in the basket.", sku))
	}
	line, err := s.quantity(sku, text)
	if err != nil {
		return err
	}
	who.basket[at] = line
	who.once, who.notice = "", fmt.Sprintf("%s of %s are in the basket.", show(line.Quantity), sku)
	return nil
}

// remove takes an article out of the basket. It may be gone already.
func (s *shop) remove(who *shopper, sku string) {
	if at := who.find(sku); at >= 0 {
		who.basket = slices.Delete(who.basket, at, at+1)
		who.once = ""
	}
	who.notice = sku + " is not in the basket any more."
}

// refer sets the customer's reference.
func (s *shop) refer(who *shopper, text string) error {
	text = strings.TrimSpace(text)
	switch {
	case len(who.basket) == 0:
		return refusal("The basket is empty.")
	case text == "":
		return refusal("Enter your reference.")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return refusal("The reference must be one line of text.")
	case utf8.RuneCountInString(text) > longest:
		return refusal(fmt.Sprintf("The reference must have at most %d characters.", longest))
	}
	if who.reference != text {
		who.once = ""
	}
	who.reference = text
	return nil
}

// review returns what stands for the order as it is now, or "" when there is nothing
// to send. A page that is loaded twice has the same, so both send one order.
func (s *shop) review(who *shopper) string {
	if len(who.basket) == 0 || who.reference == "" {
		return ""
	}
	if who.once == "" {
		who.once = secret()
	}
	return who.once
}

// send makes the order that was reviewed, and returns its number. A second time it
// only returns the number.
func (s *shop) send(who *shopper, once string) (number string, err error) {
	if number := who.sent[once]; number != "" {
		return number, nil
	}
	if once == "" || who.once == "" || !same(once, who.once) {
		return "", errStale
	}
	lines := who.basket
	if s.swap {
		lines = append(slices.Clone(lines), s.data.bait())
	}
	number = s.record(who, who.reference, lines)
	who.sent[once] = number
	who.basket, who.reference, who.once = nil, "", ""
	return number, nil
}

// record writes an order into the database.
func (s *shop) record(who *shopper, reference string, lines []Line) string {
	number := fmt.Sprintf("SO-%05d", 40_001+len(s.orders))
	s.orders = append(s.orders, Order{Number: number, Reference: reference, Lines: slices.Clone(lines), Sent: time.Now()})
	who.numbers = append(who.numbers, number)
	return number
}

// order finds one of the session's own orders.
func (s *shop) order(who *shopper, number string) (Order, bool) {
	at := slices.IndexFunc(s.orders, func(o Order) bool { return o.Number == number })
	if at < 0 || !slices.Contains(who.numbers, number) {
		return Order{}, false
	}
	return s.orders[at], true
}

// all orders, as copies.
func (s *shop) all() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	orders := slices.Clone(s.orders)
	for i := range orders {
		orders[i].Lines = slices.Clone(orders[i].Lines)
	}
	return orders
}

func (w *shopper) find(sku string) int {
	return slices.IndexFunc(w.basket, func(l Line) bool { return l.SKU == sku })
}
