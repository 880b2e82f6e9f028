package peers

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryMachineMoves(t *testing.T) {
	for name, walk := range walks() {
		arrived, err := walk(t.Context(), 9)
		require.NoError(t, err, name)
		assert.Equal(t, 5, arrived, name)
	}
}

// One operation is one transition. What setting a machine up costs is spread
// over all of them.
func BenchmarkTransition(b *testing.B) {
	all := walks()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			if _, err := all[name](b.Context(), b.N); err != nil {
				b.Fatal(err)
			}
		})
	}
}
