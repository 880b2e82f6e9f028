package effects_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// Payer is a kind that pays, and then ends.
type Payer struct {
	fsm.Position
	order, receipt string
}

var payers = fsm.Table("Payer",
	[]fsm.Row[*Payer]{
		{Status: fsm.Continue, Handle: (*Payer).pay},
		{Status: fsm.Finish, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (p *Payer) Name() string    { return "payer" }
func (p *Payer) States() fsm.Set { return payers }
func (p *Payer) Answer() string  { return p.receipt }
func (p *Payer) Begin(_ context.Context, task fsm.Task) error {
	p.order = task.Text
	return nil
}
func (p *Payer) Save() (fsm.Saved, error) { return fsm.SaveState([]string{p.order, p.receipt}) }
func (p *Payer) Load(saved fsm.Saved) error {
	had := make([]string, 2)
	err := saved.LoadState(&had)
	p.order, p.receipt = had[0], had[1]
	return err
}

func (p *Payer) pay(ctx context.Context) (err error) {
	p.receipt, err = effects.Do(ctx, "pay", func(context.Context) (string, error) {
		fmt.Println("paying", p.order)
		return "receipt 12", nil
	})
	p.Decide(fsm.Finish, fsm.BySystem, "paid")
	return err
}

// full is a store that takes so many Appends: the process ends there.
type full struct {
	store.Store
	left int
}

func (f *full) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if f.left--; f.left < 0 {
		return errors.New("the power is gone")
	}
	return f.Store.Append(ctx, run, after, records...)
}

// A process dies after it has paid. The next one goes on without paying.
func ExampleDo() {
	ctx, st := context.Background(), store.Memory()
	drive := func(st store.Store) {
		s, err := durable.Open(ctx, &Payer{}, st, "order 7", nil)
		if err != nil {
			panic(err)
		}
		res, err := s.Continue(ctx, "order 7")
		fmt.Println(res.Outcome, res.Answer, errors.Is(err, round.ErrLost))
	}
	drive(&full{st, 3}) // the round, that it is about to pay, the receipt
	drive(st)
	// Output:
	// paying order 7
	// LOST  true
	// FINISH receipt 12 false
}

// The process dies while it pays, so that nobody knows whether it did.
func ExampleDo_uncertain() {
	ctx, st := context.Background(), store.Memory()
	for _, st := range []store.Store{&full{st, 2}, st} {
		s, err := durable.Open(ctx, &Payer{}, st, "order 7", nil)
		if err != nil {
			panic(err)
		}
		_, err = s.Continue(ctx, "order 7")
		fmt.Println(errors.Is(err, effects.ErrUncertain))
	}
	// Output:
	// paying order 7
	// false
	// true
}

// Without a journal it just waits.
func ExampleWaitUntil() {
	soon := time.Now().Add(time.Millisecond)
	err := effects.WaitUntil(context.Background(), "soak", soon)
	fmt.Println(err, time.Now().After(soon))
	// Output:
	// <nil> true
}
