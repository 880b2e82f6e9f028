// Package xlsx makes spreadsheets: cells, a native bar chart that refers to
// them, a file that is either whole or not there. It is what stands behind the
// headless applications of the examples, which do what their tools are told; it
// decides nothing.
//
//	b := xlsx.New("Sales")
//	defer b.Close()
//	_ = b.SetRow(1, []any{"Region", "2024"})
//	_ = b.SetRow(2, []any{"North", 1204.5})
//	_ = b.BarChart(xlsx.Chart{Title: "Sales", Categories: "A2:A2", Series: []xlsx.Series{{Name: "B1", Values: "B2:B2"}}})
//	err := b.Save(ctx, "sales.xlsx", false)
//
// [Open] reads a file instead, to change one of its sheets.
//
// # Cells
//
// A string is always text, whatever it starts with: "=1+1" is four signs, not a
// formula. Numbers are JSON numbers or Go's own; nil empties a cell. What a
// spreadsheet could not keep as it is (a text of more than 32,767 characters,
// an integer of more than 15 digits, NaN) is refused, not cut.
//
// # The chart
//
// A [Chart] names ranges of cells, so that it changes with them. Ranges that do
// not fit each other, or values without a single number, are refused: such a
// chart would be empty, and nobody would be told. Its texts are dark, its axis has the
// number format of the cells, and a sheet that has one prints as wide as the paper.
//
// # Saving
//
// [Book.Save] writes under a temporary name in the folder of the target and
// renames. Without leave to overwrite, a file that appears meanwhile is kept.
//
// # Errors and concurrency
//
// Errors are [*Error] over a sentinel of this package or over what the file
// system said. A [Book] may be used by several goroutines at once.
package xlsx
