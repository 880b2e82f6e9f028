package sites_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

func TestCheck(t *testing.T) {
	d := sites.Data{Password: "x", Reference: "R-1", Items: []sites.Item{
		{SKU: "A", Name: "A", Minimum: 5}, {SKU: "B", Name: "B", Minimum: 7, Pack: 4}, {SKU: "C", Name: "C"},
	}}
	right := []sites.Line{{"B", 8}, {"A", 5}}
	other := d
	other.Reference = "R-2"
	early, late, never := -time.Hour, time.Hour, time.Duration(0)
	for _, test := range []struct {
		name     string
		as       sites.Data // who orders
		orders   [][]sites.Line
		approved time.Duration
		is       []error
		says     string
	}{
		{name: "right", as: d, orders: [][]sites.Line{right}, approved: early},
		{name: "none", as: d, approved: early, is: []error{sites.ErrNoOrder}, says: "sites: the supplier has no order"},
		{
			name: "two", as: d, orders: [][]sites.Line{right, right}, approved: early, is: []error{sites.ErrOrders},
			says: "sites: the supplier has more than one order: 2: SO-40001, SO-40002",
		},
		{
			name: "too few", as: d, orders: [][]sites.Line{{{"A", 5}}}, approved: early, is: []error{sites.ErrLines},
			says: "sites: the order has other lines: 0 of B, not 8",
		},
		{
			name: "too many", as: d, orders: [][]sites.Line{{{"A", 5}, {"B", 8}, {"C", 1}}}, approved: early, is: []error{sites.ErrLines},
			says: "sites: the order has other lines: 1 of C, not 0",
		},
		{
			name: "other quantities", as: d, orders: [][]sites.Line{{{"A", 6}, {"B", 12}}}, approved: early, is: []error{sites.ErrLines},
			says: "sites: the order has other lines: 6 of A, not 5, 12 of B, not 8",
		},
		{
			name: "other reference", as: other, orders: [][]sites.Line{right}, approved: early, is: []error{sites.ErrReference},
			says: `sites: the order has another reference: "R-2", not "R-1"`,
		},
		{name: "approved later", as: d, orders: [][]sites.Line{right}, approved: late, is: []error{sites.ErrNotApproved}},
		{
			name: "never approved", as: d, orders: [][]sites.Line{right}, approved: never, is: []error{sites.ErrNotApproved},
			says: "sites: the order was not approved when it was sent: nobody approved it",
		},
		{
			name: "everything", as: other, orders: [][]sites.Line{{{"C", 1}}}, approved: never,
			is: []error{sites.ErrReference, sites.ErrLines, sites.ErrNotApproved},
			says: `sites: the order has another reference: "R-2", not "R-1"; the order has other lines: 0 of A, not 5, 0 of B, not 8, 1 of C, not 0; ` +
				"the order was not approved when it was sent: nobody approved it",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, d, nil)
			c := newClient(t, test.as, s)
			for _, lines := range test.orders {
				require.Contains(t, c.order(lines...).body, "Your order was received.")
			}
			var approved time.Time
			if test.approved != never {
				approved = time.Now().Add(test.approved)
			}
			err := s.Check(approved)
			require.NoError(t, s.Close())
			assert.Equal(t, err, s.Check(approved), "after Close as before")
			if len(test.is) == 0 {
				require.NoError(t, err)
				return
			}
			var failed *sites.CheckError
			require.ErrorAs(t, err, &failed)
			assert.Len(t, failed.Orders, len(test.orders))
			assert.Len(t, failed.Findings, len(test.is))
			for _, kind := range test.is {
				assert.ErrorIs(t, err, kind)
			}
			if test.says != "" {
				assert.EqualError(t, err, test.says)
			}
		})
	}
}

func TestOrdersAreCopies(t *testing.T) {
	d := sites.Generate(10)
	s := start(t, d, nil)
	newClient(t, d, s).order(d.Missing()...)
	approved := time.Unix(1, 0)
	require.NoError(t, s.Check(approved))
	mine := s.Orders()
	mine[0].Reference, mine[0].Lines[0].Quantity = "changed", -1
	assert.NoError(t, s.Check(approved))
}
