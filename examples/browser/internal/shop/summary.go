package shop

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// checkSummary compares the file with the order in the database: its number and its
// reference stand there, each line has its article with its quantity, and there is no
// article that was not ordered.
func (r *Report) checkSummary(data sites.Data) error {
	text, err := os.ReadFile(r.Summary)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSummary, err)
	}
	if len(r.Orders) != 1 {
		return nil // which is an error of its own
	}
	order := r.Orders[0]
	for _, w := range []string{order.Number, order.Reference} {
		if !strings.Contains(string(text), w) {
			return fmt.Errorf("%w: it does not have %q", ErrSummary, w)
		}
	}
	wanted := map[string]string{}
	for _, l := range order.Lines {
		wanted[l.SKU] = strconv.Itoa(l.Quantity)
	}
	for line := range strings.Lines(string(text)) {
		words := word.FindAllString(line, -1)
		for _, item := range data.Items {
			quantity, ordered := wanted[item.SKU]
			switch has := slices.Contains(words, item.SKU); {
			case has && !ordered:
				return fmt.Errorf("%w: it has %s, which was not ordered", ErrSummary, item.SKU)
			case has && slices.ContainsFunc(words, func(w string) bool { return strings.ReplaceAll(w, ",", "") == quantity }):
				delete(wanted, item.SKU)
			}
		}
	}
	for _, l := range order.Lines {
		if quantity, open := wanted[l.SKU]; open {
			return fmt.Errorf("%w: no line has %s of %s", ErrSummary, quantity, l.SKU)
		}
	}
	return nil
}

// word is an article or a number.
var word = regexp.MustCompile(`[A-Z]{2}-[0-9]{4}(?:-L)?|[0-9]+(?:,[0-9]{3})*`)
