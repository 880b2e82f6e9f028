package promptsize_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// Whoever gives a section more takes it from another one.
func TestSectionsDivideThePrompt(t *testing.T) {
	sum := promptsize.Knowledge
	for name, n := range promptsize.Sections {
		assert.Positive(t, n, name)
		sum += n
	}
	assert.Equal(t, promptsize.Prompt, sum)
}
