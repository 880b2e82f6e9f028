// Package docx reads the tables of a Word document as a reader of the printed page sees them: tracked insertions
// count; deletions, hidden text and text that is struck through do not. A raised digit stays one (1,204¹).
//
// An element that it does not know becomes [tables.Unknown] in the text, with the reason, so that no number is read
// wrongly. Tables inside of tables, headers, footers, notes and text boxes are not read.
package docx
