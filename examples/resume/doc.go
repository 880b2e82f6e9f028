// Resume is the quickstart as a run that survives its processes: killed, resumed, and
// with approvals that are given from another process. Everything is in a folder of
// journals; no process knows of another.
//
//	go run ./resume           a demonstration: real processes, one of them killed
//
//	resume run                begin a run, or go on with it until it ends or is suspended
//	resume list               all runs, and what they wait for, with ids
//	resume answer RUN ID yes|no|TEXT
//	resume show RUN           the records of its journal
//	resume replay RUN         do it once more with what was recorded, and compare
//	resume fork RUN AS ID yes|no|TEXT
//	                          begin another run, with another answer in it
//
// All have the flag -journals FOLDER. Those of run are
//
//	-run ID         which run; chart, if it is left out
//	-in FILE.docx   the document; a sample, if it is left out
//	-out FILE.xlsx  the workbook; chart.xlsx, if it is left out
//	-request TEXT   what to do
//	-hold TOOL      stand still when the desktop has executed TOOL, to be killed there
//
// A run that goes on needs no more than its ID. The status is 0 after FINISH, 3 when somebody
// has to answer, 1 after anything else and 2 for a wrong call.
//
// # What outlives a process
//
// The journal, and beside it a folder, FILE.world, with what is no affair of a journal:
//
//   - job.json: which document and which workbook, so that the agents can be made again.
//   - desktop.jsonl: the desktop. Real applications stay open when an agent dies. These are a
//     part of the process, so what was done on them is a line there, and the next
//     process does it again. See package office, Keep. It is safe against a kill, and for
//     one process at a time.
//   - model.jsonl: a line for each question to the model, written by the model: the bill.
//
// The last two are witnesses: they do not come from the journal, and say that nothing in it
// was done or asked for twice.
package main
