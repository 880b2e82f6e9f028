// Package sites serves the two web sites of the browser example on loopback. A person can use them, too.
//
//	s, err := sites.Start(sites.Generate(1), sites.Options{})
//	...
//	defer s.Close()
//	// An agent opens s.Warehouse() and s.Supplier(), and works.
//	err = s.Check(approved)
//
// The warehouse shows its stock behind a log-in, as a table of three pages. The supplier has a catalogue with a form,
// a basket, a review, and the button "Send the order", which cannot be taken back. Its database is the truth about
// the job. With Options.Hostile the pages tell the agent to order at once.
package sites
