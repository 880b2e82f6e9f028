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
	CONTINUE  looks, asks the model, acts, remembers           CONTINUE, ASSIGN, FINISH, PENDING, CONFIRM, by the model;
	                                                          CONFIRM also if the policy wants approval, ERROR after a fault
	ASSIGN    hands a sub-task to an application's agent      the start of that agent
	PENDING   asks the user                                   CONTINUE; FAIL if nobody answers
	CONFIRM   asks the user to approve one exact command      CONTINUE; FAIL after a no, and if nobody answers
	FINISH    the request is done                             ends
	FAIL      the request cannot be done                      ends; FINISH when the session is closed
	ERROR     something broke                                 ends; FINISH when the session is closed

[States] is that table. With a User the model may not write FAIL: it gives up through PENDING or
CONFIRM, so that the user is heard first. Without a User the model may write FAIL, and the prompt
offers neither PENDING nor CONFIRM. That is so if Config.States is nil. New does not change a
table of your own, so add the edge yourself:

	cfg.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})

# A step

DATA_COLLECTION takes a screenshot of the desktop (unless Config.NoImages) and
lists the windows. Without a screenshot the step goes on, and the prompt says so. Without
a list of windows the step fails. The prompt lists the windows, each with an id. If the desktop can
launch programs, the Config.Apps that do not run follow in the list.

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

	{"Status": "ASSIGN", "CurrentSubTask": "write the letter", "ControlLabel": "0"}

ASSIGN needs a sub-task and an application. ControlLabel is an id of the section windows. Instead
of it the model may write ControlText with a title or program that only one entry has, or with a part
of a title ("Microsoft Word" for "Microsoft Word - Document1") that only one has, or call
select_application_window (or select_application) with id or name. The host checks an ASSIGN before it
touches an application. It refuses one if the sub-task or the application is missing, the application
was not listed, or two fields contradict each other.

The host reads other spellings that have one meaning: Arguments or Parameters
for Args, ToolName or FunctionName for Function, and a list of one Action with the call, its
ControlLabel and the Status. It refuses a list of several Actions, and an Action that contradicts the
fields beside it. Step.Repairs lists each spelling that it accepted.

In any other decision select_application_window brings a window to the front, and
close_application closes one. Both take the id that was listed. For
launch_application the name of one of Config.Apps is enough.

All fields but Status may be left out:

	{"Observation": "what the desktop shows", "Thought": "why the next step is the right one",
	 "CurrentSubTask": "write the letter", "Message": "hints", "Context": {"document_name": "report.docx"},
	 "ControlLabel": "0", "ControlText": "Word",
	 "Plan": ["what is left to do"], "Status": "ASSIGN", "Comment": "a word for the user",
	 "Questions": ["what to ask"], "Bash": "ls", "Function": "close_application", "Args": {"id": "1"},
	 "Result": {}, "Open": []}

The schema that a provider enforces has each field, Function and Args in a Call, and Context and Result
as texts with JSON in them (ADR 0041). With Config.ToolCalls a reply is calls of tools (ADR 0042).

The answer to the user is the Result of the reply with FINISH, or its Comment if it has no Result.
The host refuses a FINISH that leaves something open without a word: a sub-task that failed and was
not done again, a note of the plan, an act whose effect nobody saw. The model answers each in Open:

	{"Status": "FINISH", "Result": "the chart", "Open": ["subtask_1: done: from the picture", "plan_1: dropped: not needed"]}

subtask_N counts the sub-tasks of the session, plan_N the notes and act_N the acts in doubt of the
request. A FINISH that answers nothing of this is refused within its step (Step.Refused). After one that
answers a part, the step ends in CONTINUE, with the rest in last_error.
Then Config.Verify, if there is one, says whether the answer is true: see package proof. round.Result.Partial
lists what failed, was dropped or is open.
Args and Result may have {"$ref": "subtask_result_1.data"} anywhere: the host replaces it by what
the blackboard has there. What else the prompt shows in part has a name that begins with prompt, such as
prompt.answers.0.answer.

# Plans

Plan is what is left to do. The model may write it in two ways:

	["draw the chart", "mail it"]

	[{"id": "extract", "task": "extract the table", "application": "word"},
	 {"id": "chart", "task": "draw the chart", "application": "excel", "depends_on": ["extract"]}]

Each string is a note: the prompt shows it until the model assigns it or writes another Plan, and the
host does not enforce it.

A list of objects is a plan that the host enforces, while it has any item, even if all have finished.
ASSIGN must name one of the items in CurrentSubTask, by its id or by its task, and the item
must be ready: all items that it depends on have finished. The host hands over the item's
task. If the item names an application (by program, title or root/process), the model must
choose that one. The host refuses FINISH while an item is unfinished. To drop an item, the model
first writes a Plan without it, and FINISH in a later reply. When a reply breaks one of these rules,
the host refuses it and says which ids are ready. It also refuses a plan with an item without an id,
two items of one id, a depends_on that names no item, a cycle, strings among objects, or more than
100 items. FAIL, PENDING and CONFIRM do not wait for the plan.

The plan stays until the model writes another Plan, which replaces all unfinished items;
an empty list drops them. If chart depends on extract and extract failed, chart waits until a new Plan
has extract again, or a chart that does not depend on it. If the host did an item with a tool of its
own, the model must leave that item out of its next Plan. The host assigns items one after another.

The blackboard has the plan under the name "plan": each item with its status (planned, assigned,
finished, failed or dropped) and the sub-task that it was last assigned as. So a reader sees what was
planned and not done. The prompt has the plan without dropped items, and cuts long texts. DependsOn
of an item's sub-task lists the earlier sub-tasks that it needs. The value current_subtask on the
blackboard names the item, and where the results of those sub-tasks are.

# Delegation

ASSIGN finds the agent of the application, or has Config.NewApp make it. The default
is an AppAgent; package appagent says what its model writes. If host and AppAgents share
one model, they ask it in turn. ASSIGN opens the sub-task on the blackboard, writes
current_subtask (with the Context that the model wrote) and task_progress there, and gives the task to
the agent. When that agent
ends, control returns to the host, in CONTINUE. The host closes the sub-task with the agent's
status, result and reason, deletes current_subtask, and shows the sub-task in the next
prompt.

The host keeps each agent under root/process of its window, such as word/report.docx: the program,
and which of its documents or instances. So a document keeps its agent, with all that it remembers, even if the title changes; another document of the same
program gets another agent. [Agent.Drop] forgets an agent, and the host does so itself when the window
is not listed any more. The reason of the ASSIGN step is "agent created" or "agent reused". A slash in root or process is written %2F, a percent sign %25,
so that no two applications share an agent.

After a failed sub-task the host asks the model again. After more than Config.MaxReplans failures in
a row, it goes to ERROR.

Config.NewApp gets an appagent.Config with the window and all that the host shares. It may
return any fsm.Worker, which can also implement

	fsm.DataProvider               Data is the result of the sub-task; without it Answer is, as a string
	WindowSetter                   the host tells it that the window's id or title changed
	fsm.Closer                     the host tells it that the session is over
	fsm.Saver                      the host saves what it knows

In Begin, Task.From is a fsm.Requester and a blackboard.SubtaskLister: it returns the user's
request, and the earlier sub-tasks of that request. The agent's table needs no edge to
the host.

# Policy

[DefaultPolicy] is what a nil Config.Policy means, for the host and its
applications: destructive tools, shell commands, launching a program that is not
listed, screenshots written to a file, and tools and controls with a name such as send_mail or Delete
need a person's approval; everything else is allowed. A policy of your own is a func:

	Policy: func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.ToolName == "pay_bill" {
			return policies.Verdict{Action: policies.Confirm, Reason: "it moves money"}
		}
		return hostagent.DefaultPolicy(apps)(ctx, tool, cmd)
	}

A person approves one command on one window, before the act. The next CONTINUE executes
exactly that command, once, and then asks the model for a new reply. If the reply with the command
also had FINISH or ASSIGN, the model must write it again. If the command names no window, the approval
is for the focused one: if the focus moves before the execution, the host does not execute the
command, and tells the model. An approval of a
shell command names no window. A launch or a selection that was approved is not repeated when
the model then assigns that application.

# People

PENDING asks the User the Questions, one after another, and waits Config.AskTimeout for each. It asks
at most 20, of at most 4 KiB each. If the User suspends the run, PENDING first asks the other questions,
too. The next prompts have the answers. Without Questions the Comment is the question: it
names an event, and an answer says that it has happened. CONFIRM without a command asks whether to go on. Both lead to FAIL if there is no User, no answer comes in time,
or the User returns an error, and CONFIRM also after a no. When a suspended run goes on, the host
asks the same question again with the same id.

# The prompt

A prompt begins with what never changes and ends with what changes in each step, so that a
provider that caches prompts reads most of it once. The system message is Config.Prompt, a
template, and the sections of the tools. The user's message has the other sections and the
screenshot. An empty section is left out, except windows:

  - tools: a list of {name, description, args or input_schema, origin}
  - tool_groups: a list of {origin, description}: what the tools of that origin are for
  - request: a string
  - what Config.Knowledge returned
  - previous_subtasks: a list of blackboard.Subtask: the 50 of this round that ended last
  - history: a list of acting.Memo; an action without a status succeeded
  - windows: a list of {id, title, description, root, process, running}, dialogs left
    out; id is what ControlLabel refers to, not the desktop's id of the window
  - not_observed: a list of strings: what could not be seen or used now, and why
  - plan: a list of strings, or of plan.Shown: {id, task, application, depends_on,
    status, subtask, ready, blocked_by}
  - answers: a list of {question, answer}
  - blackboard: an object, see blackboard.Board.Render; without what has a section of its own
    and without trajectories
  - last_error: a string
  - allowed_statuses: a list of strings: the statuses that can work now, where Config.Prompt is yours
    or the table has a status of yours; else the system message says them. PENDING and CONFIRM
    are left out if there is no User and the model may write FAIL, and CONTINUE if there are no tools

Everything that comes from a window, a document, a tool or the model itself is a
value in a section: fenced JSON, which cannot end its fence. When the host refuses a
reply, it adds a message with the sections refused_reply, last_error and allowed_statuses.

history has at most the last Config.MaxMemory steps. When there are more, it loses half of them at
once: so it mostly begins as it did in the step before. A result of more than acting.MaxOutput bytes is cut:
history has its head, and a $ref to the whole. A longer section than internal/promptsize allows, mostly
32 KiB of JSON, is shortened, and says so: long texts end in
"… [cut: 48211 bytes in all, $ref: prompt.subtask.text]", lists have an entry with left_out. All
sections together have a mebibyte at most.
The request is never shortened. Docs and Examples of a [Program] go into the prompt of its
AppAgent, which may also have a model, a prompt, pictures, a policy and tools of its own.

# Rounds and sessions

[Agent.Begin] takes a request, and forgets the answer, sub-tasks, plan and chosen
application of the one before. The blackboard, the memory and the agents of
applications stay until [Agent.Close]. Close leaves applications running, unless
Config.CloseApps tells it to close those that the host launched.

[Agent.Save] returns all that the host and the agents of its applications know. Make a new host with
the same kind of Config, and give it to [Agent.Load]. The host makes each application's agent again
when it needs it; [Agent.Worker] returns an agent by its name. The blackboard is saved separately.

# Concurrency

One goroutine at a time uses a host and the agents that it made. Hosts share their table,
which needs no lock.
*/
package hostagent
