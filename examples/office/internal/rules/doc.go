// Package rules plays the model of the example without one: [Decide] reads the sections of a prompt, as a language
// model would, and replies with the decision of whoever asks, the host, the agent in Writer, the agent in Calc, or
// the agent of a window that asks something before a program comes up.
//
// It keeps nothing between two calls and sees nothing but the prompt. What to do next follows from what the window
// shows, so that a dialog that comes late, a program that was killed and a step that was interrupted need no rules of
// their own:
//
//	host    the table from Writer, then the chart in Calc; a part that failed again, in a program that is started again
//	Writer  list_tables, choose, extract_table, hand it on; a person says which where several fit
//	Calc    write_cells, Insert > Chart, Finish, File > Save As, the name, Save, the questions behind it
//
// Which table is meant, and how its numbers are written, the rules of package table say, as in the quickstart.
package rules
