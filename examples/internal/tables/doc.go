// Package tables finds the table that a request is about and reads its numbers. A program reads the tables of its
// documents into a list of [Source]. [Tools] makes the tools list_tables and extract_table of them, and [Rule] plays
// the model that uses these tools.
//
// A number is read as a person reads it, or its column is refused with a reason. If 1.200 may be 1200 or 1.2, the
// other numbers of the column decide, then those of the document, then its language. A cell such as "1.5 kg", "1204¹"
// or "~5" is no number. 12.5 % is the number 0.125.
package tables
