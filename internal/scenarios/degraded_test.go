package scenarios_test

import (
	"encoding/json"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/commands"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
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

// degrade are the ways in which a tool that looks may be of no use, and what is
// said about them.
type degrade struct {
	do   func(d *desktoptest.Desktop, tool string)
	says string
}

var uselessTools = map[string]degrade{
	"no tool":        {func(d *desktoptest.Desktop, tool string) { d.Without(tool) }, "the desktop has no tool "},
	"refused":        {func(d *desktoptest.Desktop, tool string) { d.Fail(tool, "the screen is locked") }, "the screen is locked"},
	"transport cut":  {func(d *desktoptest.Desktop, tool string) { d.Break(tool, io.ErrUnexpectedEOF) }, "unexpected EOF"},
	"too slow":       {func(d *desktoptest.Desktop, tool string) { d.Slow(tool, time.Hour) }, "no answer within 1m0s"},
	"never":          {func(d *desktoptest.Desktop, tool string) { d.Slow(tool, -1) }, "no answer within 1m0s"},
	"only words":     {func(d *desktoptest.Desktop, tool string) { d.Lie(tool, desktop.TextResult("done")) }, "no such content"},
	"nothing":        {func(d *desktoptest.Desktop, tool string) { d.Lie(tool, desktop.Result{Status: desktop.Success}) }, "no such content"},
	"skipped":        {func(d *desktoptest.Desktop, tool string) { d.Lie(tool, desktop.Result{Status: desktop.Skipped}) }, "it was skipped"},
	"another status": {func(d *desktoptest.Desktop, tool string) { d.Lie(tool, desktop.Result{Status: "ok"}) }, `unknown status "ok"`},
	"another call": {
		func(d *desktoptest.Desktop, tool string) {
			d.Lie(tool, desktop.Result{Status: desktop.Success, CallID: "7"})
		},
		`it answers the call "7"`,
	},
}

func lies(res desktop.Result) func(*desktoptest.Desktop, string) {
	return func(d *desktoptest.Desktop, tool string) { d.Lie(tool, res) }
}

// with returns uselessTools and more.
func with(more map[string]degrade) map[string]degrade {
	all := map[string]degrade{}
	for _, some := range []map[string]degrade{uselessTools, more} {
		maps.Copy(all, some)
	}
	return all
}

func TestScenario34_NoScreenshot(t *testing.T) {
	for name, c := range with(map[string]degrade{
		"empty image":     {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: nil}}}}), "no such content"},
		"not a picture":   {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte("<html>")}}}}), `said to be "image/png", cannot be read`},
		"a torn picture":  {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n\x00\x00")}}}}), `said to be "image/png", cannot be read`},
		"no media type":   {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "", Data: []byte("x")}}}}), `said to be "", cannot be read`},
		"another medium":  {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "text/html", Data: []byte("x")}}}}), `said to be "text/html", cannot be read`},
		"broken beside":   {lies(desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage("{")}}}), "content 0 is not valid JSON"},
		"a path, no more": {lies(desktop.TextResult("/tmp/shot.png")), "no such content"},
	}) {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(call("CONTINUE", "note", map[string]any{"text": "x"}), finish("done"))
				c.do(s.Desktop, s.screenshotTool())
				res, err := s.play()
				require.NoError(t, err, "the run goes on")
				assert.Equal(t, "done", res.Answer)
				assert.Len(t, s.Desktop.Calls("note"), 1)
				for i := range 2 {
					assert.Zero(t, s.pictures(i))
					require.Len(t, s.unseen(i), 1, "the prompt says so, once")
					assert.Contains(t, s.unseen(i)[0], "no screenshot: ")
					assert.Contains(t, s.unseen(i)[0], c.says)
				}
			})
		})
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

func TestScenario34_NoControls(t *testing.T) {
	for name, c := range with(map[string]degrade{
		"JSON of something else": {lies(raw(`"a tree"`)), "cannot unmarshal"},
		"numbers":                {lies(raw(`[1,2]`)), "cannot unmarshal"},
		"broken JSON":            {lies(raw(`[{"id":`)), "content 0 is not valid JSON"},
		"broken JSON as text":    {lies(desktop.TextResult(`[{"id": "1",`)), "no such content"},
	}) {
		t.Run(name, func(t *testing.T) {
			forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
				s := open(onControlless("click_input", "5"), finish("done"))
				s.Word.SetControls(desktop.Control{ID: "5", Name: "Save"})
				c.do(s.Desktop, desktop.GetUITree)
				res, err := s.play()
				require.NoError(t, err, "the run goes on")
				assert.Equal(t, "done", res.Answer)
				assert.Len(t, s.Desktop.Calls("click_input"), 1, "what is known otherwise can be acted on")
				for i := range 2 {
					require.Len(t, s.unseen(i), 1)
					assert.Contains(t, s.unseen(i)[0], "no controls: ")
					assert.Contains(t, s.unseen(i)[0], c.says)
					assert.False(t, s.hasSection(i, "controls"))
					assert.Equal(t, 1, s.pictures(i))
				}
			})
		})
	}
}

// onControlless is a call on a control of which only the id is known.
func onControlless(tool, id string) any {
	return call("CONTINUE", tool, map[string]any{"id": id})
}

func TestScenario34_NoWindowList(t *testing.T) {
	for name, c := range with(map[string]degrade{
		"no tool":              {func(d *desktoptest.Desktop, tool string) { d.Without(tool) }, "hostagent: "},
		"broken JSON":          {lies(raw(`[{"id":`)), "content 0 is not valid JSON"},
		"broken JSON as text":  {lies(desktop.TextResult(`[{"id": "1"`)), "no such content"},
		"JSON of another form": {lies(raw(`{"windows": 3}`)), "window 0 has no id"},
		"a number":             {lies(raw(`7`)), "cannot unmarshal number"},
	}) {
		t.Run(name, func(t *testing.T) {
			forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
				s := open()
				c.do(s.Desktop, desktop.GetDesktopAppInfo)
				res, err := s.play()
				require.ErrorContains(t, err, "gives no window list")
				require.ErrorIs(t, err, round.ErrFault)
				require.ErrorContains(t, err, c.says, "with the cause")
				assert.Equal(t, fsm.Error, res.Status)
				assert.Equal(t, round.Faulted, res.Outcome)
				assert.Empty(t, res.Answer)
				assert.Empty(t, s.Model.Requests(), "the model is not asked about nothing")
			})
		})
	}
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
