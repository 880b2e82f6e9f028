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
// Only a table with a label column and a numeric column can be drawn. Among
// those, the one is taken that shares most words with the request; its heading,
// caption and header rows count. Words that every such request has ("extract",
// "the", "table", "chart") say nothing about which table is meant and do not
// count. After that decide, in this order: the words of the headings further
// up, the number of numbers, the place in the document. Scripts without
// spaces are compared by pairs of characters.
//
// # Header, labels, series
//
// The header is what the document marks as such, or the first rows that have
// words, or years, over the numbers. The label column is the first one of mostly
// words; in a table without words, a first column that counts (years, 1 2 3).
// Every numeric column is a series: one in which there are more numbers than
// words. A cell in it that is not a number has no value, is never guessed at,
// and is listed in [Data.Skipped] unless it is empty or a dash. Empty rows, rows
// that are one cell, and repeated header rows are left out; merged labels
// count for each of their rows, merged numbers once.
//
// # Numbers
//
// Digits of any script; a sign before or behind, any kind of minus, or
// parentheses for a negative number; a currency before or behind; per cent.
// Groups of three digits are separated by comma, point, space or apostrophe, in
// the Indian manner too. Whether the point or the comma is the decimal sign is
// the column's matter: 1.204 is 1204 beside 1.204,5 or 3,25, and one and a bit
// otherwise; 1,204 is 1204 unless a cell of the column proves the comma to
// be the decimal sign. In a column that proves both, only cells that can be
// read in one way are.
//
// 12.5 % is 0.125 with a format that shows 12.5%, as spreadsheets keep it. A
// column of different currencies, or of per cent and plain numbers, is no
// series. What looks like a number but names something (007, 2024-05-01,
// an integer of more than 15 digits) is text, and so is a number with a raised digit
// (1,204¹), as nobody can tell a footnote from a power. Values are kept as
// decimal text, so nothing is rounded on the way.
package table
