package hostagent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// The host and its applications leave out the same tools, or have the same Validator.
func TestUncheckedTools(t *testing.T) {
	for _, checked := range []bool{false, true} {
		b := newBench(t, `{"Status": "CONTINUE", "Function": "odd"}`, `{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "x"}`, `{"Status": "FINISH", "Comment": "done"}`)
		b.Desktop.AddTools(desktoptest.Tool{Name: "odd", Schema: `{"dependentRequired": {"a": ["b"]}}`}, desktoptest.Tool{Name: "plain"})
		var log bytes.Buffer
		b.Config.Logger = slog.New(slog.NewTextHandler(&log, nil))
		if checked {
			b.Config.Validator = desktop.LeaveToTool
		}
		var app appagent.Config
		b.Config.NewApp = func(_ context.Context, cfg appagent.Config) (fsm.Worker, error) {
			app = cfg
			return &foreign{name: cfg.Name}, nil
		}
		b.finish()
		assert.Same(t, b.Config.Logger, app.Logger)
		assert.Equal(t, checked, app.Validator != nil)
		var names []string
		for _, tool := range llmtest.Section[[]struct{ Name json.RawMessage }](t, b.Model.Requests()[0], "tools") {
			names = append(names, string(tool.Name))
		}
		assert.Contains(t, names, `"plain"`)
		if checked {
			assert.Contains(t, names, `"odd"`)
			assert.Len(t, b.Desktop.Calls("odd"), 1)
			assert.Empty(t, log.String())
			continue
		}
		assert.NotContains(t, names, `"odd"`)
		assert.Empty(t, b.Desktop.Calls("odd"))
		assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")))
		assert.Contains(t, log.String(), "gen_ai.agent.name=HostAgent")
		assert.Contains(t, log.String(), `tool \"odd\" cannot be used: nothing checks the keyword dependentRequired`)
	}
}

// What a host cannot do without a tool is logged once.
func TestOptionsWithoutTheirTools(t *testing.T) {
	needs := []string{desktop.CaptureDesktopScreenshot, desktop.CloseApplication, desktop.LaunchApplication}
	for _, lacks := range []bool{false, true} {
		b := newBench(t, `{"Status": "CONTINUE", "Function": "wait", "Args": {"seconds": 0}}`, `{"Status": "FINISH", "Comment": "done"}`)
		var log bytes.Buffer
		b.Config.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		b.Config.NoImages, b.Config.CloseApps, b.Config.Apps = false, true, []hostagent.Program{{Name: "word"}, {Name: "calc", Command: []string{"calc.exe"}}}
		if lacks {
			b.Desktop.Without(needs...)
		}
		b.finish()
		if !lacks {
			assert.Empty(t, log.String())
			continue
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		require.Len(t, lines, len(needs))
		for i, option := range []string{`DEBUG "NoImages: false"`, "INFO CloseApps", `INFO "Command of calc"`} {
			level, option, _ := strings.Cut(option, " ")
			assert.Contains(t, lines[i], "level="+level+` msg="option without its tool" gen_ai.agent.name=HostAgent option=`+option+" gen_ai.tool.name="+needs[i])
		}
	}
}
