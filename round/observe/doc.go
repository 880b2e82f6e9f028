/*
Package observe has observers of rounds: log records. An observer is a func that takes each step; it goes into
round.Options.

	opts := &round.Options{Observe: observe.All(
		round.JSONL(file),
		observe.Slog(logger, nil),
	)}
	…
	res, err := r.Run(ctx)
	observe.SlogResult(logger, nil)(res)

# Log records

[Slog] writes a record for each transition and, before it, one for each thing that happened in the step:

	level  message            when
	INFO   transition         control went on
	WARN   transition         to FAIL, back after a FAIL, or because nobody answered in time
	ERROR  fault              an error or a panic
	WARN   reply refused      the model was, or would have been, asked again
	DEBUG  reply repaired     a reply was not quite what was asked for, and could be read
	WARN   verdict            a Policy denied a command; INFO: it wants a person's word, or allowed and said why
	INFO   question           a person was asked; WARN: and could not be
	DEBUG  command            a command was executed; WARN: the way to the desktop broke
	DEBUG  phase              a phase ran

A round that reaches a bound, is suspended or is cancelled makes no step of it. [SlogResult] logs what Run returned:
"round ended" at INFO for FINISH, WARN for FAIL and ERROR for ERROR, and "round stopped" at INFO for SUSPENDED and WARN
for BUDGET and CANCELLED.

Attributes have the names of OpenTelemetry's semantic conventions for generative AI if there is one, such as
gen_ai.agent.name, gen_ai.tool.name and gen_ai.usage.input_tokens, and else begin with agentfsm: agentfsm.run.id,
agentfsm.round and agentfsm.step are in every record of a step. The names are flat, as there. SlogOptions.Content adds
arguments, results, questions and answers. What is of a whole round begins with agentfsm.round, and is not to be added
to what its steps have. A level that is off costs nothing.

Texts are redacted before an observer sees them. They are still what models wrote and windows are called.

A record that was wanted and cannot be kept is a fault: round.JSONL panics. Slog is no such record.

What [Slog] and [SlogResult] return may be shared by rounds that run at the same time, as far as its handler may.
*/
package observe
