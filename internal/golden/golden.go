// Package golden compares texts with files in testdata. A test that imports it has the flag -update, which writes
// them anew.
package golden

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

// Equal compares a text with the file of that name.
func Equal(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), text)
}

// Cases compares what comes of each input in a file with what stands below it, indented. An
// input is a line, or a Go string after "quoted: " when it has characters that an editor
// might change. A line that begins with # says what the next input is about.
func Cases(t *testing.T, name string, result func(input string) string) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(file), "\r\n", "\n")) {
		if strings.HasPrefix(line, "\t") {
			continue // a result of before
		}
		b.WriteString(line)
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if quoted, ok := strings.CutPrefix(line, "quoted: "); ok {
			line, err = strconv.Unquote(quoted)
			require.NoError(t, err, quoted)
		}
		text := cmp.Or(result(line), "(nothing)")
		b.WriteString("\t" + strings.ReplaceAll(text, "\n", "\n\t") + "\n")
	}
	Equal(t, name, b.String())
}

// Transcript is a request as a text that can be compared.
func Transcript(req *llm.Request) string {
	var b strings.Builder
	for _, msg := range req.Messages {
		fmt.Fprintf(&b, "--- %s\n", strings.TrimSpace(string(msg.Role)+" "+msg.CallID))
		b.WriteString(strings.TrimRight(msg.Text(), "\n") + "\n")
		for _, p := range msg.Parts {
			if p.Image != nil {
				fmt.Fprintf(&b, "[%s]\n", p.Image.MediaType)
			}
		}
		for _, c := range msg.Calls {
			fmt.Fprintf(&b, "[%s: %s %s]\n", c.ID, c.Name, c.Args)
		}
	}
	for _, tool := range req.Tools {
		fmt.Fprintf(&b, "--- tool %s: %s\n%s\n", tool.Name, tool.Description, tool.Parameters)
	}
	return b.String()
}
