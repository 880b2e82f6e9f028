package openfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/openfiles"
)

func TestIn(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	assert.Zero(t, openfiles.In(t, dir))
	f, err := os.Create(filepath.Join(dir, "f"))
	require.NoError(t, err)
	defer f.Close()
	g, err := os.Create(filepath.Join(other, "g"))
	require.NoError(t, err)
	defer g.Close()
	assert.Equal(t, 1, openfiles.In(t, dir))
	require.NoError(t, os.Remove(f.Name()))
	assert.Equal(t, 1, openfiles.In(t, dir), "it is deleted, and still open")
	require.NoError(t, f.Close())
	assert.Zero(t, openfiles.In(t, dir))
	assert.Equal(t, 1, openfiles.In(t, other))
}
