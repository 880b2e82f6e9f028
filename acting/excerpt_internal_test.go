package acting

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/clip"
)

// A long text is cut as if it were read, cut and written, whatever is in it.
func TestAppendClipped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"cell ", "ü", "<&>", `\"`, `\\`, `\n`, `\u00e9`, "\xff", "\u2028", "\u2029", "…", "界", "\x7f"}
	for i := range 300 {
		var text strings.Builder
		few := pieces[:1+random.IntN(len(pieces))] // many have plain text alone
		for text.Len() <= MaxOutput+random.IntN(10) {
			text.WriteString(few[random.IntN(len(few))])
		}
		quoted := []byte(`"` + text.String() + `"`)
		var read string
		assert.NoError(t, json.Unmarshal(quoted, &read))
		assert.Equal(t, string(quote(clip.Text(read, MaxOutput))), string(appendClipped(nil, quoted)), "%d: %q", i, few)
	}
}
