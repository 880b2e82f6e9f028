/*
Package processor is what happens inside a step: look, ask the model, act,
remember. It is for those who write a kind of agent. Package fsm says when a step
is taken and where it leads, package desktop what can be done; here is how a
step goes, so that no kind has to find out again how a reply is checked, what an
approval is of, or what becomes of a failed action.

A kind that acts under the eyes of a person needs an [Actor] and a [Waiting].

# Acting

An [Act] is a command together with what it is aimed at. An [Actor] executes acts
in order and stops at the first that does not succeed; what is behind it is
skipped, and a [Performance] says of each what became of it. Before every act the
policies.Func is asked, which is code: allow, deny, or have a person confirm. Nil is
policies.Default, which has destructive tools, shell commands, launching a program
and writing a screenshot to a file confirmed. The model can ask for more confirmation, never for less,
and nothing that it reads or writes is taken for an approval.

[Waiting].Perform does this for a decision and returns where to go: where the
decision wants, or to CONFIRM when an act needs approval, or to CONTINUE when an
act failed, because the decision was made for a world in which it did not.

	acts := []processor.Act{{Command: desktop.Shell(d.Bash)}}
	wish := fsm.Decision{To: d.Status, By: fsm.ByModel, Reason: d.Comment}
	done, next, err := a.waiting.Perform(ctx, &a.actor, acts, wish)

# People

A person is asked through people.Ask, one question at a time, each with a deadline of
60 seconds unless the caller says otherwise. An agent keeps a [Waiting] in its
data, and its methods are the bodies of two states:

  - PENDING is Waiting.Pending: the questions of an [Interview], in order. With
    all answers the agent goes on; without one, in time, it ends in FAIL.
  - CONFIRM is Waiting.Confirm: an [Approval] of one exact act, or the question
    whether to go on. It asks and records the answer, and executes nothing.

The act that was approved is executed by Waiting.PerformApproved at the beginning
of the next CONTINUE, before any model is asked. It is forgotten before it is
executed, so that no fault and no second try can execute it twice. An approval is
of the tool, the arguments and the target: whichever of them has changed voids
it. For that, Confirm and PerformApproved take a func that looks at the target
again; an agent whose targets cannot change passes nil.

A User that cannot answer now, because the person is asked by mail, returns an
error that wraps fsm.ErrSuspend. The run stops where it is. When it goes on, the
same questions are asked with the same ids, but for those that are answered; an
answer whose step was not taken still counts, when the agent passes the reason of
its Decision as the comment. For a run that goes on in another process the Waiting is stored with the agent's
data; its JSON form is stable.

	func (a *Agent) confirm(ctx context.Context) error {
		asker := processor.Asker{Agent: a.Name(), User: a.user}
		return a.Settle(a.waiting.Confirm(ctx, asker, a.Decision().Reason, nil))
	}

# Memory

A [Memory] keeps the last 200 steps of an agent. Memory.Record adds one with what
was done in it, also when that failed half way: what happened must be in the next
prompt. Memory.Recent is what goes there. Output of more than 2 KiB goes to the
blackboard whole, and the memory keeps its head and its name; [Brief] does the
same to the results of sub-tasks. Where the blackboard has no room, the memory
says so. Longer texts of a decision and of an error are cut.

# References

A model copies long values badly. It may write {"$ref": "subtask_result_1.data"}
instead, and [Resolve] puts in what the blackboard has at that path. It does so
before arguments are validated, judged by the policy or shown to a person, so all
of these see what will be executed. What was put in is data; a reference inside
it stays as it is. One call puts in 16 MiB at most.

# Phases

A kind whose step is longer than a few lines makes it a [Pipeline]: a list of
phases that work on a turn, a value of the kind's own that lives as long as the
step. A phase that fails stops the step, unless its Recover says that it can go
on; a phase marked Always runs in any case, for what must be remembered of a step
that broke off. Run runs one phase alone: SCREENSHOT is nothing but
[DataCollection]. Middleware sees every phase, and a Round records how long each
took.

# Concurrency

Functions, a Pipeline and an Actor may be used by several goroutines. What is part
of an agent's data (Waiting, Approval, Interview, Memory) belongs to the one
goroutine that drives the agent. Nothing here starts a goroutine, and every call
returns when its context is done, as far as the plug-in does.

# Testing

Package llmtest plays the model, desktoptest the desktop, fsmtest checks the
table; a people.UserFunc is a person.
*/
package processor
