/*
Package progress shows a person how far a round is: a line on a terminal. It is an
example of an observer, a func that takes each step; copy it, and change it to your
taste. Package round/observe has log records.

	watch := progress.New(os.Stderr, nil)
	r, err := round.New(host, request, &round.Options{Observe: watch.Step})
	…
	res, err := r.Run(ctx)
	err = errors.Join(err, watch.Done(res))

On a terminal it is one line, which each step writes anew and Done erases:

	AppAgent/excel/book:CONTINUE  sub-task 2 of 2  step 5 of 50  75 tokens

Anywhere else it is a line for each transition. No escape sequence is written in
either case, and no colour, so there is nothing for NO_COLOR to switch off; a
terminal whose TERM is dumb gets plain lines.

A live line is wiped by spaces, so it needs the terminal's width. The standard library does
not tell it: it is Options.Width, else the variable COLUMNS, else 80. A line
is never longer than that; letters of double width count as two.

Texts in a step are without secrets already. They are still what models wrote and
windows are called: what a Printer writes has no control character and no character
that changes the direction of the text, so no title can move the cursor.

A write that fails ends the writing, not the round; [Printer.Done] returns its error.
A record that must be kept is another thing: round.JSONL panics, and the round ends.

Plain lines may be those of rounds that run at the same time. A live line belongs to
one round at a time. Nothing here starts a goroutine or reads a clock: a line changes
when a step was taken.
*/
package progress
