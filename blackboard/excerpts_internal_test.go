package blackboard

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What was written of a board that has changed meanwhile is not kept; nor is more than the agents
// of a board ask for.
func TestExcerptsKeep(t *testing.T) {
	var x excerpts
	text, changes := x.find(10, nil)
	assert.Nil(t, text)
	x.changed("a")
	x.keep(10, nil, json.RawMessage(`{}`), changes)
	text, changes = x.find(10, nil)
	assert.Nil(t, text)
	for i := range 2 * maxExcerpts {
		x.keep(i, nil, json.RawMessage(`{}`), changes)
	}
	assert.Len(t, x.kept, maxExcerpts)
	text, _ = x.find(2*maxExcerpts-1, nil)
	assert.NotNil(t, text, "the latest")
}
