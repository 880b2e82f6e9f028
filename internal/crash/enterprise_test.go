package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Of an answer whose process was killed, the journal says whether it counted.
func TestGivenTo(t *testing.T) {
	e := &enterprise{answered: map[string]map[string]string{"r": {"said": "large", "lost": "large", "killed": unsure, "too early": unsure}}}
	assert.Equal(t, map[string]string{"said": "large", "lost": "large", "killed": "very large"},
		e.givenTo("r", map[string]string{"said": "large", "killed": "very large"}))
}
