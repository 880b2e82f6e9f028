package realmodel_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	embed "github.com/agentfsm/agentfsm/examples/embed/program"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
	linuxagent "github.com/agentfsm/agentfsm/examples/linuxagent/program"
	quickstart "github.com/agentfsm/agentfsm/examples/quickstart/program"
	service "github.com/agentfsm/agentfsm/examples/service/program"
	"github.com/agentfsm/agentfsm/llm"
)

// With this variable the test binary is service/withmodel: the example starts itself.
const asService = "REALMODEL_TEST_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(asService) != "" {
		realmodel.Main(service.Run)
	}
	os.Exit(m.Run())
}

// serve speaks the protocol of OpenAI for a model.
func serve(t *testing.T, model llm.Model) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string `json:"model"`
			Messages []struct {
				Role    llm.Role `json:"role"`
				Content any      `json:"content"`
			} `json:"messages"`
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		assert.Equal(t, "tiny", body.Model)
		req := &llm.Request{}
		for _, m := range body.Messages {
			text, ok := m.Content.(string)
			assert.True(t, ok, "%v", m.Content)
			req.Messages = append(req.Messages, llm.Text(m.Role, text))
		}
		reply, err := model.Complete(r.Context(), req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		message := map[string]string{"role": "assistant", "content": reply.Text}
		assert.NoError(t, json.NewEncoder(w).Encode(map[string]any{
			"object": "chat.completion", "model": "tiny", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}},
			"usage": map[string]int{"prompt_tokens": 20 * reply.Usage.InputTokens, "completion_tokens": reply.Usage.OutputTokens},
		}))
	}))
	t.Cleanup(server.Close)
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "secret")
	t.Setenv("MODEL", "tiny")
}

// A server plays the model of each program by its rules.
func TestServer(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		run   person.Program
		rules llm.Model
		args  []string
		says  string
	}{
		"quickstart": {quickstart.Run, quickstart.Rules, []string{"-out", filepath.Join(dir, "a.xlsx")}, "A bar chart of it is in"},
		"linuxagent": {linuxagent.Run, linuxagent.Rules, []string{"-workbook", filepath.Join(dir, "b.xlsx"), "-confirm", "yes"}, "3047.45"},
		"embed":      {embed.Run, embed.Rules, nil, "job 6 ended"},
		"service":    {service.Run, service.Rules, nil, "the same in all 4 steps"},
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, c.rules)
			t.Setenv(asService, "yes")
			model, err := realmodel.New()
			require.NoError(t, err)
			var out, errs bytes.Buffer
			status := c.run(t.Context(), c.args, person.Console{In: bytes.NewReader(nil), Out: &out, Err: &errs}, model)
			require.Equal(t, 0, status, "%s%s", errs.String(), out.String())
			assert.Contains(t, out.String(), c.says)
		})
	}
	t.Setenv("MODEL", "")
	_, err := realmodel.New()
	require.Error(t, err)
}
