package playwright_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A browser that is closed in mid-run does not end the round: the sub-task fails, and
// the host finds another window, at Home.
func TestAHostPlansAnewWhenTheBrowserIsClosed(t *testing.T) {
	t.Run("alone", func(t *testing.T) {
		plansAnew(t, func(d desktop.Desktop) desktop.Desktop { return d })
	})
	t.Run("on a screen", func(t *testing.T) {
		plansAnew(t, func(d desktop.Desktop) desktop.Desktop {
			screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: d})
			require.NoError(t, err)
			return screen
		})
	})
}

func plansAnew(t *testing.T, behind func(desktop.Desktop) desktop.Desktop) {
	t.Helper()
	f := newFake()
	d := browse(t, f, &playwright.Options{Name: "shop", Home: shop + "/form.html"})
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Desktop: behind(d.Desktop),
			Model: llmtest.Script(t,
				`{"Status": "ASSIGN", "ControlText": "shop", "CurrentSubTask": "fill in the form"}`,
				func(*llm.Request) (string, error) {
					f.kill()
					return `{"Status": "CONTINUE", "Function": "set_edit_text", "ControlLabel": "e5", "Args": {"text": "Bob"}}`, nil
				},
				func(req *llm.Request) (string, error) {
					return `{"Status": "ASSIGN", "ControlText": "shop", "CurrentSubTask": "fill in the form again"}`, nil
				},
				func(req *llm.Request) (string, error) {
					controls, ok := llm.FindSection(req, "controls")
					assert.True(t, ok)
					assert.Contains(t, string(controls), "New order")
					return `{"Status": "FINISH", "Function": "set_edit_text", "ControlLabel": "e5", "Args": {"text": "Bob"}, "Result": "done"}`, nil
				},
				`{"Status": "FINISH", "Result": "done", "Open": {"subtask_1": "done: in the new browser"}}`,
			),
		},
	})
	require.NoError(t, err)
	r, err := round.New(host, "order for Bob", nil)
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 2)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
	assert.Equal(t, "FINISH", res.Subtasks[1].Status)
	assert.Contains(t, f.here().tree, "Bob")
}

// What was approved is not clicked on when the page calls it otherwise by now, and a
// list of acts goes on where the page stayed what it was.
func TestAnApprovalIsOfWhatWasShown(t *testing.T) {
	f := newFake()
	d := browse(t, f, &playwright.Options{Home: shop + "/form.html"})
	policy, err := playwright.Policy(nil)
	require.NoError(t, err)
	asked := 0
	agent, err := appagent.New(appagent.Config{
		Desktop: d.Desktop, Policy: policy,
		User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
			asked++
			f.change(func() { f.tabs[0].page.edit(`"Send order"`, `"Delete order"`) })
			return people.Answer{Approved: true}, nil
		}),
		Model: llmtest.Script(t,
			`{"Status": "CONTINUE", "Actions": [
				{"Function": "set_edit_text", "ControlLabel": "e5", "Args": {"text": "Bob"}},
				{"Function": "select_option", "ControlLabel": "e17", "Args": {"options": ["L"]}},
				{"Function": "click_input", "ControlLabel": "e11"}]}`,
			`{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "e23"}`,
			func(req *llm.Request) (string, error) {
				problem, _ := llm.FindSection(req, "last_error")
				assert.Contains(t, string(problem), "was not executed: ")
				return `{"Status": "FAIL", "Comment": "it changed"}`, nil
			},
		),
	})
	require.NoError(t, err)
	r, err := round.New(agent, "order for Bob", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, 1, asked)
	assert.Equal(t, []string{
		`browser_navigate {"url":"http://shop.test/form.html"}`,
		`browser_type {"element":"textbox Customer","target":"e5","text":"Bob"}`,
		`browser_select_option {"element":"combobox Size","target":"e17","values":["L"]}`,
		`browser_click {"element":"checkbox Express","target":"e11"}`,
	}, takeAll(f, "browser_take_screenshot"))
}
