package scenarios_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/fsm"
)

// However long a command is, the person reads all of it.
func TestAttacks_OnAQuestionThatIsLong(t *testing.T) {
	long := strings.Repeat("nothing, ", 4*acting.MaxOutput) + "and the house"
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(call("FINISH", "wipe", map[string]any{"what": long})).answered(false)
		res, err := s.play()
		s.failed(res, err, fsm.ByUser, "not approved: wipe")
		require.Len(t, s.Person.Asked, 1)
		assert.Contains(t, s.Person.Asked[0].Text, `{"what":"`+long+`"}`)
		assert.Empty(t, s.Desktop.Calls("wipe"))
	})
}
