package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/agentfsm/agentfsm/desktop"
)

// shop pays money back. Its payments are lines of a file, which outlives the processes.
type shop struct {
	file string
	paid func(ctx context.Context, run string) // called behind each payment
}

// orders are what customers have paid, by number of the order.
var orders = map[int]int{1001: 40, 1002: 75}

// payment is a line of the file.
type payment struct {
	Run    string `json:"run"`
	Order  int    `json:"order"`
	Amount int    `json:"amount"`
}

type (
	orderInput struct {
		Order int `json:"order"`
	}
	refundInput struct {
		Order  int `json:"order"`
		Amount int `json:"amount" desc:"in euros"`
	}
)

// desktop returns the tools of a run.
func (s *shop) desktop(run string) (desktop.Desktop, error) {
	reads := &desktop.Annotations{ReadOnlyHint: true}
	return desktop.New(
		desktop.Func("find_order", "Say how much was paid for an order.", func(_ context.Context, in orderInput) (int, error) {
			paid, ok := orders[in.Order]
			if !ok {
				return 0, fmt.Errorf("there is no order %d", in.Order)
			}
			return paid, nil
		}, reads),
		desktop.Func("list_payments", "List the refunds of this run.", func(context.Context, struct{}) ([]payment, error) {
			return s.payments(run)
		}, reads),
		desktop.Func("pay_refund", "Pay money back. A second call pays again.", func(ctx context.Context, in refundInput) (payment, error) {
			if in.Amount < 1 || in.Amount > orders[in.Order] {
				return payment{}, fmt.Errorf("%d euros of order %d cannot be refunded", in.Amount, in.Order)
			}
			p := payment{run, in.Order, in.Amount}
			if err := s.pay(p); err != nil {
				return payment{}, err
			}
			s.paid(ctx, run)
			return p, ctx.Err()
		}, &desktop.Annotations{DestructiveHint: true}),
	)
}

func (s *shop) pay(p payment) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Sync(), file.Close())
}

// payments returns those of a run.
func (s *shop) payments(run string) ([]payment, error) {
	raw, err := os.ReadFile(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list := []payment{}
	for line := range bytes.Lines(raw) {
		var p payment
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, err
		}
		if p.Run == run {
			list = append(list, p)
		}
	}
	return list, nil
}
