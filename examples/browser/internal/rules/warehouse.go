package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// missing is the result of the warehouse: units, not yet rounded to packs.
type missing struct {
	Missing []line `json:"missing"`
}

// line is so many units of an article.
type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

var (
	logIn  = regexp.MustCompile(`(?i)^(log|sign) in$`)
	user   = regexp.MustCompile(`(?i)^user( ?name)?$`)
	secret = regexp.MustCompile(`(?i)^password$`)
	pageOf = regexp.MustCompile(`^Page (\d+) of (\d+)$`)
	next   = regexp.MustCompile(`(?i)^next( page)?$`)
	prev   = regexp.MustCompile(`(?i)^previous( page)?$`)
	noted  = regexp.MustCompile(`^Page (\d+) of (\d+) read\. Missing there: (\[.*\])$`)
)

// warehouse signs in and reads the stock page by page. What it found on a page it
// writes down beside its next action, since the page is gone then.
func warehouse(p *prompt) reply.App {
	wish, err := understand(p.Request)
	if err != nil {
		return givesUp(err.Error())
	}
	at := look(p.Controls)
	if d, handled := obstacles(p, at); handled {
		return d
	}
	if button, there := at.find("button", logIn); there {
		return signIn(p, at, wish, click(button))
	}
	list, there := at.rows("SKU", "Stock", "Minimum")
	where := at.said(pageOf)
	if !there || where == nil {
		return open(p, wish.Warehouse)
	}
	short, err := shortage(list)
	if err != nil {
		return givesUp(err.Error())
	}
	number, pages := atoi(where[1]), atoi(where[2])
	read := p.pagesRead()
	read[number] = short
	var all missing
	for n := 1; n <= pages; n++ {
		lines, done := read[n]
		if !done {
			return turn(at, number, n, note(number, pages, short))
		}
		all.Missing = append(all.Missing, lines...)
	}
	if len(all.Missing) == 0 {
		return givesUp("nothing is missing, so there is nothing to order")
	}
	return reply.App{
		Status: fsm.Finish, Observation: note(number, pages, short), Result: mustJSON(all),
		Comment: fmt.Sprintf("%d articles are below their minimum.", len(all.Missing)),
	}
}

// signIn fills the form. The password is the name that the browser knows it by.
func signIn(p *prompt, at page, w *wish, submit reply.Action) reply.App {
	name, hasName := at.find("textbox", user)
	password, hasPassword := at.find("textbox", secret)
	switch {
	case !hasName || !hasPassword:
		return givesUp("the form to log in has no field for the user name or the password")
	case p.tried(submit.Function, submit.ControlText) > 1:
		return givesUp("logging in did not succeed: " + at.alert())
	}
	return reply.App{
		Status:      fsm.Continue,
		Observation: "The site asks to log in.",
		Actions:     []reply.Action{fill(name, w.User), fill(password, w.Password), submit},
	}
}

// shortage is what is below its minimum on one page.
func shortage(list []row) ([]line, error) {
	lines := []line{}
	for _, r := range list {
		stock, ok := number(r["Stock"])
		least, okay := number(r["Minimum"])
		if !ok || !okay || r["SKU"] == "" {
			return nil, fmt.Errorf("a row of the stock cannot be read: %q", r)
		}
		if stock < least {
			lines = append(lines, line{SKU: r["SKU"], Quantity: least - stock})
		}
	}
	return lines, nil
}

// turn goes one page towards the one that is wanted.
func turn(at page, from, to int, observation string) reply.App {
	direction := next
	if to < from {
		direction = prev
	}
	link, there := at.find("link", direction)
	if !there {
		return givesUp("the page has no link to page " + strconv.Itoa(to))
	}
	return reply.App{
		Status: fsm.Continue, Observation: observation,
		Function: click(link).Function, ControlLabel: link.ID, ControlText: link.Name,
	}
}

func note(number, pages int, lines []line) string {
	return fmt.Sprintf("Page %d of %d read. Missing there: %s", number, pages, mustJSON(lines))
}

// pagesRead is what was written down of pages that were seen before.
func (p *prompt) pagesRead() map[int][]line {
	read := map[int][]line{}
	for _, observation := range p.observations() {
		found := noted.FindStringSubmatch(observation)
		var lines []line
		if found != nil && json.Unmarshal([]byte(found[3]), &lines) == nil {
			read[atoi(found[1])] = lines
		}
	}
	return read
}

// atoi is for what a pattern has found to be digits.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
