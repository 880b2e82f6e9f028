package linuxdesktop_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
)

// Nobody's screen is driven by mistake: a display and a bus are named.
func TestOpenWithoutAScreen(t *testing.T) {
	t.Setenv("DISPLAY", "")
	_, err := OwnScreen(t.Context())
	var refused *linuxdesktop.OptionsError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "Display", refused.Field)

	for field, opts := range map[string]linuxdesktop.Options{
		"Bus":      {Display: ":0"},
		"Programs": {Display: ":0", Bus: "unix:path=/none", Programs: map[string][]string{"writer": nil}},
	} {
		_, err := linuxdesktop.Open(t.Context(), opts)
		require.ErrorAs(t, err, &refused, field)
		assert.Equal(t, field, refused.Field)
	}
}
