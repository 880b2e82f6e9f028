// Package rules plays the model of the quickstart without one: [Model] reads the
// sections of its prompt, as a language model would, and replies with the
// decision of whoever asks, the host, the agent in Word or the agent in Excel.
//
// It keeps nothing between two calls and sees nothing but the prompt. A result
// that is too long for a prompt it knows by its head and its $ref, and hands on
// as that. So each function here is a short list of "if this is what was done so
// far, then this is next":
//
//	host    the table from Word, then the chart in Excel, then the answer
//	Word    list_tables page by page, choose, extract_table, hand it on
//	Excel   write_rows and format_columns, add_bar_chart, save_workbook
//
// Told that an action may or may not have happened, it looks and goes on from what
// it sees: the host at the windows, the agent in Excel by show_workbook.
//
// It knows one job: a bar chart in Excel of a table in Word. Which table, the
// rules of package table say; a request for anything else, a tool that fails, or a
// sub-task that failed is FAIL with the reason. For that the host's table needs
// the edge CONTINUE to FAIL, ByModel, which is not there by default.
package rules
