// Package docxtest writes Word documents for tests and for the sample of the
// quickstart. It shares no code with package docx, which reads them.
//
//	d := docxtest.New()
//	d.Heading(1, "Sales")
//	d.Caption("Table", "Sales by region")
//	d.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts(
//		[]string{"Region", "2024"},
//		[]string{"North", "1,204.5"},
//	)})
//	err := d.WriteFile("sales.docx")
//
// What is written is what Word itself writes, in small: content types,
// relationships, styles, the document. The same calls give the same bytes.
// [Zip] makes archives of any parts, also of wrong ones.
package docxtest
