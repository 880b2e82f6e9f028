/*
Command crash kills processes that work on a run, and checks that nothing is lost or done
twice. make crash runs it.

	crash -seed 7 -store files -kills 200
	crash -seed 7 -store sqlite -runs 200 -v

A run is a round of a HostAgent and two AppAgents, of at least 30 steps: rows are put into
a table, lines into a report, which a person must approve before it is published. On the
way the host asks a question whose answer comes when no process is there any more, and a
sub-task fails and is planned again. None of the 23 acts can be done twice without being seen.

# Processes

All of them are this program again. The model and the desktop serve all runs of a stage.
They outlive the kills and log each call as a line of JSON in a file of their own. A worker
holds the session and its journal, and is killed with SIGKILL, by itself or from outside;
then another worker goes on. They talk over HTTP on the loopback interface. All end with the
program that started them, however that ends: their standard input is a pipe, which closes.

The model decides by what it is shown alone. Told that an act may or may not have happened,
it looks at the window, as anybody should, and goes on from what is there.

The desktop executes one command at a time for each run, also to its end when the worker has
died meanwhile. What it had received and not begun by then it drops, as a connection's end
does. No journal can help against a desktop that executes a command later, behind the back of the
worker that looked in between.

# Stages

With files, first at record boundaries: for each Append of an undisturbed run the worker kills
itself before it, and in another run after it. Then at random moments: half of the kills come at
any moment of a run, the others so long after model or desktop logged something that they are
likely to fall into one window, most into those that are small. At least a tenth of -kills falls into
each one:

	before intent   the journal does not know yet which command comes next
	intent to act   it has the intent, and the desktop has not begun
	act to result   the desktop has begun, or is done; the journal has no result
	after result    the journal has the result, and nothing that was decided since

Where a kill fell is not taken from the aim. It is read from the end of the journal, and from
what the desktop logged of that command until the end of the run.

Then with files, SQLite and PostgreSQL two processes have the service of package runs drive -runs runs, eight at a
time. A third one answers all questions: two people at once for each, of whom exactly one counts. A fourth as often as
there are runs one of the two is killed, and started again; as often one stands still for up to 3 seconds (SIGSTOP,
SIGCONT), or 7 with PostgreSQL, which takes its runs from it. Meanwhile all runs can be read. Once PostgreSQL is killed
itself, and started again. The tables count the times that a run lost its process. With -engine something else than
package runs says when and where the runs are driven.

A run has one of five forms:

	host       that of above; it sees screenshots, and puts up to four rows into the table by one decision
	crew       asks the model for three things at once, and checks that each reply is the one to its request; has another
	           agent fill the table, in a round with a journal of its own
	teller     plain Go without a model: effects, and a wait for a time
	late       the same, which waits for an answer that does not come before its deadline
	cancelled  the same, which somebody cancels at some moment

# Checks

Of each run, from the logs and from what the last worker says:

  - outcome, answer, sub-tasks and the state of the desktop are those of an undisturbed run;
  - no act was executed twice, none is missing, and what began has ended;
  - the model was asked at most once more for each kill, by the crew three times;
  - an answer in the journal is the one that counted, and each question has one;
  - nothing came from a worker that had lost its run, but from one that stood still.

The first run that differs ends the program with status 1; the error names the seed, the run,
where it was killed and what differs. -seed repeats the plan: which run is aimed at what, after which
event and how long. The moments themselves are the system's.

The tests of this package are a short form of it. They also feed the checks with logs that are wrong,
and with a run whose store loses its intents.
*/
package main
