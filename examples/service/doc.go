// Service is the quickstart as a service: any number of processes work on one store of runs. A run reads
// a Word document, draws a chart of a table into a workbook, and asks a person before it replaces a file.
//
//	go run .                       a demonstration: real processes, one of them killed
//
//	service work                   drives runs
//	service serve                  the HTTP API of package runshttp, on this machine alone
//	service answer RUN ID yes|no   answers a question, without either of them
//
// All have the flags
//
//	-dir FOLDER     has the documents and the workbooks; for files and sqlite also the store
//	-store KIND     files, sqlite or postgres
//	-dsn TEXT       which database of PostgreSQL
//	-engine KIND    dbos or temporal: what schedules the runs in place of the workers
//
// and serve has -address and, to drive runs too, -work. A run is started with
//
//	curl -H 'Content-Type: application/json' $URL/runs -d '{"request":
//	  "extract the sales table from the Word document and create a bar chart in Excel",
//	  "meta": {"in": "report.docx", "out": "sales.xlsx"}}'
//
// Its meta names two files in the folder. Without in, a sample is read. Any worker can make the agents from that.
//
// # The desktop
//
// Real applications stay open when an agent dies. These are a part of the process, so a file for each run has
// what was done on them, and the next process does it again: see package office, Keep. The
// demonstration counts in these files that nothing was done twice.
package main
