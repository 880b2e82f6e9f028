package llmtest_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

const secret = `hunter"2<&>\é`

func TestCassetteHidesSecrets(t *testing.T) {
	inJSON, err := json.Marshal(map[string]string{"password": secret})
	require.NoError(t, err)
	twice, err := json.Marshal(string(inJSON))
	require.NoError(t, err)
	section := prompt(t, llm.Section{Name: "login", Value: secret})
	everywhere := secret + "\n" + string(inJSON) + "\n" + string(twice) + "\n" + section + "\n" + url.QueryEscape(secret) + "\n" +
		base64.StdEncoding.EncodeToString([]byte(secret)) + "\n" + base64.URLEncoding.EncodeToString([]byte(secret))
	req := ask(everywhere)
	req.Schema = &llm.Schema{Name: "s", Description: secret, JSON: inJSON}
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: &llm.Image{MediaType: secret, Data: []byte(secret)}})
	failure := &llm.CallError{Kind: llm.ErrRejected, Model: secret, Message: everywhere, Err: errors.New(everywhere)}
	model := llmtest.Script(t, &llm.Response{Text: everywhere, Model: secret, FinishReason: secret}, failure, errors.New(everywhere))
	opts := llmtest.CassetteOptions{Record: model, Secrets: []string{secret}}
	talk := func(m llm.Model) string {
		resp, err := m.Complete(t.Context(), req)
		require.NoError(t, err)
		for range 2 {
			_, err := m.Complete(t.Context(), req)
			require.Error(t, err)
		}
		return resp.Text
	}
	path, content := record(t, opts, func(m llm.Model) { assert.Equal(t, everywhere, talk(m), "the recording run needs the secret") })
	for _, part := range []string{"hunter", "aHVudGVy"} {
		assert.NotContains(t, content, part)
	}
	assert.Contains(t, content, "***")
	tape, f := replay(t, path, &llmtest.CassetteOptions{Secrets: []string{secret, ""}})
	assert.NotContains(t, talk(tape), "hunter")
	f.end()
	assert.Empty(t, f.failures())

	tape, f = replay(t, path, &llmtest.CassetteOptions{Secrets: []string{secret}})
	_, err = tape.Complete(t.Context(), ask("my password is "+secret))
	var miss *llmtest.MissError
	require.ErrorAs(t, err, &miss)
	assert.Contains(t, miss.Diff, "+ my password is ***")
	assert.NotContains(t, f.failures(), "hunter")
}

func TestCassetteRedacts(t *testing.T) {
	digits := regexp.MustCompile(`\d{6}`)
	opts := llmtest.CassetteOptions{Record: parrot(), Redact: func(s string) string { return digits.ReplaceAllString(s, "<code>") }}
	path, content := record(t, opts, func(m llm.Model) { text(t, m, ask("my code is 123456")) })
	assert.NotContains(t, content, "123456")
	opts.Record = nil
	tape, f := replay(t, path, &opts)
	assert.Equal(t, "1: my code is <code>", text(t, tape, ask("my code is 654321")))
	f.end()
	assert.Empty(t, f.failures())
}

func TestCassetteRefusesSecretsThatAreNone(t *testing.T) {
	for name, tc := range map[string]struct {
		secret, record, want string
	}{
		"short":                 {"abc", "", "value 2 of Secrets has fewer than 4 bytes"},
		"short, recording":      {"abc", "1", "value 2 of Secrets has fewer than 4 bytes"},
		"not set, recording":    {"", "1", "value 2 of Secrets is empty"},
		"not set when replayed": {"", "", "there is no such recording"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("CI", "")
			t.Setenv(llmtest.RecordVariable, tc.record)
			f := &fakeTB{}
			llmtest.Cassette(f, filepath.Join(t.TempDir(), "x.json"), &llmtest.CassetteOptions{Record: parrot(), Secrets: []string{"long enough", tc.secret}})
			assert.Contains(t, f.fatal, tc.want)
			assert.NotContains(t, f.fatal, "abc")
		})
	}
}

func TestCassetteRefusesWhatLooksLikeACredential(t *testing.T) {
	for text, what := range map[string]string{
		"Authorization: Bearer abc123def456ghi789":        "a bearer token",
		`{"Authorization": "Bearer abc123def456ghi789"}`:  "a bearer token",
		`"{\"Authorization\": \"Bearer abc123def456gh\"}`: "a bearer token",
		"authorization: token0123456789":                  "an Authorization header",
		"Authorization: Basic dXNlcjpwYXNzd29yZDE=":       "basic credentials",
		"x-api-key: 0123456789abcdef0123":                 "an API key",
		`"api_key": "0123456789abcdef0123"`:               "an API key",
		"use sk-proj-0123456789abcdefghijklm, please":     "a key that begins with sk-",
		"sk-ant-api03-0123456789abcdefghijklm":            "a key that begins with sk-",
		"ghp_0123456789abcdefghijklmnopqrstuvwxyz":        "a GitHub token",
		"glpat-0123456789abcdefghij":                      "a GitLab token",
		"xoxb-0123456789-abcdef":                          "a Slack token",
		"AIzaSyA0123456789abcdefghijklmnopqrstuvw":        "a Google API key",
		"AKIAIOSFODNN7EXAMPLE":                            "an AWS access key",
		"hf_0123456789abcdefghijklmnopqrstuv":             "a Hugging Face token",
		"-----BEGIN RSA PRIVATE KEY-----":                 "a private key",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln":   "a JSON Web Token",
		"postgres://admin:swordfish@db/prod":              "a password in a URL",
	} {
		t.Run(what, func(t *testing.T) {
			recording(t, true)
			for place, tc := range map[string]struct {
				req   string
				model llm.Model
			}{
				"the request": {text, llmtest.Script(t)},
				"the reply":   {"hi", llmtest.Script(t, text)},
			} {
				path := filepath.Join(t.TempDir(), "x.json")
				f := &fakeTB{}
				tape := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: tc.model})
				resp, err := tape.Complete(t.Context(), ask(tc.req))
				require.ErrorIs(t, err, llmtest.ErrCassette)
				assert.Nil(t, resp)
				assert.Contains(t, f.failures(), place+" holds what looks like "+what)
				assert.NotContains(t, f.failures(), text)
				f.end()
				assert.NoFileExists(t, path)
			}
		})
	}
}

func TestCassetteRecordsWhatOnlySoundsLikeACredential(t *testing.T) {
	record(t, llmtest.CassetteOptions{Record: parrot()}, func(m llm.Model) {
		for _, harmless := range []string{
			"Authorization: required for all requests", "a basic understanding of internationalization", "bearer authentication is used",
			"task-sk-learning about scikit", "sk-learn-introduction-for-everybody", "the API key: see the settings-of-your-account", "Authorization: Bearer ***",
			"https://example.com:8080/a@b", "time 12:30:45 me@example.com", "Bearer <token>", "postgres://admin:***@db/prod",
		} {
			text(t, m, ask(harmless))
		}
	})
}

func TestCassetteLooksAgainBeforeItWrites(t *testing.T) {
	recording(t, true)
	path := filepath.Join(t.TempDir(), "x.json")
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, &llmtest.CassetteOptions{Record: parrot(), Secrets: []string{"swordfish"}, Normalize: func(s string) string { return s + "swordfish" }})
	_, err := tape.Complete(t.Context(), ask("x"))
	require.NoError(t, err)
	f.end()
	assert.Contains(t, f.failures(), "was not written: a secret would be in it")
	_, err = os.Stat(path)
	require.ErrorIs(t, err, os.ErrNotExist)
}
