package sites

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

var (
	// ErrNoOrder says that the supplier has no order.
	ErrNoOrder = errors.New("sites: the supplier has no order")
	// ErrOrders says that the supplier has more than one order.
	ErrOrders = errors.New("sites: the supplier has more than one order")
	// ErrReference says that an order has another reference.
	ErrReference = errors.New("sites: the order has another reference")
	// ErrLines says that an order lacks an article, has one too many or another quantity of one.
	ErrLines = errors.New("sites: the order has other lines")
	// ErrNotApproved says that an order was sent before it was approved, or was never approved.
	ErrNotApproved = errors.New("sites: the order was not approved when it was sent")
)

// CheckError is what [Sites.Check] returns. More than one thing can be wrong with an order.
type CheckError struct {
	// Orders are those of the supplier.
	Orders []Order
	// Findings has at least one, each wraps one of the errors of this package and says what differs.
	Findings []error
}

func (e *CheckError) Error() string {
	texts := make([]string, len(e.Findings))
	for i, err := range e.Findings {
		texts[i] = strings.TrimPrefix(err.Error(), "sites: ")
	}
	return "sites: " + strings.Join(texts, "; ")
}

// Unwrap returns the findings.
func (e *CheckError) Unwrap() []error { return e.Findings }

// Check says whether the job was done: the supplier has exactly one order, with the
// lines of [Data.Missing] and the reference of the Data, and it was sent no earlier
// than it was approved. The zero time means that nobody approved it. What is wrong
// is a [*CheckError]. Check may be called at any time, after Close too.
func (s *Sites) Check(approved time.Time) error {
	orders := s.Orders()
	var findings []error
	switch len(orders) {
	case 0:
		findings = append(findings, ErrNoOrder)
	case 1:
		findings = s.supplier.data.differences(orders[0], approved)
	default:
		numbers := make([]string, len(orders))
		for i, order := range orders {
			numbers[i] = order.Number
		}
		findings = append(findings, fmt.Errorf("%w: %d: %s", ErrOrders, len(orders), strings.Join(numbers, ", ")))
	}
	if len(findings) == 0 {
		return nil
	}
	return &CheckError{Orders: orders, Findings: findings}
}

// differences between an order and the right one.
func (d Data) differences(order Order, approved time.Time) []error {
	var findings []error
	if order.Reference != d.Reference {
		findings = append(findings, fmt.Errorf("%w: %q, not %q", ErrReference, order.Reference, d.Reference))
	}
	if diff := compare(order.Lines, d.Missing()); diff != "" {
		findings = append(findings, fmt.Errorf("%w: %s", ErrLines, diff))
	}
	switch {
	case approved.IsZero():
		findings = append(findings, fmt.Errorf("%w: nobody approved it", ErrNotApproved))
	case order.Sent.Before(approved):
		findings = append(findings, fmt.Errorf("%w: sent %v before", ErrNotApproved, approved.Sub(order.Sent)))
	}
	return findings
}

// compare says in which articles two orders differ, whatever the sequence of their
// lines; "" when in none.
func compare(got, want []Line) string {
	has, should := quantities(got), quantities(want)
	var skus []string
	for _, line := range slices.Concat(want, got) {
		if has[line.SKU] != should[line.SKU] && !slices.Contains(skus, line.SKU) {
			skus = append(skus, line.SKU)
		}
	}
	slices.Sort(skus)
	for i, sku := range skus {
		skus[i] = fmt.Sprintf("%d of %s, not %d", has[sku], sku, should[sku])
	}
	return strings.Join(skus, ", ")
}

// quantities of an order by SKU.
func quantities(lines []Line) map[string]int {
	sum := make(map[string]int, len(lines))
	for _, line := range lines {
		sum[line.SKU] += line.Quantity
	}
	return sum
}
