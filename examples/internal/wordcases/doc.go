// Package wordcases has Word documents whose text is not what their characters say: with tracked changes,
// raised digits, hidden rows, symbols, and numbers of several countries. The file cases.txt has each of them
// as fragments of WordprocessingML, with the sheet that a chart of it needs, written by hand.
//
//	for _, c := range wordcases.All() {
//		os.WriteFile("in.docx", c.Docx(), 0o600)
//		// … run a program on it with c.Request …
//		err := c.Check(xlsx)
//	}
//
// A program may refuse a document and say why. It must not draw another number. The package shares no code
// with package docx.
package wordcases
