//go:build linux

package papers_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/office/internal/papers"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// What is read through the tree is what the document was made of.
func TestRealTables(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing("soffice"))
	s, err := stage.Start(t.Context(), stage.Config{Programs: []string{"soffice"}})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	// The first two begin at the end of a page.
	seeds := []uint64{4503, 4014}
	for n := range uint64(18) {
		seeds = append(seeds, 5100+n)
	}
	for _, seed := range seeds[:realpartstest.Runs(len(seeds))] {
		c := sample.Paper(seed)
		file := filepath.Join(s.Dir(), fmt.Sprintf("paper%d.docx", c.Seed))
		require.NoError(t, c.Document.WriteFile(file))
		res, err := s.Desktop().Execute(t.Context(), desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{
			"name": "soffice", "command": []any{"soffice", "--norestore", "--nologo", file},
		}})
		require.NoError(t, err)
		require.Equal(t, desktop.Success, res.Status)
		var w desktop.Window
		require.Eventually(t, func() bool {
			list, err := desktop.Windows(t.Context(), s.Desktop())
			at := slices.IndexFunc(list, func(w desktop.Window) bool { return strings.HasPrefix(w.Title, filepath.Base(file)) })
			if at >= 0 {
				w = list[at]
			}
			return err == nil && at >= 0
		}, 2*time.Minute, 50*time.Millisecond)
		d, err := desktop.Scope(t.Context(), s.Desktop(), w.ID)
		require.NoError(t, err)
		began := time.Now()
		var sources []table.Source
		require.Eventually(t, func() bool {
			sources, err = papers.Tables(t.Context(), d)
			return err == nil
		}, 2*time.Minute, time.Second, "seed %d", c.Seed)
		data, err := table.Find(c.Request, sources)
		if !assert.NoError(t, err, "seed %d", c.Seed) {
			continue
		}
		t.Logf("seed %d: %d tables in %v", c.Seed, len(sources), time.Since(began))
		assert.Equal(t, c.Labels, data.Labels, "seed %d", c.Seed)
		for i, series := range data.Series {
			for r, value := range series.Values {
				assert.Equal(t, c.Values[r][i], string(value), "seed %d, row %d, series %d", c.Seed, r, i)
			}
		}
		_, err = s.Desktop().Execute(t.Context(), desktop.Command{ToolName: desktop.CloseApplication, Parameters: map[string]any{"id": w.ID}})
		require.NoError(t, err)
	}
}
