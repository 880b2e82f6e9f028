//go:build !linux

package headless_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

func TestStartElsewhere(t *testing.T) {
	_, err := headless.Start(t.Context(), nil)
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorIs(t, headless.Missing(), errors.ErrUnsupported)
}
