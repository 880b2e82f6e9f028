// Package linux has the LinuxAgent: a kind of agent that does its task with command
// lines. It looks at nothing but what they print, so one step is: ask the model for
// a command line, have it allowed, run it, remember it.
//
// It is a kind of its own, made of the public packages of the library alone: none
// of them knows it. Copy the package into a program and change what should be
// otherwise; the pieces of such a kind are
//
//   - [Agent], a struct that embeds fsm.Position and keeps all of its data in one
//     serialisable part (agent.go, save.go),
//   - [States], one table of statuses, what happens in them and what may follow
//     (states.go),
//   - [Decision], what its model replies (decision.go),
//   - one step in the four phases (step.go),
//   - PENDING and CONFIRM, in which a person is asked (people.go).
//
// # Alone and under a host
//
//	agent, err := linux.New(linux.Config{Model: model, Desktop: shell, Policy: policy, User: user})
//	…
//	r, err := round.New(agent, "which of these files is the largest?", nil)
//
// A HostAgent makes one for the applications whose window is a shell:
//
//	NewApp: func(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
//		if app.Window.Root == "terminal" {
//			return linux.ForApp(ctx, app)
//		}
//		return appagent.New(app)
//	},
//
// # States
//
//	CONTINUE  one step                                 any of these, by the model
//	PENDING   asks the person the model's questions    CONTINUE; FAIL without an answer
//	CONFIRM   asks the person to approve a command     CONTINUE; FAIL without approval
//	FINISH    the task is done
//	FAIL      it cannot be done
//	ERROR     something broke
//
// There is no SCREENSHOT: a shell has nothing to look at.
//
// # What is executed
//
// Each command line is judged by Config.Policy, which is code. Nil is
// policies.Default: every one of them needs a person. What the policy
// neither allows nor denies goes through CONFIRM, as the exact line, and is executed
// once, at the beginning of the next CONTINUE. The model may wish for CONFIRM itself;
// it cannot do without one.
//
// # The prompt
//
// One message of the system, and one with these sections:
//
//   - request: what the user wants, of which the task is a part
//   - subtask: {id, task, message, context}
//   - terminal: the desktop.Window, under a host
//   - docs: how this terminal is used
//   - previous_subtasks: a list of blackboard.Subtask
//   - history: a list of acting.Memo; output is an object
//   - answers: a list of {id, question, answer}
//   - last_error: what went wrong in the last step
//   - allowed_statuses
//
// # Concurrency
//
// An Agent is used by one goroutine at a time. Agents share their table.
package linux
