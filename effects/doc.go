/*
Package effects is for a Handle that changes something outside of the program: it pays, deploys, or sends a request. In
a run with a journal such an effect is done once, however often its step is handled:

	receipt, err := effects.Do(ctx, "pay order 7", func(ctx context.Context) (Receipt, error) {
		return bank.Pay(ctx, order)
	})
	if err != nil {
		return err
	}

[Do] records that it is about to call the func, and then what the func returned. Another process that goes on with the
run gets that back, and does not pay. No policy judges an effect, and no person is asked: that is up to your Handle.

# When nobody knows

If the process dies while the func runs, its ctx ends, or it panics, nobody knows whether it paid. Then Do returns
[ErrUncertain] each time the step is handled, and never calls the func. The Handle can look, ask a person, or fail. A
func that is safe to repeat, such as one that only reads, says so by [Idempotent], and Do calls it again.

# Keys

The key says which effect of its step it is. A step uses a key once: put what differs into it, such as the number of the
order, and tries of the same effect into the func. The next step may use the key again. Goroutines of one Handle may
call Do at the same time, and in any order. An effect stays done when the rest of the step goes another way, and when
the round stops in between. Model calls and commands do not: a Handle that waits does them again, so wait first.

# Without a journal

Do calls the func, and [WaitUntil] waits. A Handle that is called again does its effects again. In any Round each effect
is among the Commands of its Step, under its key, without its value.

See docs/guides/state-set.md and ADR 0048.
*/
package effects
