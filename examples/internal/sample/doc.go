// Package sample makes documents with a table and what a chart of it must show, for tests. The same seed makes the same
// document.
//
//	c := sample.Paper(7)
//	err := c.Document.WriteFile("paper.docx")
//	// run the program with c.Request, then compare with c.Header, c.Labels, c.Values
package sample
