// Package office is a desktop without a display: Word shows a document, Excel
// can be launched for a workbook. It stands where a driver of a real desktop
// would, and does what its tools are told; it decides nothing.
//
//	d := office.New(office.Document{Name: "report.docx", Open: open})
//	defer d.Close()
//	host, err := hostagent.New(hostagent.Config{
//		Desktop: d,
//		Apps:    []hostagent.Program{office.Excel("sales.xlsx")},
//		…
//	})
//
// # The screen
//
// A [Desktop] itself lists, selects and launches windows. Narrowed to a window,
// which agents of applications do, it has the tools of that application and no
// others. Windows are numbered in the order in which they came up.
//
// # Word
//
// list_headings, list_paragraphs and list_tables describe the document page by
// page, each short enough for a prompt to show it whole; list_tables says of
// each table where it stands, what its columns are called, and how much in it can be
// drawn. read_table returns one table as it stands, extract_table the labels and
// numbers in it, as a spreadsheet takes them, and what of them a chart is to show. The document is read when a tool
// needs it for the first time, so a broken one is a failure that an agent sees.
//
// # Excel
//
// write_rows and write_cell fill cells, format_columns says how numbers look and makes the first row bold,
// add_bar_chart draws a range of cells, save_workbook writes the file whose name
// the program was launched with, show_workbook looks. Each returns the [Workbook] as it is then.
// Nothing is written to disk before save_workbook, and without overwrite a file
// that exists is kept.
//
// # Another process
//
// A desktop from [New] is gone with its process. One from [Keep] writes down what is
// done on it, and stands in the next process as it stood in this one.
//
// # Concurrency
//
// A Desktop may be used by several goroutines at once.
package office
