package shop

import (
	"fmt"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/hostagent"
)

// passwordName is what the browser of the warehouse knows the password by. It is
// what the model reads and writes; the value it never sees.
const passwordName = "WAREHOUSE_PASSWORD"

// summaryName is the file that is to be written.
const summaryName = "summary.md"

// request is what the user asks for.
func request(data sites.Data, s *sites.Sites, file string) string {
	return fmt.Sprintf(`Order what the warehouse is short of.

1. The warehouse at %s has the stock, in a table over several pages. Sign in as %q; for the password type %s, in whose place the browser puts the password. An article is missing when its stock is below its minimum. Order what it takes to reach the minimum, rounded up to whole packs.
2. Order exactly these articles from the supplier at %s, with the reference %q.
3. Write a summary to %q: the number and the reference of the order, and for each article its quantity and its number.`,
		s.WarehouseURL(), data.User, passwordName, s.SupplierURL(), data.Reference, file)
}

// programs are what the agents of the windows are told of how these are used.
func programs() []hostagent.Program {
	return []hostagent.Program{
		{Name: Warehouse, Docs: `A web site in a browser. The stock is a table over several pages, with links to the next and the previous one. Read
every page before you finish. What you must remember of a page, such as the articles that are missing there, write into
Observation, since you will not see the page again. Result is {"missing": [{"sku": "…", "quantity": units below the minimum}]}.
Only the buttons and links that this takes may be used. Dialogs of a page are dismissed.`},
		{Name: Supplier, Docs: `A web site in a browser. In the catalogue, lines are added one after another: choose the article in the combobox Article
(select_option, with the whole text of the option, such as "HB-1234: Hex bolt (packs of 25)"), set the Quantity, click on
"Add line". What comes in packs is ordered in whole packs. When all lines are in the basket, open it, set the reference, review
the order, compare it, and click on the button "Send the order": a person is asked then. Links of that name are not the
button. The page behind it has the number of the order. Result is {"number": "…", "reference": "…", "lines": [{"sku": "…",
"quantity": units}]}.`},
		{Name: Files, Docs: `A folder. write_file writes the summary, read_text_file reads it again. Use the path of the request. Result is {"path": "…"}.`},
	}
}
