package adapterstest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Broken is an answer that is no reply, and what an adapter makes of it.
type Broken struct {
	Answer http.HandlerFunc
	Kind   error
	Text   string // of the error, whole
}

// RunBroken asks once for each case. The request quotes what no error may have.
func RunBroken(t *testing.T, a Adapter, cases map[string]Broken) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := Serve(t, c.Answer)
			call := CallError(t, a.at(t, s), Ask("this is the secret plan of the company, keep it"))
			require.ErrorIs(t, call, c.Kind)
			assert.EqualError(t, call, c.Text)
			assert.Len(t, s.Sent(), 1, "the SDK does not try again")
		})
	}
}
