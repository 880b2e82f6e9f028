package playwright_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/commands"
)

func TestConformance(t *testing.T) {
	clicked := map[desktop.Desktop]int{}
	fakes := map[desktop.Desktop]*fake{}
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		f, d := at(t, "form.html", nil)
		fakes[d.Desktop] = f
		return d.Desktop
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: desktop.Texts, Parameters: map[string]any{"id": "page"}},
		Failing: commands.Click("e999", ""),
		Slow:    desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
		Effect:  commands.Click("e31", "Popup"),
		Effects: func(d desktop.Desktop) int {
			for _, call := range fakes[d].took() {
				if call == `browser_click {"element":"button Popup","target":"e31"}` {
					clicked[d]++
				}
			}
			return clicked[d]
		},
		CloseWindow: func(d desktop.Desktop, _ string) { fakes[d].kill() },
	})
}

func TestConformanceOfAWindow(t *testing.T) {
	fakes := map[desktop.Desktop]*fake{}
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		f, d := at(t, "table.html", &playwright.Options{Origins: []string{shop}, Name: "shop"})
		w, err := desktop.Scope(t.Context(), d.Desktop, "1")
		if err != nil {
			t.Fatal(err)
		}
		fakes[w] = f
		return w
	}, &desktoptest.Options{CloseWindow: func(d desktop.Desktop, _ string) { fakes[d].kill() }})
}
