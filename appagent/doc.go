/*
Package appagent has the AppAgent: an agent that works in one application. It
looks at the application's window, asks a model what to do, does it, and looks
again, until the task is done. A HostAgent gives it sub-tasks; it
also runs alone.

	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, Window: window})
	…
	r, err := round.New(agent, "turn the third table into a chart", nil)
	…
	res, err := r.Run(ctx)

# States

	status      what happens                                     goes on to
	CONTINUE    one step: the four phases                        any of these, by the model; FAIL and ERROR by the system
	SCREENSHOT  looks for the next CONTINUE, does nothing else   CONTINUE
	PENDING     asks the user                                    CONTINUE; FAIL without an answer
	CONFIRM     asks the user to approve one exact command       CONTINUE; FAIL without approval
	FINISH      the task is done                                 ends
	FAIL        the task cannot be done                          ends
	ERROR       something broke                                  ends

The last three end a round when the agent runs alone. When another agent gave it
the task, FINISH and FAIL return control to that agent.

[States] is the table. To customise it, add to a copy and set Config.States. This
lets the model write ERROR, too:

	states := appagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.ByModel})

The table says what the model may write: the edges from CONTINUE with the cause
ByModel. The agent checks each reply against them. Schema and prompt
offer those that can work now: no SCREENSHOT without pictures, no PENDING or CONFIRM
without a person to ask. The agent refuses a FINISH without a Result, a Comment or an
act once, and asks the model again. It also refuses one that leaves something open: an
action whose effect nobody saw (Result.Unverified, or one of an interrupted run), and, if
it works for no host, what its own Plan has. The model answers each in Open, or does it.

# A step

DATA_COLLECTION narrows the desktop to the window, if the desktop is a Scoper. It
lists the tools, asks which window commands act on (get_app_window), takes a
screenshot (unless Config.NoImages) and reads the controls. The section not_observed
says what it could not see now, and the step goes on. When the window is gone, the task ends
as FAIL, so that the host can plan again. The agent looks once more before the actions of
a FINISH or a PENDING: the window may have been closed while the model thought. A FINISH
beside the action that closed it stands. A window that belongs to the agent's
(desktop.Window.Owner) is part of it: a dialog. The task also ends as FAIL when
get_app_window returns another window than that of Config.Window (by id, Root or
Process): the desktop may have reused the id, or the focus may have moved. On a
desktop without get_app_window the agent does not check this.

LLM_INTERACTION asks the model. Its reply is a decision (below). The agent refuses one
that it cannot use, and asks again with the reason, Config.MaxReasks times.

ACTION_EXECUTION executes the actions one after another, each when the policy
allows it, up to the first that fails, is denied or needs approval. It skips the
rest; after an approved action the rest goes on. Before each action but the first the agent looks at its control again. If the
control is gone or has another name now, the action fails and is not executed. The
desktop decides about a control that was not shown when the model decided. After a
failed action the agent ignores a FINISH of the same reply, and looks again.

MEMORY_UPDATE remembers the decision and what became of each action, also when
an earlier phase broke.

# Decisions

A decision asks for one tool call (Function with Args), for several (Actions),
or for none, and says with Status what is next. Names are matched as [llm.Decode]
does. The agent refuses, and asks again with the reason: a tool that does not exist;
arguments that do not fit its schema; Function beside Actions, unless both are one call;
more than Config.MaxActions of them, 100 texts in Plan, or 100 controls in a call; Args without Function; a
ControlLabel that is not the id of a shown control, or differs from the argument id; a
wrong name of a control (below); a reference that leads nowhere. An argument id that was
not shown goes to the policy, and the desktop decides.

The agent also reads other spellings that have one meaning: Action for Actions;
Arguments or Parameters for Args; ToolName or FunctionName for Function; and a Status
inside the actions. The Status of the last action counts when the decision has none
itself; an earlier action may say CONTINUE. The agent refuses statuses that disagree.

The model need not repeat ControlLabel and ControlText in Args: a tool with a
parameter id, or name, gets them. For a shown control the agent passes the name that
the window has, not the model's: click_input and set_edit_text always get it, so that
the desktop does not touch a control that has another name by then. The agent refuses
another ControlText, or another argument name of these two tools; case and the number
of spaces do not count. It refuses a label for a tool without a parameter id, unless an
argument says the same.

The agent refuses a field with an unknown name if it may be a call or an argument:
"options": {"deep": true} beside any call, "directory": "tmp" beside a call without
arguments, or the name of a parameter. It drops words about the call, such as thinking
or last_action. It refuses a Result that is only a call.

An argument, and Result, may have {"$ref": "subtask_result_1.data"} anywhere: the agent
replaces it by the value on the blackboard before it checks the arguments. So a large
result is passed on whole, though the prompt shows only its head. What else the prompt shows in part
has a name that begins with prompt, such as prompt.controls.7.value.

In a decision with FINISH, Result (any JSON), or else Comment, is the result of the
task: [Agent.Data] and [Agent.Answer]. In one with FAIL, Comment is the reason.
SaveScreenshot keeps the screenshot of the step on the
blackboard, as long as trajectories refers to it: true, a reason, or {"save": true, "reason": "…"}.

All fields but Status may be left out:

	{"Observation": "what the window shows", "Thought": "why the next action is the right one",
	 "ControlLabel": "3", "ControlText": "Save", "Function": "click_input", "Args": {},
	 "Actions": [{"ControlLabel": "3", "ControlText": "Save", "Function": "click_input", "Args": {}}],
	 "Plan": ["what is left to do"], "Status": "CONTINUE", "Comment": "a word for the user",
	 "Questions": ["what to ask"], "SaveScreenshot": true, "Result": {}, "Open": []}

The schema that a provider enforces has all calls in Actions, each in a Call beside its ControlLabel and
ControlText where there are controls (ADR 0041). With Config.ToolCalls a reply is calls of tools (ADR 0042).

# People

PENDING asks the User the Questions, one after another, and waits Config.AskTimeout for each. It asks
at most 20, of at most 4 KiB each. If the User suspends the run, PENDING first asks the other questions,
too. The next prompts have the answers. Without Questions the Comment is the question: it
names an event, and an answer says that it has happened. PENDING leads to FAIL if there is no User, no
answer comes in time, or the User returns an error.

CONFIRM comes before the act. The policy decides which commands need approval; with
Status CONFIRM the model asks for it where the policy would not. An approval is of one
command with these arguments on this control of this window, with the same dialog in
front of it or none; for keys without an id, also with the same focus. The policy finds
the control, as it was shown, by [policies.ControlOf]. It is the control of the argument
id, or of another argument for a control, such as ref or target, or of ControlLabel, and of a
drag those where it begins and where it ends ([policies.DropPath]). If a command names several
controls, the policy is asked about each. A tool that names none acts on the window. The next
CONTINUE executes exactly this command, once, before it asks the model. If the control is
gone or has another name, the agent does not execute it, and tells the model. CONFIRM
without an action asks whether to go on.

A User may suspend the run; when it goes on, the same question is asked again
with the same id.

# The prompt

The system message is Config.Prompt, a template, with Config.Docs and
Config.Examples in it, and the section tools. The user's message has the screenshot and
the other sections, in this order, each where there is something to say:

  - request: a string, what the user asked for
  - application: a desktop.Window, as the first step of the task saw it
  - subtask: {id, text, message, context}
  - what Config.Knowledge returned
  - previous_subtasks, history: as in package hostagent
  - application_now: a desktop.Window, where it looks otherwise now
  - dialogs: a list of {id, title, description, modal}, a modal one first
  - controls: a list of desktop.Control; of a large tree the dialogs in front and the outermost ones
  - not_observed, answers, blackboard, last_error, allowed_statuses: as in package hostagent
  - plan: a list of strings

Everything that comes from a window, a document, a tool or the model itself is a
value in a section: fenced JSON, which cannot end its fence.

history has at most the last Config.MaxMemory steps. The agent puts an output of more than
acting.MaxOutput bytes on the blackboard, and shows its head and a $ref. The section
blackboard has at most 4 KiB. Longer sections are shortened, as in package hostagent.

# Tasks and memory

[Agent.Begin] takes a task. It forgets what belonged to the one before (plan,
answers, errors, the result, open questions) and keeps the memory of steps. A host
uses one agent for all sub-tasks of an application.

[Agent.Save] returns all that the agent knows. [Agent.Load] gives it to an agent that was
made with the same kind of Config, which then writes the same questions and prompts. The
blackboard is saved separately.

# Concurrency

One goroutine at a time uses an agent. Agents share their table, which needs no lock.
*/
package appagent
