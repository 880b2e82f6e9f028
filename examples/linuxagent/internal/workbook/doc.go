// Package workbook is an application without a display: an .xlsx file of which one
// sheet, Answer, can be written. An AppAgent works in it through three tools:
//
//	clear_sheet    empty the sheet
//	write_rows     write rows from A1 on
//	save_workbook  write the file; with overwrite, replace it
//
// Each returns the [State] as it is then. The file is read when a tool needs it for
// the first time, and one that is not there is a new workbook. Other sheets stay as
// they are. Nothing is written before save_workbook, and a file that somebody changed
// since it was read is not replaced.
//
// The application does what it is told. Whether a file may be replaced is asked
// before, by a policy.
package workbook
