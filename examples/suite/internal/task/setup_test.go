package task_test

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// setUp sets a task up in a folder of the test.
func setUp(t testing.TB, x task.Task) (set *task.Set, dir string) {
	t.Helper()
	dir = t.TempDir()
	set, err := x.SetUp(dir, "home")
	require.NoError(t, err)
	t.Cleanup(set.Close)
	return set, dir
}

func TestSetUp(t *testing.T) {
	x := task.Task{
		Instruction: "Save it in $DIR.", Files: map[string]string{"a.txt": "A of $DIR", "b.txt": ""},
		Opens: [][]string{{"mousepad", "$DIR/a.txt"}, {"chromium", "--user-data-dir=$HOME/chromium", "$PAGE"}},
	}
	set, dir := setUp(t, x)
	assert.Equal(t, "Save it in "+dir+".", set.Instruction)
	assert.Equal(t, [][]string{{"mousepad", dir + "/a.txt"}, {"chromium", "--user-data-dir=home/chromium", ""}}, set.Opens)
	for name, text := range x.Files {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, text, string(raw), "files are as they are written")
	}
	assert.Equal(t, "$DIR/a.txt", x.Opens[0][1], "the task can be set up again, elsewhere")
}

// No file is written outside of the folder, whoever has made the task.
func TestSetUpOutside(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "files")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Symlink(above, filepath.Join(dir, "link")))
	for _, name := range []string{"../x", filepath.Join(above, "x"), "link/x", "none/x"} {
		_, err := task.Task{Files: map[string]string{name: "x"}, Page: "<form>"}.SetUp(dir, "")
		require.ErrorContains(t, err, "task: ", name)
		assert.NoFileExists(t, filepath.Join(above, "x"), name)
	}
	_, err := task.Task{}.SetUp(filepath.Join(above, "none"), "")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// answer sends a request to the page of a task, and reads the answer.
func answer(t testing.TB, method, to, body string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}

// paged is a task with a page, and where that is.
func paged(t testing.TB) (set *task.Set, page string) {
	t.Helper()
	set, _ = setUp(t, task.Task{
		Page: "<h1>Order</h1>", Opens: [][]string{{"chromium", "$PAGE"}}, Ends: round.Finished,
		Expect: []task.Expect{{Sent: map[string]string{"name": "Ada", "amount": "42"}}},
	})
	return set, set.Opens[0][1]
}

func TestPage(t *testing.T) {
	set, page := paged(t)
	status, text := answer(t, http.MethodGet, page, "")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "<h1>Order</h1>", text)
	require.ErrorContains(t, set.Check(t.Context(), round.Finished), "sent 0 times", "looking sends nothing")

	for _, body := range []string{"name=" + strings.Repeat("a", 1<<16), "name=%zz"} {
		status, _ = answer(t, http.MethodPost, page, body)
		assert.Equal(t, http.StatusBadRequest, status)
	}
	require.ErrorContains(t, set.Check(t.Context(), round.Finished), "sent 0 times", "what cannot be read was not sent")

	status, text = answer(t, http.MethodPost, page, url.Values{"name": {"Ada"}, "amount": {"42"}}.Encode())
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, text, "<h1>Thank you</h1>")
	assert.NoError(t, set.Check(t.Context(), round.Finished))

	set.Close()
	_, err := http.Get(page) //nolint:noctx // nobody is there
	assert.Error(t, err)
}

func TestSent(t *testing.T) {
	for name, c := range map[string]struct {
		bodies []string
		says   string
	}{
		"right":       {[]string{"name=Ada&amount=42"}, ""},
		"other value": {[]string{"name=Ada&amount=43"}, "the form was sent with map[amount:43 name:Ada], and should be with map[amount:42 name:Ada]"},
		"one less":    {[]string{"name=Ada"}, "sent with map[name:Ada]"},
		"one more":    {[]string{"name=Ada&amount=42&x="}, "sent with map[amount:42 name:Ada x:]"},
		"twice":       {[]string{"name=Ada&amount=42", "name=Ada&amount=42"}, "sent 2 times"},
	} {
		t.Run(name, func(t *testing.T) {
			set, page := paged(t)
			for _, body := range c.bodies {
				status, _ := answer(t, http.MethodPost, page, body)
				require.Equal(t, http.StatusOK, status)
			}
			err := set.Check(t.Context(), round.Finished)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}
