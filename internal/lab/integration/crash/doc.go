/*
Command crash kills processes that drive runs, and checks that nothing is lost or done twice. make crash runs it.

	crash -seed 7 -store files -v
	crash -seed 7 -store sqlite -runs 200

# Processes

This process is the model and the desktop of all runs. Drivers are this program again: each has the service of package
runs drive runs, and talks to the model and the desktop over HTTP. Drivers are killed with SIGKILL. They end with this
process: their standard input is a pipe, which closes.

The model decides by what it is shown. Told that an act may or may not have happened, it looks at the window and goes on
from there. The desktop executes one command of a run at a time, to its end, even if the driver dies meanwhile. It drops
a command that it has not begun when the connection ends.

# Stages

With files, at each record of an undisturbed run: a driver kills itself before the Append of the record, and in another
run after it. A second driver goes on.

With files, SQLite and PostgreSQL: two drivers drive -runs runs, eight at a time. -kills times one of them is killed from
outside at a random moment, and as often one stands still (SIGSTOP, SIGCONT) for up to 3 seconds, or 7 with PostgreSQL,
which takes its runs from it. PostgreSQL itself is killed once. Two people answer each question at once, and exactly one
of them counts. -engine names an engine that schedules the runs in place of package runs.

# Runs

	host       a HostAgent and two AppAgents with screenshots, at least 30 steps and 23 acts: questions, an approval,
	           several acts by one decision, a sub-task that fails and is planned again
	crew       three model calls at once; another agent fills the table in a round with a journal of its own
	teller     plain Go: effects, and a wait for a time
	late       the same, and waits for an answer that does not come before its deadline
	cancelled  the same, and is cancelled at some moment

# Checks

  - outcome, answer, sub-tasks and desktop are those of an undisturbed run
  - no act was executed twice, none is missing, and each that began has ended
  - each kill cost at most one model call, three of a crew
  - each question has one answer in the journal: the one that counted
  - no act came from a driver that had lost its run, unless it stood still

The first run that differs ends the program with status 1. The error names the seed, the run, where it was killed and
what differs. A table counts where the kills fell: in the journal and in what the desktop did.

-seed repeats the plan of the strikes, but not the moments, which depend on the system.
*/
package main
