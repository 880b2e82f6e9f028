// Package table finds the table that a request is about and understands its
// numbers. It is the part of the quickstart's rule-based model that looks at
// what the Word application returned; it reads no files and writes none.
//
//	var tables []table.Source // as the JSON of the Word application has them
//	data, err := table.Find("extract the sales table", tables)
//	grid := data.Grid()       // header and rows, as a spreadsheet takes them
//
// # Which table
//
// The one that the request names, or none. In "extract the sales table from the
// document" only "sales" says which table is meant; the other words are those of the
// job. Each word that is not must be found in the table's caption, or else its
// heading, in its header, or in the headings further up; those next to the word
// table, in its caption or heading. A table that has most of the words is another one.
// Of several that have all, a table comes first that is called exactly so, then one
// whose title has all of the words or is one of them, then the others. Two that come
// first are no answer, and neither is one that cannot be drawn: the error says so,
// and which tables there are. "Table 3" is the one with that number in its caption.
// A request that names no table means the only one that can be drawn. The line above
// a table is its title if captions and headings name none.
//
// Scripts without spaces are compared by pairs of characters.
//
// # Which columns
//
// "Q2 revenue" is the columns that have both words. Of a request that names no column
// all are drawn that are of one unit, the one that most of them have, because a chart
// has one axis; a column of totals is not. Columns that are named and of different
// units, or without numbers, are an error. Rows of totals come last and are not drawn;
// [Data.Totals] counts them.
//
// # Header, labels, series
//
// The header is what the document marks as such, or the first rows that have
// words, or years, over the numbers. The label column is the first one of mostly
// words; where there are none, or only words such as 1.5 kg, a first column that counts
// (years, 1 2 3).
// Every numeric column is a series: one in which there are more numbers than
// words. A cell in it that is not a number has no value, is never guessed at,
// and is listed in [Data.Skipped] unless it is empty or a dash. If it looks like a
// number, or is one of [Source.Unclear], the column is not drawn, and a request that
// names no columns is refused. Empty rows, rows
// that are one cell, and repeated header rows are left out; merged labels
// count for each of their rows, merged numbers once.
//
// # Numbers
//
// Digits of any script; a sign before or behind, any kind of minus, or
// parentheses for a negative number; a currency before or behind; per cent.
// Groups of three digits are separated by comma, point, space or apostrophe, in
// the Indian manner too. Whether the point or the comma is the decimal sign is
// the column's matter: 1.204 is 1204 beside 1.204,5 or 3,25. If no cell of the
// column proves it, the document does ([Prove]), or its language groups digits
// with that sign. Otherwise the column is not drawn, because 1.204 may be a
// thousand times as much. Neither is a column that proves both.
//
// 12.5 % is 0.125 with a format that shows 12.5%, as spreadsheets keep it. A
// column of different currencies, or of per cent and plain numbers, is no
// series. What looks like a number but names something (007, 2024-05-01,
// an integer of more than 15 digits) is text, and so is a number with a raised digit
// (1,204¹), as nobody can tell a footnote from a power. 1.5 kg, 1.2 M and ~5 are not
// read either, as M may be a million or meters; what is left out because of it is
// named. Values are kept as
// decimal text, so nothing is rounded on the way.
package table
