// Package rules plays the model of the example without one: [Model] reads the
// sections of its prompt, as a language model would, and replies with the decision of
// whoever asks: the host, the agent in the terminal or the one in the workbook.
//
// It keeps nothing between two calls, opens no file and runs nothing. All that it
// knows of the files is what command lines printed. It knows one job: which of the
// CSV files in a folder has the highest total of a column, and that into a workbook.
//
//	host      a plan of two parts, the second depends on the first; the answer
//	terminal  list the files; read their headers; which have quotes; total the column
//	          of those without, and of those with; the highest
//	workbook  clear_sheet and write_rows, by reference; save_workbook
//
// # The terminal's script
//
// Command lines are a script that begins anew at every call: what the history says
// was run already gives its output, the first line that was not run is the reply. So
// there is no state but the history.
//
// # Names and contents of files
//
// Both may be hostile. A name goes into a command line between single quotes, behind
// ./, so that it is neither a flag nor read by the shell. What a file holds goes into
// no command line at all; in particular not into the arithmetic of the shell, which
// runs commands that it finds in a subscript. It reaches the model as a number, which
// is parsed, or as a header, which is compared.
package rules
