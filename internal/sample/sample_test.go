package sample_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
)

func TestForms(t *testing.T) {
	given := flag.Lookup("test.short").Value.String()
	t.Cleanup(func() { require.NoError(t, flag.Set("test.short", given)) })
	raced := map[bool]int{false: 1, true: 8}[sample.UnderRace]
	for short, want := range map[string]struct{ every, of, raced int }{"true": {13, 500, raced}, "false": {1, 10_000, 1}} {
		require.NoError(t, flag.Set("test.short", short))
		assert.Equal(t, want.every, sample.Every(13), "-short=%s", short)
		assert.Equal(t, want.of, sample.Of(10_000, 500), "-short=%s", short)
		assert.Equal(t, want.raced, sample.Raced(8), "-short=%s", short)
	}
}
