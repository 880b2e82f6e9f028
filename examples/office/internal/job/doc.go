// Package job takes a table from a document to a chart in a spreadsheet, with Writer and Calc of a real LibreOffice: a
// screen, the agents and their policy, the files, and the proof that the spreadsheet has what the document has.
//
// # Files
//
// LibreOffice sees copies in a folder of the run. The spreadsheet is saved there, read back, and moved to Out when the run
// ends in FINISH. If Out exists, Calc asks whether to replace the copy: a person says so, or the run ends in FAIL and Out
// stays as it is. It also stays if another program changed it meanwhile.
//
// # What is proved
//
// Before a FINISH counts, the saved file is read: each cell must be what Writer's table has in its place, and its one
// chart must be of bars, show the right cells and have the title of the table. If not, the agents are told what is wrong.
// A .docx is read by another reader, too: a table that Writer shows and that is not in the file cannot be extracted.
//
// # Windows
//
// Agents see no window that was open before the run, and read tables only in a window with the name of the document.
package job
