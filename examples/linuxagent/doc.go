// Linuxagent answers "which of these CSV files has the highest total; put the answer
// into the workbook", on real files: with command lines in the shell of this machine,
// and in a real .xlsx file.
//
//	go run ./linuxagent -dir reports -column amount -workbook out/answer.xlsx
//
// A HostAgent makes a plan of two parts and gives the first to a LinuxAgent, a kind
// of agent that the library does not know, and the second, which depends on it, to an
// AppAgent. What the LinuxAgent found travels as a reference, {"$ref":
// "subtask_result_1.data.rows"}.
//
// # What to copy
//
//   - Package linux, the kind: a struct, a table, a decision, one step. It imports
//     nothing of this example.
//   - Package terminal, the shell as a desktop.Desktop: fixed folder, small
//     environment, process groups that are killed as a whole, output that is cut with
//     a note. It imports nothing of this example either.
//   - policy.go, the list of what may run without being asked.
//   - main.go, which puts them together.
//
// What is made for this program alone is internal/rules, the model that is none,
// internal/workbook, the application, and [person], who sits at the terminal.
//
// # What runs without being asked
//
// Commands that only read, with the arguments that policy.go lists, on files in the
// folder. Everything else is a question to a person: awk, which adds the column up,
// because an awk program can run others, and replacing a workbook that exists. The
// question shows the exact command line, and a yes is for that one.
//
// A command line is shown as it would be typed, not as JSON, behind a bar at the
// beginning of each line; behind a plus goes on what had no room. A character that
// is two columns wide counts as two. A character
// that a terminal would obey or not show stands as <U+001B>.
//
// # Flags
//
//	-dir FOLDER        the CSV files; those in testdata, if it is left out
//	-column NAME       the column to total, by its header; "": ask
//	-workbook FILE     the workbook; answer.xlsx, if it is left out
//	-jsonl FILE        record each step and the end as a line of JSON
//	-confirm ask|yes|no
//	                   what to answer; ask is the default, and where there is no
//	                   terminal it means no
//
// The status is 0 after FINISH, 1 after anything else and 2 for wrong flags. It needs
// bash 4 or later, since the policy judges lines as bash reads them, and the commands
// of POSIX.
package main
