//go:build linux

package script_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/office/internal/script"
	"github.com/agentfsm/agentfsm/examples/office/stage"
)

func TestRealScript(t *testing.T) {
	s, err := stage.Start(t.Context(), stage.Config{Programs: []string{"soffice"}})
	require.NoError(t, err)
	defer s.Close()
	in := filepath.Join(s.Dir(), "report.docx")
	require.NoError(t, sample.Sales().WriteFile(in))
	began := time.Now()
	out := filepath.Join(s.Dir(), "sales.xlsx")
	err = script.Run(s.Watch(t.Context()), s.Desktop(), script.Job{
		Writer:  []string{"soffice", "--norestore", "--nologo", in},
		Calc:    []string{"soffice", "--calc", "--norestore", "--nologo"},
		Request: sample.Request, Out: out,
	})
	fmt.Println(time.Since(began), s.Costs())
	for k, v := range s.Costs().ByTool {
		fmt.Println("   ", k, v.Calls, v.Time)
	}
	res, _ := s.Desktop().Execute(t.Context(), desktop.Command{ToolName: desktop.CaptureDesktopScreenshot, Parameters: map[string]any{}})
	os.WriteFile("/tmp/probe/screen.png", res.Content[0].Image.Data, 0o644)
	require.NoError(t, err)
	raw, _ := os.ReadFile(out)
	os.WriteFile("/tmp/probe/out.xlsx", raw, 0o644)
}
