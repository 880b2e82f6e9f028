package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// placed is the result of the supplier.
type placed struct {
	Number    string `json:"number"`
	Reference string `json:"reference"`
	Lines     []line `json:"lines"`
}

const sendButton = "Send the order"

var (
	orderNumber = regexp.MustCompile(`^Order number: (\S+)$`)
	referenceIs = regexp.MustCompile(`^Reference: (.+)$`)
	packsOf     = regexp.MustCompile(`^packs of ([\d,]+)$`)
	basketLink  = regexp.MustCompile(`^Basket \(\d+\)$`)
	toOrder     = regexp.MustCompile(`^To order, in whole packs: (\[.*\])\. (?:Next: (\S+)\.|All are in the basket\.)$`)
	lacks       = regexp.MustCompile(`^The basket lacks (\S+)\.$`)
)

// supplier orders what the warehouse found missing. Each page says what is next on
// it; what must be known on the pages behind it is written down.
func supplier(p *prompt) reply.App {
	wish, err := understand(p.Request)
	if err != nil {
		return givesUp(err.Error())
	}
	var short missing
	if !p.result(Warehouse, &short) || len(short.Missing) == 0 {
		return givesUp("it is not known what is missing")
	}
	at := look(p.Controls)
	sent := p.succeeded(sendButton)
	if dialog, asks := at.find("dialog (confirm)", regexp.MustCompile("")); asks && sent && p.count(acceptDialog) == 0 {
		return one("The page asks once more whether to send.", reply.Action{Function: acceptDialog, ControlLabel: dialog.ID})
	}
	if d, handled := obstacles(p, at); handled {
		return d
	}
	if number := at.said(orderNumber); sent && number != nil {
		return receipt(at, number[1], wish, p.order())
	}
	if sent {
		return givesUp("the button was pressed, and the page does not say that the order was received: " + Final)
	}
	if reason := p.perhapsSent(); reason != "" {
		return givesUp(reason)
	}
	send, reviewing := at.named("button", sendButton)
	review, inBasket := at.named("button", "Review the order")
	article, inCatalogue := at.named("combobox", "Article")
	order := p.order()
	switch {
	case inCatalogue:
		return fillBasket(p, at, article, short.Missing)
	case inBasket && order != nil:
		return checkBasket(at, wish, order, review)
	case reviewing && order != nil:
		return checkReview(at, wish, order, send)
	}
	return open(p, wish.Supplier)
}

// order is what was written down in the catalogue, nil before that.
func (p *prompt) order() []line {
	var order []line
	for _, observation := range p.observations() {
		if found := toOrder.FindStringSubmatch(observation); found != nil {
			order = nil
			_ = json.Unmarshal([]byte(found[1]), &order) // it was written here
		}
	}
	return order
}

// fillBasket adds the lines one after another.
func fillBasket(p *prompt, at page, article desktop.Control, short []line) reply.App {
	order, labels, err := inPacks(at, short)
	if err != nil {
		return givesUp(err.Error())
	}
	basket, hasBasket := at.find("link", basketLink)
	quantity, hasQuantity := at.named("textbox", "Quantity")
	add, hasAdd := at.named("button", "Add line")
	if !hasBasket || !hasQuantity || !hasAdd {
		return givesUp("the catalogue has no form for a line")
	}
	added := atoi(strings.Trim(strings.TrimPrefix(basket.Name, "Basket "), "()"))
	observation := "To order, in whole packs: " + string(mustJSON(order)) + ". "
	wanted := ""
	if noted := p.observations(); len(noted) > 0 {
		if found := lacks.FindStringSubmatch(noted[len(noted)-1]); found != nil {
			wanted = found[1]
		}
	}
	if wanted == "" && added < len(order) {
		wanted = order[added].SKU
	}
	i := slices.IndexFunc(order, func(l line) bool { return l.SKU == wanted })
	if i < 0 {
		return one(observation+"All are in the basket.", click(basket))
	}
	if p.tried(desktop.ClickInput, add.Name) > len(order)+maxFailures {
		return givesUp("the basket cannot be filled: " + at.alert())
	}
	return reply.App{
		Status:      fsm.Continue,
		Observation: observation + "Next: " + wanted + ".",
		Actions:     []reply.Action{choose(article, labels[i]), fill(quantity, fmt.Sprint(order[i].Quantity)), click(add)},
	}
}

// inPacks rounds up to whole packs, as the catalogue sells them. With each line it
// returns what the form calls the article.
func inPacks(at page, short []line) (order []line, labels []string, err error) {
	articles, there := at.rows("SKU", "Name", "Unit", "Sold in")
	if !there {
		return nil, nil, fmt.Errorf("the catalogue does not say how articles are sold")
	}
	for _, l := range short {
		i := slices.IndexFunc(articles, func(r row) bool { return r["SKU"] == l.SKU })
		if i < 0 {
			return nil, nil, fmt.Errorf("the supplier does not sell %s", l.SKU)
		}
		pack := 1
		if found := packsOf.FindStringSubmatch(articles[i]["Sold in"]); found != nil {
			pack, _ = number(found[1])
		} else if articles[i]["Sold in"] != "single units" {
			return nil, nil, fmt.Errorf("it is not clear how %s is sold: %q", l.SKU, articles[i]["Sold in"])
		}
		labels = append(labels, fmt.Sprintf("%s: %s (%s)", l.SKU, articles[i]["Name"], articles[i]["Sold in"]))
		order = append(order, line{SKU: l.SKU, Quantity: (l.Quantity + pack - 1) / pack * pack})
	}
	return order, labels, nil
}

// checkBasket puts right what is not as it should be, and goes on to the review.
func checkBasket(at page, w *wish, order []line, review desktop.Control) reply.App {
	rows, there := at.rows("SKU", "Sold in", "Quantity")
	if !there {
		return givesUp("the basket cannot be read")
	}
	has := map[string]int{}
	for _, r := range rows {
		sku := r["SKU"]
		i := slices.IndexFunc(order, func(l line) bool { return l.SKU == sku })
		remove, hasRemove := at.named("button", "Remove "+sku)
		change, hasChange := at.named("button", "Change "+sku)
		field, hasField := at.named("textbox", "Quantity of "+sku)
		has[sku], _ = number(content(field))
		switch {
		case !hasRemove || !hasChange || !hasField:
			return givesUp("the basket has no form for " + sku)
		case i < 0:
			return one("The basket has "+sku+", which is not to be ordered.", click(remove))
		case has[sku] != order[i].Quantity:
			return reply.App{
				Status: fsm.Continue, Observation: "The basket has another quantity of " + sku + ".",
				Actions: []reply.Action{fill(field, fmt.Sprint(order[i].Quantity)), click(change)},
			}
		}
	}
	for _, l := range order {
		if _, in := has[l.SKU]; !in {
			catalogue, ok := at.named("link", "Catalogue")
			if !ok {
				return givesUp("the basket has no link to the catalogue")
			}
			return one("The basket lacks "+l.SKU+".", click(catalogue))
		}
	}
	field, ok := at.named("textbox", "Your reference")
	if !ok {
		return givesUp("the basket has no field for the reference")
	}
	return reply.App{
		Status: fsm.Continue, Observation: "The basket has what is to be ordered.",
		Actions: []reply.Action{fill(field, w.Reference), click(review)},
	}
}

// differs says what a page shows otherwise than it should be.
func differs(at page, w *wish, order []line) string {
	rows, there := at.rows("SKU", "Quantity", "Unit")
	reference := at.said(referenceIs)
	has := quantities(rows)
	switch {
	case !there || reference == nil:
		return "the page cannot be read"
	case reference[1] != w.Reference:
		return fmt.Sprintf("the reference is %q", reference[1])
	case len(rows) != len(order):
		return fmt.Sprintf("it has %d articles, not %d", len(rows), len(order))
	}
	for _, l := range order {
		if has[l.SKU] != l.Quantity {
			return fmt.Sprintf("it has %d of %s, not %d", has[l.SKU], l.SKU, l.Quantity)
		}
	}
	return ""
}

func quantities(rows []row) map[string]int {
	has := map[string]int{}
	for _, r := range rows {
		n, ok := number(r["Quantity"])
		if !ok {
			n = -1
		}
		has[r["SKU"]] = n
	}
	return has
}
