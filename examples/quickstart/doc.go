// Quickstart extracts a table from a Word document and draws a bar chart of it
// in Excel, without a display, a network or a model service.
//
//	go run ./quickstart -in report.docx -out sales.xlsx -request "a bar chart of the sales"
//
// What runs is what runs with real applications and a language model: a
// HostAgent that splits the request, an AppAgent for each application, a Round
// that drives them, and a Policy that wants a person's word before a file is
// replaced. Only three parts are made for this program, and they are the ones that
// an embedder replaces:
//
//   - examples/internal/office is the Desktop: Word over any .docx, Excel over .xlsx.
//   - examples/internal/rules is the Model: it decides by rules, from its prompt alone.
//   - [terminal] is the User: it asks where there is somebody to answer.
//
// Each position is printed as it is taken, then the answer. What cannot be done
// ends in FAIL with the reason, and no file is written. So does a request that names a
// table or a column that is not there, not clear or not numeric: it is never another one.
// The same holds for numbers that a person might read otherwise; see examples/internal/docx
// and examples/internal/table.
//
// # Flags
//
//	-in FILE.docx      the document; a sample, if it is left out
//	-out FILE.xlsx     the workbook; chart.xlsx, if it is left out
//	-request TEXT      what to do
//	-jsonl FILE        record each step and the end as a line of JSON
//	-confirm ask|yes|no
//	                   whether an existing FILE.xlsx may be replaced; ask is the
//	                   default, and where there is no terminal it means no
//
// The status is 0 after FINISH, 1 after anything else and 2 for wrong flags.
package main
