package job

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

// Writer shows the document of the run's folder, and nothing of the user's; Calc a new sheet.
func TestPrograms(t *testing.T) {
	t.Parallel()
	r := folders(t)
	programs := r.programs()
	require.Len(t, programs, 2)
	assert.Equal(t, rules.Writer, programs[0].Name)
	assert.Equal(t, []string{"soffice", "--norestore", "--nologo", r.in}, programs[0].Command)
	assert.Equal(t, rules.Calc, programs[1].Name)
	assert.Equal(t, []string{"soffice", "--norestore", "--nologo", "--calc"}, programs[1].Command)
}
