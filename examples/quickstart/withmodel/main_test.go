package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
)

// replies are those of a model that does the job.
var replies = []string{
	`{"Status": "ASSIGN", "ControlText": "Word", "CurrentSubTask": "read the sales"}`,
	`{"Status": "CONTINUE", "Function": "list_tables", "Args": {}}`,
	`{"Status": "CONTINUE", "Function": "extract_table", "Args": {"number": 2}}`,
	`{"Status": "FINISH", "Result": "read"}`,
	`{"Status": "ASSIGN", "ControlText": "Excel", "CurrentSubTask": "draw them"}`,
	`{"Status": "CONTINUE", "Function": "write_rows", "Args": {"rows": [["Region", "2024"], ["North", 1498.2]]}}`,
	`{"Status": "CONTINUE", "Function": "add_bar_chart", "Args": {"range": "A1:B2", "columns": ["B"]}}`,
	`{"Status": "CONTINUE", "Function": "save_workbook", "Args": {}}`,
	`{"Status": "FINISH", "Result": "saved"}`,
	`{"Status": "FINISH", "Result": "It is drawn."}`,
}

// A server that speaks the protocol of OpenAI is the model, with the tools of the quickstart.
func TestServer(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		assert.Contains(t, string(body), `"model":"tiny"`)
		w.Header().Set("Content-Type", "application/json")
		message := map[string]string{"role": "assistant", "content": replies[min(calls, len(replies)-1)]}
		calls++
		assert.NoError(t, json.NewEncoder(w).Encode(map[string]any{
			"object": "chat.completion", "model": "tiny", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}},
		}))
	}))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "secret")
	t.Setenv("MODEL", "tiny")
	path := filepath.Join(t.TempDir(), "a.xlsx")
	var out, errs bytes.Buffer
	c := person.Console{In: bytes.NewReader(nil), Out: &out, Err: &errs}
	require.Equal(t, 0, run(t.Context(), []string{"-out", path}, c), "%s%s", errs.String(), out.String())
	assert.Regexp(t, `^The model is tiny\.\n`, out.String())
	assert.Contains(t, out.String(), "It is drawn.\n")
	assert.Equal(t, len(replies), calls)
	_, err := os.Stat(path)
	require.NoError(t, err)
	t.Setenv("MODEL", "")
	assert.Equal(t, 2, run(t.Context(), nil, c))
}
