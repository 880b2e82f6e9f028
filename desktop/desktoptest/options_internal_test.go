package desktoptest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

// A check that has nothing to look at does not pass: it says which option it wants.
func TestOptionsThatAreNotSet(t *testing.T) {
	all := &Options{
		Effects:     func(desktop.Desktop) int { return 0 },
		CloseWindow: func(desktop.Desktop, string) {},
		OpenDialog:  func(desktop.Desktop, string) string { return "" },
		OpenSecond:  func(desktop.Desktop, string) string { return "" },
		MoveControl: func(desktop.Desktop) (string, string) { return "", "" },
		LargeWindow: func(desktop.Desktop) string { return "" },
	}
	skipped := map[string]string{}
	for _, c := range checks {
		assert.NotEmpty(t, c.why)
		assert.False(t, c.lacks(all), c.name)
		if c.lacks(&Options{}) {
			skipped[c.name] = c.option
		}
	}
	assert.Equal(t, map[string]string{
		"effect": "Effects", "gone": "CloseWindow", "dialog": "OpenDialog", "second": "OpenSecond", "moves": "MoveControl", "large": "LargeWindow",
	}, skipped)
}
