package llmtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is read is written as the same, and read again as the same.
func FuzzParseCassette(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Add([]byte(`{"version":1,"exchanges":[{"request":{"messages":null},"replies":[{"waits":true}]}]}`))
	f.Add([]byte(`{"version":1,"exchanges":[{"request":{"messages":[],"schema":{"name":"","schema":1e400}},"replies":[{"error":{"kind":"call"}}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseCassette(raw)
		if err != nil {
			assert.Nil(t, c)
			return
		}
		written, err := writeJSON(c)
		require.NoError(t, err)
		again, err := parseCassette(written)
		require.NoError(t, err)
		rewritten, err := writeJSON(again)
		require.NoError(t, err)
		assert.Equal(t, string(written), string(rewritten))
		for i, x := range c.Exchanges {
			before, err := x.Request.key()
			require.NoError(t, err)
			after, err := again.Exchanges[i].Request.key()
			require.NoError(t, err)
			assert.Equal(t, before, after, "the key does not depend on how a file is written")
			for _, r := range x.Replies {
				resp, err := r.result()
				assert.True(t, r.Waits || resp != nil || err != nil)
			}
		}
	})
}

func TestEditsOfWhatIsTooLong(t *testing.T) {
	a := strings.Split(strings.Repeat("a\nx\n", 1000)+"end", "\n")
	b := strings.Split(strings.Repeat("a\ny\n", 1000)+"end", "\n")
	assert.Equal(t, len(a)+len(b)-2, len(edits(a, b)), "all but the first and the last line is replaced") //nolint:testifylint // Len would print them all
}
