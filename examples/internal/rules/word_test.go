package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A list that failed and was asked for again is no obstacle: only what failed last is.
func TestWordListedAgain(t *testing.T) {
	t.Parallel()
	failed := `{"Function": "list_tables", "status": "failure", "error": "the document loads"}`
	assert.Subset(t, ask(t, inWord(failed, failed, listed(1, 0, costs+","+sales))), map[string]any{"Function": "extract_table"})
	assert.Subset(t, ask(t, inWord(listed(1, 2, costs), failed, listed(2, 0, sales))), map[string]any{"Function": "extract_table"})
	assert.Subset(t, ask(t, inWord(listed(1, 0, costs), failed)), map[string]any{"Status": "FAIL", "Comment": "the document loads"})
}
