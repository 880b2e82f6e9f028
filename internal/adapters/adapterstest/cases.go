package adapterstest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
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
			req := Ask("this is the secret plan of the company, keep it")
			req.Messages = append(req.Messages, llm.Text(llm.User, "p4ssw0rd"), llm.Text(llm.User, "x"))
			call := CallError(t, a.at(t, s), req)
			require.ErrorIs(t, call, c.Kind)
			assert.EqualError(t, call, c.Text)
			assert.Len(t, s.Sent(), 1, "the SDK does not try again")
		})
	}
}

// Format is how a protocol asks for a reply that fits a schema, and how servers refuse
// that.
type Format struct {
	Field   string // of the request
	Failure func(words string) http.HandlerFunc
	Refusal http.HandlerFunc // the model would not answer
	Cases   map[string]Unstructured
}

// Unstructured is a server that takes no schema.
type Unstructured struct {
	Refusal    http.HandlerFunc
	Asked      int  // calls for two requests
	Remembered bool // the second request does not try it again
}

// RunFormat tests what an adapter does without the help of the server.
func RunFormat(t *testing.T, a Adapter, f Format) {
	t.Helper()
	for name, c := range f.Cases {
		t.Run(name, func(t *testing.T) { testUnstructured(t, a, f.Field, c) })
	}
	field := `"` + f.Field + `"`
	refused := f.Failure(f.Field + " is not supported, and nothing else is")
	// A second refusal says that the format was not what was wrong.
	t.Run("in vain", func(t *testing.T) {
		s := Serve(t, refused)
		m := a.at(t, s)
		for range 2 {
			require.ErrorIs(t, CallError(t, m, Structured(t, "how much?")), llm.ErrRejected)
		}
		sent := s.Sent()
		require.Len(t, sent, 4)
		assert.Contains(t, sent[2], field)
	})
	// A model that would not answer was asked all the same: that is remembered.
	t.Run("before a refusal", func(t *testing.T) {
		s := Serve(t, Refuses(f.Field, refused, f.Refusal))
		m := a.at(t, s)
		for range 2 {
			require.ErrorIs(t, CallError(t, m, Structured(t, "how much?")), llm.ErrRefused)
		}
		sent := s.Sent()
		require.Len(t, sent, 3)
		assert.NotContains(t, sent[2], field)
	})
	// Free text has no format that could be left out.
	t.Run("without a schema", func(t *testing.T) {
		s := Serve(t, refused)
		require.ErrorIs(t, CallError(t, a.at(t, s), Ask("how much?")), llm.ErrRejected)
		assert.Len(t, s.Sent(), 1)
	})
}

func testUnstructured(t *testing.T, a Adapter, name string, c Unstructured) {
	t.Helper()
	const good = `{"Answer": "42"}`
	field := `"` + name + `"`
	s := Serve(t, Refuses(name, c.Refusal, a.says(good)))
	m := a.at(t, s)
	for range 2 {
		resp, err := m.Complete(t.Context(), Structured(t, "how much?"))
		if c.Asked == 2 {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, good, resp.Text)
	}
	sent := s.Sent()
	require.Len(t, sent, c.Asked)
	assert.Contains(t, sent[0], field)
	if c.Asked > 2 {
		assert.NotContains(t, sent[1], field)
		assert.Contains(t, sent[1], "fits this JSON Schema")
	}
	if c.Remembered {
		assert.NotContains(t, sent[2], field)
	} else {
		assert.Contains(t, sent[c.Asked/2], field)
	}
}
