package program

import (
	"context"
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
)

// shop is the program's own code: what it did long before there were agents. It is safe for concurrent use.
type shop struct {
	mu     sync.Mutex
	orders map[int]*order
}

type order struct {
	Number   int    `json:"number"`
	Customer string `json:"customer"`
	Paid     int    `json:"paid"`
	Refunded int    `json:"refunded"`
}

func newShop() *shop {
	s := &shop{orders: map[int]*order{}}
	for _, o := range []order{{1001, "Ada", 40, 0}, {1002, "Grace", 75, 0}, {1003, "Edsger", 12, 0}} {
		s.orders[o.Number] = &o
	}
	return s
}

func (s *shop) order(number int) (order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[number]
	if o == nil {
		return order{}, fmt.Errorf("there is no order %d", number) // the model reads this
	}
	return *o, nil
}

// found and refunded are what the tools take: the fields make their schemas.
type found struct {
	Number int `json:"number"`
}

type refunded struct {
	Number int `json:"number"`
	Amount int `json:"amount" desc:"in euros"`
}

func (s *shop) find(_ context.Context, in found) (order, error) { return s.order(in.Number) }

func (s *shop) refund(_ context.Context, in refunded) (order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[in.Number]
	switch {
	case o == nil:
		return order{}, fmt.Errorf("there is no order %d", in.Number)
	case in.Amount < 1 || in.Amount > o.Paid-o.Refunded:
		return order{}, fmt.Errorf("%d euros cannot be refunded", in.Amount)
	}
	o.Refunded += in.Amount
	return *o, nil
}

// desktop is the shop as agents see it: two tools behind one window. A refund is
// marked as destructive, so the default policy wants a person's word for it.
func (s *shop) desktop() (desktop.Desktop, error) {
	books, err := desktop.New(
		desktop.Func("find_order", "Look an order up.", s.find,
			&desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("refund", "Pay money back.", s.refund,
			&desktop.Annotations{DestructiveHint: true}),
	)
	if err != nil {
		return nil, err
	}
	return desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop", Process: "books", Title: "Order book"}, Desktop: books})
}
