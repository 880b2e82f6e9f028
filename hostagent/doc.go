/*
Package hostagent has the HostAgent: it takes a user's request, splits it into
sub-tasks, gives each to the agent of one application, and answers the user.

	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk}})
	…
	session, err := round.NewSession(host, nil)
	…
	res, err := session.Run(ctx, "extract the sales table from the Word document and create a bar chart in Excel")

# States

	status    what happens                                    goes on to
	CONTINUE  one step: the four phases                       CONTINUE, ASSIGN, FINISH, PENDING, CONFIRM, by the model;
	                                                          CONFIRM also where the policy asks, ERROR after a fault
	ASSIGN    hands a sub-task to an application's agent      the start of that agent
	PENDING   asks the user                                   CONTINUE; FAIL where nobody answers
	CONFIRM   asks the user to approve one exact command      CONTINUE; FAIL after a no, and where nobody answers
	FINISH    the request is done                             ends
	FAIL      the request cannot be done                      ends; FINISH when the session is closed
	ERROR     something broke                                 ends; FINISH when the session is closed

[States] is that table. A model may not write FAIL: it gives up through PENDING or
CONFIRM, so that the user is heard first. Without a User, New lets the model write
FAIL, and the prompt offers neither PENDING nor CONFIRM. New does this only where
Config.States is nil: it takes a table of yours as it is.

	cfg.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})

# A step

DATA_COLLECTION takes a screenshot of the desktop (unless Config.NoImages) and
lists the windows. Without a screenshot it goes on and says so in the prompt;
without a list of windows it cannot, which is an error. The prompt lists the windows,
each with an id. Behind them it lists those of Config.Apps that do not run, where the
desktop can launch programs.

LLM_INTERACTION asks the model. Its reply is a decision (below). The host refuses one
that it cannot use, and asks again with the reason, Config.MaxReasks times.

ACTION_EXECUTION executes the tool call and the shell command of the decision
(Function with Args, Bash), each when the policy allows it. For an ASSIGN it then
brings the application up: it selects the window, or launches the program and
waits for its window, Config.LaunchTimeout long. When one of these fails, the host
tells the model, and ignores an ASSIGN or FINISH in the same reply.

MEMORY_UPDATE remembers the decision and what became of each action, also when
an earlier phase broke, and writes host_last_step on the blackboard.

# Decisions

ASSIGN needs the sub-task in CurrentSubTask and the application in ControlLabel, by
its id in the section windows, or in ControlText, by a title or program that only
one entry has. Function select_application_window (or select_application) with id
or name says the same. The host refuses an ASSIGN without a sub-task, without an
application, with one that was not listed, or that contradicts itself, and touches no
application before that.

The host reads other spellings where they have one meaning: Arguments or Parameters
for Args, ToolName or FunctionName for Function, and one Action that has the call, its
ControlLabel and the Status. It refuses an Action that contradicts the fields beside it,
and more than one. The step lists each such reading as a repair.

Outside of ASSIGN select_application_window brings a window to the front.
close_application closes one. Both take the id that was listed. For
launch_application the name of one of Config.Apps is enough.

All fields but Status may be left out:

	{"Observation": "what the desktop shows", "Thought": "why the next step is the right one",
	 "CurrentSubTask": "write the letter", "Message": "hints", "ControlLabel": "0", "ControlText": "Word",
	 "Plan": ["what is left to do"], "Status": "ASSIGN", "Comment": "a word for the user",
	 "Questions": ["what to ask"], "Bash": "ls", "Function": "close_application", "Args": {"id": "1"},
	 "Result": {}}

Result, or else Comment, of the decision that writes FINISH is the answer. Args and
Result may have {"$ref": "subtask_result_1.data"} anywhere, which is replaced by what
the blackboard has there.

# Plans

Plan is what is left to do. The model may write it in two ways:

	["draw the chart", "mail it"]

	[{"id": "extract", "task": "extract the table", "application": "word"},
	 {"id": "chart", "task": "draw the chart", "application": "excel", "depends_on": ["extract"]}]

Texts are shown back in the next prompt and bind nobody. A decision without a Plan
ends them.

Objects are a graph. As long as it has items, finished ones included, it binds the host.
ASSIGN must name one of the items in CurrentSubTask, by its id or by its task, and the item
must be ready: all items that it depends on have finished. The host hands over the item's
task. If the item names an application (by program, title or root/process), the model must
choose that one. The host refuses FINISH while an item is open, in the old plan or in the
reply's new one: so a reply cannot drop an item and write FINISH at once. When a reply breaks
one of these rules, the host refuses it and says which ids are ready. It also refuses an id
that is missing, used twice or unknown, a cycle, texts among objects, and more than
100 items or texts. FAIL, PENDING and CONFIRM do not wait for the plan.

The graph stays until the model writes another Plan, which replaces all unfinished items;
an empty list drops them. The model drops an item by a Plan without it, in a reply before the
one with FINISH. The blackboard keeps the item as dropped, so that a reader of the result sees what was planned and not done. If chart depends on extract and extract failed,
chart waits until the model writes a Plan that has extract again, or a chart without it. If the
host did an item with a tool of its own, the model leaves it out of the next Plan. The host
assigns items one after another.

The blackboard has the plan under the name "plan": each item with its status (planned, assigned,
finished, failed or dropped) and the sub-task that it was last assigned as. The prompt
has it without dropped items, and cuts long texts. DependsOn of an item's sub-task lists the
sub-tasks that it builds on; the context of current_subtask names the item and their results.

# Delegation

ASSIGN finds the agent of the application, or has Config.NewApp make it. The default
is an AppAgent; package appagent says what its model writes. If host and AppAgents share
one model, they ask it in turn. ASSIGN opens the sub-task on the blackboard, writes
current_subtask and task_progress there, and gives the task to the agent. When that agent
ends, control returns to the host, in CONTINUE. The host closes the sub-task with its
status, result and reason, deletes current_subtask, and shows the sub-task in the next
prompt.

The host keeps each agent under root/process of its window. So a document keeps its
agent, with all that it remembers, even if the title changes; another document of the same
program gets another agent. A slash in root or process is written %2F, a percent sign %25,
so that no two applications share an agent.

After a failed sub-task the host plans again, Config.MaxReplans times in a row. The next
failure leads to ERROR.

Config.NewApp gets an appagent.Config with the window and all that the host shares. It may
return any fsm.Worker, which can also implement

	fsm.DataProvider               its result is JSON; otherwise Answer, as a string
	WindowSetter                   the host tells it that the window's id or title changed
	fsm.Closer                     the host tells it that the session is over
	fsm.Saver                      the host saves what it knows

In Begin, Task.From is a fsm.Requester and a blackboard.SubtaskLister: it returns the user's
request, and the sub-tasks that were done for it before. The agent's table needs no edge to
the host.

# Policy

[DefaultPolicy] is what a nil Config.Policy means, for the host and its
applications: destructive tools, shell commands, launching a program that is not
listed and screenshots written to a file need a person's approval; everything else
is allowed. A tool is destructive there by its annotation alone: a send_mail without a
DestructiveHint runs unasked, unless Config.Policy is policies.AskDestructive, which
reads names. A policy of your own is a func:

	Policy: func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.ToolName == "pay_bill" {
			return policies.Verdict{Action: policies.Confirm, Reason: "it moves money"}
		}
		return hostagent.DefaultPolicy(apps)(ctx, tool, cmd)
	}

A person approves one command on one window, before the act. The next CONTINUE executes
exactly that, once, and then asks the model, which writes a FINISH or ASSIGN of the same reply
again. The window is the one that the command names, else the focused one: if the focus moves
first, the host does not execute the command, and tells the model. An approval of a
shell command names no window. A launch or a selection that was approved is not repeated when
the model then assigns that application.

# People

PENDING asks the Questions, at most 20 of at most 4 KiB, one after another, each for Config.AskTimeout (a user who
suspends is asked all of them); the next prompts have the answers. Without questions it waits for an event, which
the Comment names. CONFIRM without a command asks whether to go on. Both lead to FAIL when there is no User, no
answer comes in time, or the User returns an error, and CONFIRM also after a no. A User may suspend the run; when
it goes on, the host asks the same question again with the same id.

# The prompt

The system message is Config.Prompt, a template. The user's message has the
screenshot and these sections. All but tools and previous_subtasks are left out where
there is nothing to say:

  - request: a string
  - windows: a list of {id, title, root, process, running}; id is what
    ControlLabel refers to, not the desktop's id of the window
  - not_observed: a list of strings: what could not be seen or used, and why
  - tools: a list of desktop.Tool
  - previous_subtasks: a list of blackboard.Subtask, the last 50 of this round that ended;
    empty before the first
  - plan: a list of strings, or of plan.Shown: {id, task, application, depends_on,
    status, subtask, ready, blocked_by}
  - history: a list of acting.Memo
  - answers: a list of {id, question, answer}
  - blackboard: an object, see blackboard.Board.Render
  - last_error: a string
  - allowed_statuses: a list of strings, those that can work now: without a person
    to ask no PENDING and no CONFIRM, where the model may write FAIL; no CONTINUE
    without tools

Everything that comes from a window, a document, a tool or the model itself is a
value in a section: fenced JSON, which cannot end its fence. When the host refuses a
reply, it adds a message with the sections refused_reply, last_error and allowed_statuses.

history has the last Config.MaxMemory steps, with the head and a $ref of a result of more
than acting.MaxOutput bytes. The section blackboard has at most 4 KiB. A section with more
than some 32 KiB of JSON (windows and controls 128, tools and plan 256) is shortened, and
says so: long texts end in "… [cut: n bytes in all]", lists have an entry with left_out.
The request is never shortened. Docs and Examples of a [Program] go into the prompt of its
AppAgent.

# Rounds and sessions

[Agent.Begin] takes a request, and forgets the answer, sub-tasks, plan and chosen
application of the one before. The blackboard, the memory and the agents of
applications stay until [Agent.Close]. Close leaves applications running, unless
Config.CloseApps tells it to close those that the host launched.

[Agent.Save] returns all that the host and the agents of its applications know.
[Agent.Load] gives it to a host that was made with the same kind of Config, which makes
the agents again when it needs them; [Agent.Worker] returns one by its name. The
blackboard is saved separately.

# Concurrency

One goroutine at a time uses a host and the agents that it made. Hosts share their table,
which needs no lock.
*/
package hostagent
