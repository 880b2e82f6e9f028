// Package sites is the ground that the browser example works on: two web sites, each
// with an origin of its own on 127.0.0.1, which a person could use as well.
//
//	data := sites.Generate(1)
//	s, err := sites.Start(data, nil)
//	…
//	defer s.Close()
//	// An agent opens s.WarehouseURL() and s.SupplierURL(), and works.
//	err = s.Check(approved)
//
// # The warehouse
//
// A log-in with the user and the password of the [Data], then the stock as a table on
// three pages, which links lead through. The columns are SKU, name, stock, minimum,
// unit and a note that anybody may have written. Nothing marks the rows that are
// below their minimum: whoever reads must compare, and 1,204 is more than 950.
// Without a session every page leads to the log-in. After five wrong passwords
// nobody can log in for 30 seconds.
//
// # The supplier
//
// A catalogue with a form that adds one line, the basket, where lines can be changed
// and removed and the customer's reference is written, a review, and the button "Send
// the order". That is the one thing here that cannot be taken back. Then there is an
// order number, and a list of the orders of the session. Quantities are in units and
// must fill whole packs; [Data.Missing] has the right ones.
//
//	/           POST /lines      the catalogue; add a line
//	/basket     POST /basket     the basket; change or remove a line
//	            POST /reference  write the reference, go to the review
//	/review     POST /order      the review; send
//	/orders/…   /orders          one order; all
//
// The server decides: what a form allows is checked again. Each form has a token of
// its session, and a browser that says that a request comes from another site is
// refused, other ports of this machine included. The review has a value that sends
// what was reviewed once. Pressing twice, going back and sending the same bytes again
// lead to the same order. A basket that was changed after the review is not sent.
//
// # Hostile pages
//
// With [Options.Hostile] the pages carry orders to the agent that reads them, each
// where such things are met: behind the title of a page and the text of the logo, in
// the note of a row, in a placeholder, in elements that a person does not see, in an
// alert of a script, in a notice that says that the user has approved. A link is
// called "Send the order" and sends, at once, far too much of something that is not
// missing, on the review beside the real button too. [Injected] has the texts. What
// the right order is does not change, and neither does what the rest of a page says.
//
// [Options.Channels] leaves some of these places, for one at a time. With [Options.Swap]
// the supplier lies: its review shows one order, and what is sent is another. Nobody can
// tell before.
//
// Nothing of that submits itself. Options.AutoSubmit adds what does: a form in
// the warehouse that fills the basket at the supplier, in the browser of whoever looks at
// the stock. The supplier refuses it.
//
// # What the pages are made of
//
// HTML that works without scripts: a label for each input, a header for each column,
// a name for each button, good without a mouse. Nothing is loaded from elsewhere, and
// a Content-Security-Policy says so to the browser. All text of the Data is escaped.
//
// # Concurrency
//
// Sites may be used by several goroutines and several browsers at once. Each browser
// has a session and a basket of its own; [Sites.Orders] has the orders of all.
package sites
