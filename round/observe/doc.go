/*
Package observe has observers of rounds: log records. An observer is a func that takes
each step; it goes into round.Options.

	opts := &round.Options{Observe: observe.Slog(logger, nil)}

[All] makes one of several:

	opts := &round.Options{Observe: observe.All(
		round.JSONL(file),
		observe.Slog(logger, nil),
	)}
	…
	res, err := r.Run(ctx)
	observe.SlogResult(logger, nil)(res)

A caller who pulls steps from round.Round.Steps may as well pass them on by hand. For a
line on a terminal see examples/internal/progress.

# Log records

[Slog] writes a record for each transition and, before it, one for each thing that
happened in the step:

	level  message            when
	INFO   transition         control went on
	WARN   transition         to FAIL, back after a FAIL, or because nobody answered in time
	ERROR  fault              an error or a panic
	WARN   reply refused      the model was, or would have been, asked again
	WARN   verdict            a Policy denied a command
	DEBUG  reply repaired     a reply was not quite what was asked for, and could be read
	INFO   verdict            a Policy wants a person's word, or allowed a command and said why
	INFO   question           a person was asked
	WARN   question           and could not be
	DEBUG  command            a command was executed
	WARN   command            and the way to the desktop broke
	DEBUG  phase              a phase ran

A command to which its tool said no is DEBUG: the model is told, and goes on.

A round that reaches a bound, is suspended or is cancelled makes no step of it, and so
no record. [SlogResult] logs what Run returned:

	INFO   round ended        FINISH
	WARN   round ended        FAIL
	ERROR  round ended        ERROR
	INFO   round stopped      SUSPENDED, or the loop over Steps was left: it can go on
	WARN   round stopped      BUDGET, CANCELLED: likewise

Attributes have the names of OpenTelemetry's semantic conventions for generative
AI where there is one, and else begin with agentfsm. The names are flat, as there:
with a group for each dot a record would have no attribute of that name. Who wants
them in a group takes logger.WithGroup.

	gen_ai.agent.name                  who was handled
	gen_ai.response.model              the model that answered last
	gen_ai.usage.input_tokens          of the step; likewise output_tokens, and where there are any
	                                   cache_read.input_tokens, cache_creation.input_tokens and reasoning.output_tokens
	gen_ai.operation.name              execute_tool, for commands
	gen_ai.tool.name                   of a command or a verdict; likewise gen_ai.tool.call.id
	gen_ai.tool.call.arguments         of a command, with SlogOptions.Content; likewise result
	error.type, exception.message      of a fault, and of what ended or stopped a round
	agentfsm.run.id, agentfsm.round    Step.Run and Step.Round, if there are any
	agentfsm.step                      Step.Seq; these three are in every record of a step
	agentfsm.agent.kind
	agentfsm.from, agentfsm.to         statuses
	agentfsm.next.agent.name           where control went to another agent
	agentfsm.by, agentfsm.reason       the cause, and why
	agentfsm.repair                    what was repaired in a reply, and where
	agentfsm.verdict                   of a Policy: allow, confirm or deny
	agentfsm.question.id               likewise approved and, with Content, text and answer
	agentfsm.command.looks             whether the agent only looked; likewise status
	agentfsm.phase                     the name of a phase
	agentfsm.calls, agentfsm.attempts  of the model, and of the state where it was more than one
	agentfsm.cost, agentfsm.duration
	agentfsm.subtask.id                of the open one
	agentfsm.subtasks.opened           likewise finished, failed and planned
	agentfsm.outcome, agentfsm.status  of a round: what it came to, and where it stood
	agentfsm.verified                  what Config.Verify found of it: yes, no or unknown; likewise by and evidence
	agentfsm.partial                   how many parts of it were not done; agentfsm.partial.parts says which
	agentfsm.round.steps               of all of it, not to be added to those of its steps;
	                                   likewise transitions, calls, input_tokens, output_tokens,
	                                   cache_read_tokens, cache_creation_tokens, reasoning_tokens and cost

A level that is off costs nothing: no attribute is made for it.

# What is shown

Texts in a step are redacted already: secrets are gone before an observer sees
them. They are still what models wrote and windows are called. Handlers of
log/slog quote them.

# Errors

A record that was wanted and cannot be kept is a fault: round.JSONL panics. Slog is no
such record: a handler's error is lost, as it always is with log/slog.

# Concurrency properties

What [Slog] and [SlogResult] return may be shared by rounds that run at the same time, as far as
its handler may. Nothing here starts a goroutine or reads a clock.
*/
package observe
