package scenarios_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/commands"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/round"
)

// screenshotTool is the one with which the agent at work looks.
func (s *scene) screenshotTool() string {
	if s.App {
		return desktop.CaptureWindowScreenshot
	}
	return desktop.CaptureDesktopScreenshot
}

// pictures counts the images of the i-th prompt.
func (s *scene) pictures(i int) int {
	n := 0
	for _, msg := range s.Model.Requests()[i].Messages {
		for _, part := range msg.Parts {
			if part.Image != nil {
				n++
			}
		}
	}
	return n
}

// unseen is what the i-th prompt says could not be seen.
func (s *scene) unseen(i int) []string {
	s.t.Helper()
	if !s.hasSection(i, "not_observed") {
		return nil
	}
	return prompt[[]string](s.stage, i, "not_observed")
}

// raw is a result with that JSON.
func raw(text string) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(text)}}}
}

// degrade is a way in which a tool that looks may be of no use, and what is said about it.
type degrade struct {
	of   string // of which tool only: screenshot, controls or windows; "": of any
	do   func(d *desktoptest.Desktop, tool string)
	says string
}

func lies(res desktop.Result) func(*desktoptest.Desktop, string) {
	return func(d *desktoptest.Desktop, tool string) { d.Lie(tool, res) }
}

func picture(mediaType, data string) func(*desktoptest.Desktop, string) {
	image := &desktop.Image{MediaType: mediaType, Data: []byte(data)}
	return lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: image}}})
}

var uselessTools = map[string]degrade{
	"no tool":        {"", func(d *desktoptest.Desktop, tool string) { d.Without(tool) }, "tool "},
	"refused":        {"", func(d *desktoptest.Desktop, tool string) { d.Fail(tool, "the screen is locked") }, "the screen is locked"},
	"transport cut":  {"", func(d *desktoptest.Desktop, tool string) { d.Break(tool, io.ErrUnexpectedEOF) }, "unexpected EOF"},
	"too slow":       {"", func(d *desktoptest.Desktop, tool string) { d.Slow(tool, time.Hour) }, "no answer within 1m0s"},
	"never":          {"", func(d *desktoptest.Desktop, tool string) { d.Slow(tool, -1) }, "no answer within 1m0s"},
	"only words":     {"", lies(desktop.TextResult(`[{"id": "1",`)), "no such content"},
	"nothing":        {"", lies(desktop.Result{Status: desktop.Success}), "no such content"},
	"skipped":        {"", lies(desktop.Result{Status: desktop.Skipped}), "it was skipped"},
	"another status": {"", lies(desktop.Result{Status: "ok"}), `unknown status "ok"`},
	"another call":   {"", lies(desktop.Result{Status: desktop.Success, CallID: "7"}), `it answers the call "7"`},
	"broken JSON":    {"", lies(raw(`[{"id":`)), "content 0 is not valid JSON"},

	"empty image":    {"screenshot", picture("image/png", ""), "no such content"},
	"not a picture":  {"screenshot", picture("image/png", "<html>"), `said to be "image/png", cannot be read`},
	"a torn picture": {"screenshot", picture("image/png", "\x89PNG\r\n\x1a\n\x00\x00"), `said to be "image/png", cannot be read`},
	"no media type":  {"screenshot", picture("", "x"), `said to be "", cannot be read`},
	"another medium": {"screenshot", picture("text/html", "x"), `said to be "text/html", cannot be read`},

	"no tree":      {"controls", lies(raw(`"a tree"`)), "cannot unmarshal"},
	"numbers":      {"controls", lies(raw(`[1,2]`)), "cannot unmarshal"},
	"another form": {"windows", lies(raw(`{"windows": 3}`)), "window 0 has no id"},
	"a number":     {"windows", lies(raw(`7`)), "cannot unmarshal number"},
}

// Without a screenshot or controls the prompt says so and the run goes on. Without a list of windows the model is
// not asked about nothing.
func TestScenario34_ToolsOfNoUse(t *testing.T) {
	for what, kinds := range map[string]string{"screenshot": "host app", "controls": "app", "windows": "host"} {
		for name, c := range uselessTools {
			if c.of != "" && c.of != what {
				continue
			}
			t.Run(what+"/"+name, func(t *testing.T) {
				forKinds(t, kinds, func(t *testing.T, open func(...any) *scene) {
					if what == "windows" {
						s := open()
						c.do(s.Desktop, desktop.GetDesktopAppInfo)
						res, err := s.play()
						require.ErrorContains(t, err, "gives no window list")
						require.ErrorContains(t, err, c.says, "with the cause")
						assert.Equal(t, round.Faulted, res.Outcome)
						assert.Empty(t, s.Model.Requests())
						return
					}
					s := open(call("CONTINUE", "note", map[string]any{"text": "x"}), finish("done"))
					tool, seen := s.screenshotTool(), 0
					if what == "controls" {
						tool, seen = desktop.GetUITree, 1
					}
					c.do(s.Desktop, tool)
					res, err := s.play()
					require.NoError(t, err, "the run goes on")
					assert.Equal(t, "done", res.Answer)
					assert.Len(t, s.Desktop.Calls("note"), 1, "what is known otherwise can be acted on")
					for i := range 2 {
						assert.Equal(t, seen, s.pictures(i))
						require.Len(t, s.unseen(i), 1, "the prompt says so, once")
						assert.Contains(t, s.unseen(i)[0], "no "+what+": ")
						assert.Contains(t, s.unseen(i)[0], c.says)
						assert.Equal(t, s.App && seen == 0, s.hasSection(i, "controls"))
					}
				})
			})
		}
	}
}

// A provider goes by the media type. It is that of the data.
func TestScenario34_ScreenshotOfAnotherForm(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(finish("done"))
		shot, err := commands.Do(t.Context(), s.Desktop, desktop.Command{ToolName: s.screenshotTool()})
		require.NoError(t, err)
		shot.CallID, shot.Content[0].Image.MediaType = "", "image/jpeg"
		s.Desktop.Lie(s.screenshotTool(), shot)
		_, err = s.play()
		require.NoError(t, err)
		assert.Empty(t, s.unseen(0))
		require.Equal(t, 1, s.pictures(0))
		parts := s.Model.Last().Messages[1].Parts
		assert.Equal(t, "image/png", parts[len(parts)-1].Image.MediaType)
	})
}

// One tool or window that cannot be used costs that one, and the model is told.
func TestScenario34_OneBadEntryOfAList(t *testing.T) {
	bad := &counter{}
	bad.offer(
		desktop.Tool{Name: "broken", InputSchema: json.RawMessage(`{"type": 7}`)}, desktop.Tool{},
		desktop.Tool{Name: "wipe"}, desktop.Tool{Name: "fine"},
	)
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(call("CONTINUE", "broken", nil), call("CONTINUE", "fine", nil), finish("done"))
		s.Config.Desktop = desktop.Join(s.Desktop, bad)
		_, err := s.play()
		require.NoError(t, err)
		assert.Contains(t, bad.ran, "fine of ")
		unseen := strings.Join(s.unseen(0), "\n")
		assert.Contains(t, unseen, "no tool broken: #/type: ")
		assert.Contains(t, unseen, "no tool wipe: another tool has the same name")
		assert.Contains(t, prompt[string](s.stage, 1, "last_error"), "tool broken: ")
	})
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		click := func(id string) any {
			return map[string]any{"Status": "CONTINUE", "Function": desktop.ClickInput, "ControlLabel": id}
		}
		s := open(click("7"), click("1"), finish("done"))
		s.Word.SetControls(desktop.Control{ID: "1", Name: "Save"})
		lies(raw(`[{"id": "1", "name": "Save"}, {"id": "7", "name": "Keep", "children": [{"id": "7", "name": "Delete"}]}, {"name": "nameless"}]`))(s.Desktop, desktop.GetUITree)
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, []desktop.Control{
			{ID: "1", Name: "Save"}, {Name: "Keep", Children: []desktop.Control{{Name: "Delete"}}}, {Name: "nameless"},
		}, prompt[[]desktop.Control](s.stage, 0, "controls"), "a command for one of them may meet the other")
		assert.Contains(t, strings.Join(s.unseen(0), "\n"), `two controls have the id "7"`)
		assert.Contains(t, prompt[string](s.stage, 1, "last_error"), `ControlLabel "7" is not among the controls`)
		assert.Len(t, s.Desktop.Calls(desktop.ClickInput), 1, "the others can be used")
	})
	forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
		s := open(assign("0", "read"), finish("read"), finish("done"))
		lies(raw(`[{"root": "nameless"}, {"id": "7", "root": "a"}, {"id": "7", "root": "b"},
			{"id": "1", "root": "word", "process": "report"}]`))(s.Desktop, desktop.GetDesktopAppInfo)
		_, err := s.play()
		require.NoError(t, err)
		assert.Len(t, prompt[[]any](s.stage, 0, "windows"), 1)
		unseen := strings.Join(s.unseen(0), "\n")
		assert.Contains(t, unseen, "window 0 has no id")
		s = open(call("CONTINUE", "note", map[string]any{"text": "x"}), finish("no window"))
		lies(raw(`[{"root": "splash"}]`))(s.Desktop, desktop.GetDesktopAppInfo)
		s.Desktop.Without(desktop.GetAppWindow)
		_, err = s.play()
		require.NoError(t, err, "also where no other is left")
		assert.Empty(t, prompt[[]any](s.stage, 0, "windows"))
		assert.Contains(t, prompt[string](s.stage, 1, "last_error"), "which one has the focus cannot be told")
		assert.Empty(t, s.Desktop.Calls("note"))
		assert.Contains(t, unseen, `two windows have the id "7"`)
	})
}
