// Package docx reads Word documents: headings, paragraphs and tables, in
// reading order. It is what stands behind the headless Word application of the
// quickstart; it knows nothing of agents, models or what the text means.
//
//	doc, err := docx.Open(ctx, "report.docx", nil)
//	for _, t := range doc.Tables {
//		fmt.Println(t.Heading, t.Caption, len(t.Rows))
//	}
//
// # What is read
//
// The main text of any .docx, .docm or .dotx, transitional or strict, in UTF-8
// or UTF-16. Text is what a reader of the printed page would see: insertions
// that are still tracked count; deletions, hidden text and text that is struck
// through do not, and neither do rows that are deleted or hidden. A
// field is its last result; a ruby annotation is its base text. A tab is "\t", a
// break is "\n". A superscript or subscript digit stays one (1,204¹), because a
// footnote mark must not turn 1,204 into 12,041. Headers, footers, footnotes
// and comments are not read.
//
// An element that shows something and is not known, such as ink or a sign of
// Wingdings, is U+FFFD in the text. [Table.Unclear] lists the cells that have
// one, are deleted, or have a picture beside a number, with the reason. Colours
// are not looked at.
//
// # Headings
//
// A paragraph is a heading when it, its style, or a style that its style is
// based on has an outline level or one of Word's own names ("heading 2"), which
// are the same in every language; ids of styles are not. The document's title
// is a heading of level 0.
//
// # Tables
//
// [Table.Rows] is a rectangle of texts. A cell that spans several columns or
// rows has its text at its upper left place, the other places are empty and
// [Table.Merges] tells them from cells that are really empty. A table inside a
// cell is a table of its own, after the one around it, with [Table.Parent] set.
//
// # JSON
//
// All types have a stable JSON form, because the Word application returns them
// as results of its tools. Tables are numbered from 1.
//
// # Limits and errors
//
// Files come from anywhere. What is unpacked, the number of cells, paragraphs
// and columns, and the depth of the XML are bounded; see [Options]. Every error
// is an [*Error] over one of the sentinels of this package or over what the
// file system said. A [Document] is not changed after it was read and may be
// shared between goroutines.
package docx
