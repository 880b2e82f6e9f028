package stage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/llm"
)

// hello are rules that answer one prompt.
func hello(req *llm.Request) (string, error) {
	if req.Messages[0].Text() != "hello" {
		return "", &chatserver.RefusalError{Reason: "not hello"}
	}
	return "hi", nil
}

func say(t testing.TB, s *Stage, text string) (string, error) {
	t.Helper()
	resp, err := llm.Complete(t.Context(), s.Model(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
	if err != nil {
		return "", err
	}
	return resp.Text, nil
}

// Without a model of one's own the rules answer, over HTTP, until the Stage is closed.
func TestRulesAnswer(t *testing.T) {
	t.Parallel()
	s := &Stage{cfg: Config{Decide: hello}}
	s.costs.tree = func() int64 { return 0 }
	require.NoError(t, s.choose())
	text, err := say(t, s, "hello")
	require.NoError(t, err)
	assert.Equal(t, "hi", text)
	_, err = say(t, s, "goodbye")
	require.ErrorIs(t, err, llm.ErrRefused)
	assert.ErrorContains(t, err, "not hello")
	assert.Equal(t, 2, s.Costs().Calls)
	assert.Equal(t, 2, s.rules.Calls(), "a refusal is not asked for again")
	require.NoError(t, s.Close())
	_, err = say(t, s, "hello")
	assert.Error(t, err)
}

// A model that is named is asked where the variables say, and not the rules.
func TestOwnModelAnswers(t *testing.T) {
	server, err := chatserver.Start(chatserver.Options{Name: "mine", Decide: hello})
	require.NoError(t, err)
	defer func() { assert.NoError(t, server.Close()) }()
	t.Setenv("OPENAI_BASE_URL", server.URL())
	t.Setenv("OPENAI_API_KEY", server.Key())
	s := &Stage{cfg: Config{Model: "mine", Decide: func(*llm.Request) (string, error) { panic("the rules were asked") }}}
	require.NoError(t, s.choose())
	assert.Nil(t, s.rules)
	text, err := say(t, s, "hello")
	require.NoError(t, err)
	assert.Equal(t, "hi", text)
	assert.Equal(t, 1, server.Calls())
	require.NoError(t, s.Close())
}

// A folder that is named stays, another is gone with the Stage.
func TestFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	own := &Stage{}
	require.NoError(t, own.folders())
	assert.DirExists(t, own.Dir())
	assert.True(t, filepath.IsAbs(own.Dir()))
	require.NoError(t, os.WriteFile(filepath.Join(own.Dir(), "a.docx"), nil, 0o600))
	require.NoError(t, own.Close())
	assert.NoDirExists(t, own.Dir())

	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	require.NoError(t, err)
	named := &Stage{cfg: Config{Dir: filepath.Join("some", "run"), Pictures: filepath.Join("seen", "there")}}
	require.NoError(t, named.folders())
	assert.Equal(t, filepath.Join(here, "some", "run"), named.Dir())
	require.NoError(t, named.Close())
	assert.DirExists(t, named.Dir())
	assert.DirExists(t, filepath.Join("seen", "there"))

	require.NoError(t, os.WriteFile("file", nil, 0o600))
	assert.Error(t, (&Stage{cfg: Config{Dir: filepath.Join("file", "run")}}).folders())
}

// Programs find their settings where the variables of the screen say.
func TestVariables(t *testing.T) {
	t.Parallel()
	s := &Stage{env: []string{"HOMELESS=1", "HOME=there", "HOME=elsewhere", "XDG_CONFIG_HOME=there/config=1"}}
	assert.Equal(t, "there", s.Home())
	assert.Equal(t, "there/config=1", s.Config())
	assert.Empty(t, (&Stage{}).Home())
}

// What is not installed is said before anything starts.
func TestStartWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := filepath.Join(t.TempDir(), "run")
	s, err := Start(t.Context(), Config{Programs: []string{"soffice"}, Dir: dir})
	require.ErrorContains(t, err, "stage: headless: ")
	assert.Nil(t, s)
	assert.NoDirExists(t, dir)
}

func TestCloseOfNothing(t *testing.T) {
	t.Parallel()
	assert.NoError(t, (&Stage{}).Close())
}

// The folder of a run on a screen of its own is in that of the session, which is removed also if the program is killed.
func TestFolderOfARun(t *testing.T) {
	session, own := t.TempDir(), t.TempDir()
	s := &Stage{session: &headless.Session{Dir: session}}
	require.NoError(t, s.folders())
	assert.Equal(t, filepath.Join(session, "stage"), s.dir)
	assert.DirExists(t, s.dir)
	s = &Stage{session: &headless.Session{Dir: session}, cfg: Config{Dir: own}}
	require.NoError(t, s.folders())
	assert.Equal(t, own, s.dir)
	t.Setenv("TMPDIR", own)
	s = &Stage{}
	require.NoError(t, s.folders())
	assert.Equal(t, own, filepath.Dir(s.dir))
}
