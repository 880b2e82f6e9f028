package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// What the model reads in a run of the sample, schemas among it, and what of that no earlier request began
// with: what a provider whose cache knows beginnings must read anew. The numbers may only fall. A few bytes
// are for the digits of times.
const (
	maxRead = 60_000
	maxNew  = 20_000
)

func TestPromptBytes(t *testing.T) {
	var earlier []string
	read, fresh := 0, 0
	ctx := llm.WithInterceptor(t.Context(), func(next llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, request *llm.Request) (*llm.Response, error) {
			text := requestText(request)
			known := 0
			for _, e := range earlier {
				known = max(known, commonPrefix(e, text))
			}
			read, fresh = read+len(text), fresh+len(text)-known
			earlier = append(earlier, text)
			return next.Complete(ctx, request)
		})
	})
	var out, errs bytes.Buffer
	c := console{in: strings.NewReader(""), out: &out, err: &errs}
	require.Equal(t, 0, run(ctx, []string{"-out", filepath.Join(t.TempDir(), "sales.xlsx")}, c), errs.String())

	assert.Equal(t, 10, len(earlier)) //nolint:testifylint // Len would print every prompt
	assert.LessOrEqual(t, read, maxRead)
	assert.LessOrEqual(t, fresh, maxNew)
	t.Logf("requests=%d read=%d new=%d", len(earlier), read, fresh) // bench reads it
}

// requestText is a request in the order in which providers give it to a model: what a
// reply must look like, then the messages.
func requestText(request *llm.Request) string {
	var text strings.Builder
	if request.Schema != nil {
		text.Write(request.Schema.JSON)
	}
	for i := range request.Messages {
		text.WriteString(request.Messages[i].Text())
	}
	return text.String()
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
