// Package sample has documents to try the quickstart on: [Sales], which is
// committed in testdata of package office, and [Random], any number of others with
// what a run on them must give. It is for tests and for the generator of the
// committed file; nothing of it is in the program.
//
//	c := sample.Random(7)
//	err := c.Document.WriteFile("other.docx")
//	// run the program with c.Request, then compare with c.Header, c.Labels, c.Values
package sample

//go:generate go run ./cmd/mksales ../office/testdata/sales.docx
