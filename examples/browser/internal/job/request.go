package job

import (
	"fmt"

	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/hostagent"
)

// passwordName is the name by which the browser of the warehouse knows the password.
const passwordName = "WAREHOUSE_PASSWORD"

// request is what the user asks for.
func request(j rules.Job) string {
	return fmt.Sprintf(`Order what the warehouse is short of.

1. The warehouse at %s has the stock, in a table over several pages. Sign in as %q; for the password type %s, in whose place the browser puts the password. An article is missing when its stock is below its minimum. Order what it takes to reach the minimum, rounded up to whole packs.
2. Order exactly these articles from the supplier at %s, with the reference %q.
3. Write a summary to %q: the number and the reference of the order, and below each other its articles, such as "- 12 x AB-1234".`,
		j.Warehouse, j.User, j.Password, j.Supplier, j.Reference, j.Summary)
}

// programs are what the agents of the windows are told about them.
var programs = []hostagent.Program{
	{Name: rules.Warehouse, Docs: `A web site in a browser. The stock is a table over several pages, with links to the next and the previous one. Read
every page before you finish. Write what you must remember of a page into Observation, since you will not see the page again.
Result is {"missing": [{"sku": "...", "quantity": units below the minimum}]}. Dismiss dialogs.`},
	{Name: rules.Supplier, Docs: `A web site in a browser. In the catalogue, lines are added one after another: choose the article in the combobox Article
(select_option, with the whole text of the option), set the Quantity in whole packs, click on "Add line". When all lines are in
the basket, open it, set the reference, review the order, compare it, and click on the button "Send the order": a person is asked
then. Links of that name are not the button. The next page has the number of the order. Result is {"number": "...",
"reference": "...", "lines": [{"sku": "...", "quantity": units}]}.`},
	{Name: rules.Files, Docs: `A folder. write_file writes the summary, read_text_file reads it. Use the path of the request. Result is {"path": "..."}.`},
}
