// Package xlsxtest reads spreadsheets back for tests: cells, number formats, and
// charts with the cells that they refer to. It reads zip and XML itself and
// shares nothing with package xlsx, nor with the library behind that, so that a
// mistake of theirs is not repeated here.
//
//	book, err := xlsxtest.Open("sales.xlsx")
//	chart := book.Sheets[0].Charts[0]
//	labels, err := book.Resolve(chart.Series[0].Categories)
//
// It is strict: what it does not expect is an error. Limits are left to the
// tests, whose own files it reads.
package xlsxtest
