/*
Package appagent has the AppAgent: an agent that works in one application. It
looks at the application's window, asks a model what to do, does that, remembers
it, and looks again, until the task is done. A HostAgent gives it sub-tasks; it
also runs alone.

	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, Window: window})
	…
	r, err := round.New(agent, "turn the third table into a chart", nil)
	…
	res, err := r.Run(ctx)

# States

	status      what happens                                     goes on to
	CONTINUE    one step: the four phases                        any of these, by the model; FAIL and ERROR by the system
	SCREENSHOT  looks, does nothing else                         CONTINUE
	PENDING     asks the user                                    CONTINUE; FAIL without an answer
	CONFIRM     asks the user to approve one exact command       CONTINUE; FAIL without approval
	FINISH      the task is done                                 ends
	FAIL        the task cannot be done                          ends
	ERROR       something broke                                  ends

The three last end a round when the agent runs alone. When it was given its
task by another agent, FINISH and FAIL give control back.

[States] is the table. To customise it, add to a copy and put that into
Config.States: a model that may also write ERROR, for instance, takes

	states := appagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.ByModel})

What the model may write is read from the table: the edges that leave CONTINUE
with the cause ByModel are what its reply is checked against. Those of them that can
work now are the enum in the schema of its reply and the section allowed_statuses of
its prompt: no SCREENSHOT without pictures, and with nobody to ask no PENDING and no
CONFIRM. A FINISH without a Result, a Comment or an act is fed back once.

# A step

DATA_COLLECTION narrows the desktop to the window, where it can be narrowed, and
lists its tools, asks which window commands act on (get_app_window), takes a
screenshot (unless Config.NoImages) and reads the controls. What cannot be seen is
said in the section not_observed, and the step goes on. A window that is not there
any more when the desktop is narrowed to it ends the task as FAIL, so that whoever
gave it can plan anew. So does a window that is not the one of Config.Window, as far
as that says which: another id, Root or Process. The desktop may have given the id
away, or the focus may have moved on one that cannot be narrowed. A desktop without
that tool is believed.

LLM_INTERACTION asks the model. Its reply is a decision (below). One that cannot be
used is fed back with the reason, Config.MaxReasks times.

ACTION_EXECUTION executes the actions one after another, each when the policy
allows it, up to the first that fails, is denied or needs approval. The rest is
skipped. Before each action but the first the agent looks at its control again:
where that is gone, or is called otherwise by now, the action is not executed and
counts as failed. A control that was not shown yet when the model decided is left
to the desktop. FINISH beside an action that failed is not believed: the agent
looks again.

MEMORY_UPDATE remembers the decision and what became of each action, also when
an earlier phase broke.

# Decisions

A decision asks for one tool call (Function with Args), for several (Actions),
or for none, and says with Status what is next. Names are matched as [llm.Decode]
does. These are fed back: a tool that does not exist; arguments that do not fit
its schema; Function beside Actions; more than Config.MaxActions of them; Args
without Function; a ControlLabel that is
not the id of a control that was shown, or another one than the argument id; a
name of a control that is not its own (below); a reference that leads nowhere.

What models write unasked is understood where it has one meaning: Action for
Actions; Arguments or Parameters for Args; ToolName or FunctionName for Function;
and a Status inside the actions. That of the last one is the decision's when it has
none itself; an action before that may say CONTINUE; statuses that disagree are
fed back.

ControlLabel and ControlText need not be repeated in Args: a tool with a
parameter id, or name, gets them. The name of a control that was shown is what the
window says, not what the model says: click_input and set_edit_text get it whether
the model wrote one or not, so that a control which is called otherwise by then is
not touched. Another ControlText, or argument name of these two, is fed back; case
and the number of spaces do not count. A label for a tool that has no parameter id is
fed back, unless an argument says the same.

A name that no field has is fed back where it may mean a call, or an argument of one:
"options": {"deep": true} beside any call, "directory": "tmp" beside one without
arguments, whatever stands under the name of a parameter. Words about the call, such
as thinking or last_action, are left out of account. So is a Result fed back that is
nothing but a call.

An argument, and Result, may have {"$ref": "subtask_result_1.data"} anywhere: it
is replaced by what the blackboard has there, before the arguments are checked. A
large result travels whole that way, though the prompt shows only its head.

Of the decision that writes FINISH, Result is the result of the task, of any
JSON, and Comment where there is none: [Agent.Data] and [Agent.Answer]. Of FAIL,
Comment is the reason. SaveScreenshot keeps the screenshot of the step on the
blackboard: true, a reason, or {"save": true, "reason": "…"}.

All fields but Status may be left out:

	{"Observation": "what the window shows", "Thought": "why the next action is the right one",
	 "ControlLabel": "3", "ControlText": "Save", "Function": "click_input", "Args": {},
	 "Actions": [{"ControlLabel": "3", "ControlText": "Save", "Function": "click_input", "Args": {}}],
	 "Plan": ["what is left to do"], "Status": "CONTINUE", "Comment": "a word for the user",
	 "Questions": ["what to ask"], "SaveScreenshot": true, "Result": {}}

# People

PENDING asks the Questions, at most 20 of at most 4 KiB, one after another, each for Config.AskTimeout (a user who
suspends is asked all of them); the answers are in the prompts to come. Without questions it waits for an event, with
the Comment as what it waits for. Nobody there, no answer in time and a user that
fails are FAIL.

CONFIRM comes before the act, never behind it. The policy decides which commands
need approval; Status CONFIRM asks for it where the policy would not. An approval
is of one command with these arguments on this control of this window, with the same
dialog in front of it or none, and for keys without an id with the same focus. The policy
finds the control, as it was shown, by [policies.ControlOf]. It
is the one of the argument id; a tool that has no such argument acts on the window,
whatever ControlLabel says. The next CONTINUE executes exactly that, once, before it asks the model. Where the control
is not there any more, or is called otherwise, the act is not executed and the
model is told. CONFIRM without an action asks whether to go on.

A User may suspend the run; when it goes on, the same question is asked again
with the same id.

# The prompt

The system message is Config.Prompt, a template, with Config.Docs and
Config.Examples in it. The user's message has the screenshot and these sections,
each where there is something to say:

  - subtask: {id, text, message}
  - request: a string, what the user asked for
  - application: a desktop.Window, as it was seen
  - controls: a list of desktop.Control
  - not_observed, tools, previous_subtasks, plan, history, answers, blackboard,
    last_error, allowed_statuses: as in package hostagent

Everything that comes from a window, a document, a tool or the model itself is a
value in a section: fenced JSON, which cannot end its fence.

history has the last Config.MaxMemory steps. An output of more than
acting.MaxOutput bytes is put on the blackboard and shown by its head and a
$ref; the blackboard is shown within 4 KiB. Longer sections are shortened, as in
package hostagent.

# Tasks and memory

[Agent.Begin] takes a task. It forgets what belonged to the one before (plan,
answers, errors, the result, open questions) and keeps the memory of steps. A host
uses one agent for all sub-tasks of an application.

[Agent.Save] returns all that the agent knows; an agent made with a like Config takes
it with [Agent.Load], and then asks the same questions and prompts with the same words.
The blackboard is saved apart.

# Concurrency

An agent is used by one goroutine at a time. Agents share their table, which
needs no lock.
*/
package appagent
