// Package job takes a table from a document to a chart in a spreadsheet, with Writer and Calc of a real LibreOffice: a
// screen, the agents and their policy, the files, and the proof that the spreadsheet has what the document has.
//
//	report, err := job.Run(ctx, job.Config{In: "report.docx", Out: "sales.xlsx", Request: "draw a bar chart of the sales table"})
//
// # Files
//
// The document is copied into the folder of the run, and LibreOffice sees nothing else of yours. The spreadsheet is
// saved there, read back, and moved to Out when the run ends in FINISH. If it cannot be moved, the run is a FAIL that says
// where the spreadsheet is. One that exists at Out is copied first, so that
// Calc asks whether it is to be replaced: a person says so, or the run ends in FAIL and Out stays as it is.
//
// # What is proved
//
// Before a FINISH counts, the file is read: each cell must be what Writer's table has in its place, and it must have one
// chart, of bars, that shows the right cells. A .docx is read, too, by another reader than Writer: it must have that table. If
// not, the agents are told what is wrong, and go on.
//
// # Windows
//
// Agents see no window that was open before the run, and read tables only in a window with the name of the document.
package job
