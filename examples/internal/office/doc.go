// Package office is a desktop without a display: Word shows a document, and Excel can be launched for a workbook. It
// takes the place of a driver of real applications. It does what its tools are told and decides nothing.
//
//	d := office.New(office.File("report.docx"))
//	defer d.Close()
//	host, err := hostagent.New(hostagent.Config{
//		Config: appagent.Config{Desktop: d, ...},
//		Apps:   []hostagent.Program{office.Excel("sales.xlsx")},
//	})
//
// A host sees the screen: it lists, selects and launches windows. An agent of an application has the tools of its window:
//
//	Word   list_tables, extract_table
//	Excel  write_rows, format_columns, add_bar_chart, save_workbook, show_workbook
//
// Nothing is written to disk before save_workbook, which replaces a file only with overwrite. A desktop of package kept
// outlives its process.
package office
