package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

const sendButton = "Send the order"

// read begins the note about a page of the stock, order that about what to order.
const (
	read  = "Missing on page "
	order = "To order in whole packs: "
)

// warehouse logs in and reads the stock page by page.
func (a *agent) warehouse() fakemodel.Reply {
	if button, there := a.find("button", "Log in"); there {
		user, _ := a.find("textbox", "User name")
		password, _ := a.find("textbox", "Password")
		if a.did(desktop.ClickInput, "Log in") > 1 {
			return fakemodel.Fail("logging in did not succeed")
		}
		return acts("The site asks to log in.", fill(user, a.job.User), fill(password, a.job.Password), click(button))
	}
	rows, there := a.rows("SKU", "Stock", "Minimum")
	where, numbered := a.says("Page ")
	var page, pages int
	if _, err := fmt.Sscanf(where, "%d of %d", &page, &pages); !there || !numbered || err != nil {
		return a.open(a.job.Warehouse)
	}
	var short []Line
	for _, r := range rows {
		stock, minimum := number(r["Stock"]), number(r["Minimum"])
		if stock < 0 || minimum < 0 {
			return fakemodel.Fail("a row of the stock cannot be read: %v", r)
		}
		if stock < minimum {
			short = append(short, Line{r["SKU"], minimum - stock})
		}
	}
	note := fmt.Sprintf("%s%d: %s", read, page, text(short))
	var all Missing
	for n := 1; n <= pages; n++ {
		lines, known := a.noted(fmt.Sprintf("%s%d: ", read, n), note)
		if known {
			all.Missing = append(all.Missing, lines...)
			continue
		}
		direction := "Next page"
		if n < page {
			direction = "Previous page"
		}
		link, _ := a.find("link", direction)
		return fakemodel.Act(note, click(link))
	}
	return fakemodel.Reply{Status: fsm.Finish, Observation: note, Result: all}
}

// noted returns the lines of the newest note that begins so.
func (a *agent) noted(begin string, more ...string) (lines []Line, found bool) {
	for _, note := range append(a.notes(), more...) {
		if rest, ok := strings.CutPrefix(note, begin); ok {
			lines = nil
			found = json.Unmarshal([]byte(rest), &lines) == nil
		}
	}
	return lines, found
}

func text(lines []Line) string {
	raw, err := json.Marshal(lines)
	if err != nil {
		panic(err) // Line has only a text and a number
	}
	return string(raw)
}

// supplier orders what the warehouse lacks. Each page shows what is next on it.
func (a *agent) supplier() fakemodel.Reply {
	var short Missing
	if json.Unmarshal(a.Result(Warehouse), &short) != nil || len(short.Missing) == 0 {
		return fakemodel.Fail("nothing is missing, so there is nothing to order")
	}
	lines, _ := a.noted(order)
	if number, ok := a.says("Order number: "); ok && a.did(desktop.ClickInput, sendButton) > 0 {
		if wrong := a.differs(lines); wrong != "" {
			return fakemodel.Fail("order %s is another than was reviewed: %s; %s", number, wrong, Final)
		}
		return fakemodel.Reply{Status: fsm.Finish, Result: Placed{number, a.job.Reference, lines}}
	}
	if why := a.perhapsSent(); why != "" {
		return fakemodel.Fail("the order may have been sent: %s; %s", why, Final)
	}
	if article, ok := a.find("combobox", "Article"); ok {
		return a.addLines(article, short.Missing)
	}
	if review, ok := a.find("button", "Review the order"); ok && lines != nil {
		return a.checkBasket(lines, review)
	}
	if send, ok := a.find("button", sendButton); ok && lines != nil {
		if wrong := a.differs(lines); wrong != "" {
			return fakemodel.Fail("the review shows another order: %s; nothing was sent", wrong)
		}
		return fakemodel.Act("The review shows what is to be ordered.", click(send))
	}
	return a.open(a.job.Supplier)
}

// perhapsSent says why the order may be sent already, though no page says so.
func (a *agent) perhapsSent() string {
	for _, act := range a.Done() {
		switch {
		case strings.Contains(act.Error, Final):
			return act.Error
		case act.Tool != desktop.ClickInput || control(act.Parameters) != sendButton:
		case act.Status == "":
			return "the button was pressed, and the page has no number"
		case !strings.HasPrefix(act.Error, "denied by policy") && !strings.HasPrefix(act.Error, "it was not executed"):
			return act.Error
		}
	}
	return ""
}

// addLines fills the basket in the catalogue. The link to the basket says how many lines it has.
func (a *agent) addLines(article desktop.Control, short []Line) fakemodel.Reply {
	articles, _ := a.rows("SKU", "Name", "Units in a pack")
	var lines []Line
	var names []string
	for _, l := range short {
		at := slices.IndexFunc(articles, func(r map[string]string) bool { return r["SKU"] == l.SKU })
		if at < 0 {
			return fakemodel.Fail("the supplier does not sell %s", l.SKU)
		}
		pack := max(1, number(articles[at]["Units in a pack"]))
		lines = append(lines, Line{l.SKU, (l.Quantity + pack - 1) / pack * pack})
		names = append(names, l.SKU+": "+articles[at]["Name"])
	}
	basket, _ := a.find("link", `Basket \(\d+\)`)
	quantity, _ := a.find("textbox", "Quantity")
	add, _ := a.find("button", "Add line")
	var added int
	_, _ = fmt.Sscanf(basket.Name, "Basket (%d)", &added) // 0 if there is none
	note := order + text(lines)
	if added >= len(lines) {
		return fakemodel.Act(note, click(basket))
	}
	return acts(note,
		fakemodel.Action{Function: selectOption, ControlLabel: article.ID, ControlText: article.Name, Args: map[string]any{"options": []string{names[added]}}},
		fill(quantity, fmt.Sprint(lines[added].Quantity)), click(add))
}

// checkBasket removes a wrong line, or goes on to the review. With a line missing it starts anew.
func (a *agent) checkBasket(lines []Line, review desktop.Control) fakemodel.Reply {
	rows, _ := a.rows("SKU", "Name", "Quantity")
	for _, r := range rows {
		if !slices.Contains(lines, Line{r["SKU"], number(r["Quantity"])}) || len(rows) < len(lines) {
			remove, _ := a.find("button", "Remove "+r["SKU"])
			return fakemodel.Act("The basket has another order.", click(remove))
		}
	}
	if len(rows) == 0 {
		return a.open(a.job.Supplier)
	}
	reference, _ := a.find("textbox", "Your reference")
	return acts("The basket has what is to be ordered.", fill(reference, a.job.Reference), click(review))
}

// differs says how the order on a page is not the one that it should be; "": it is.
func (a *agent) differs(lines []Line) string {
	rows, _ := a.rows("SKU", "Name", "Quantity")
	reference, _ := a.says("Reference: ")
	switch {
	case reference != a.job.Reference:
		return fmt.Sprintf("the reference is %q", reference)
	case len(rows) != len(lines):
		return fmt.Sprintf("it has %d articles, not %d", len(rows), len(lines))
	}
	for _, r := range rows {
		if !slices.Contains(lines, Line{r["SKU"], number(r["Quantity"])}) {
			return fmt.Sprintf("%s of %s", r["Quantity"], r["SKU"])
		}
	}
	return ""
}
