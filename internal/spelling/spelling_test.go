package spelling_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/spelling"
)

func TestWritten(t *testing.T) {
	for name, want := range map[string][]string{
		"deleteFile":        {"delete", "File"},
		"DELETE_FILE":       {"DELETE", "FILE"},
		"deleteURL":         {"delete", "URL"},
		"URLFile":           {"URL", "File"},
		"Delete file…":      {"Delete", "file"},
		"del\u00adete":      {"delete"},
		"löscheÄpfel":       {"lösche", "Äpfel"},
		"a1b":               {"a", "b"},
		"e\u0301te":         {"e\u0301te"},
		"x\xffY\xff":        {"x", "Y"},
		"7 ":                nil,
		"ABc":               {"A", "Bc"},
		"\u0301B":           {"\u0301B"},
		"日本 go":             {"日本", "go"},
		"sendAÄ\u00dfender": {"send", "A", "Ä\u00dfender"},
	} {
		assert.Equal(t, want, slices.Collect(spelling.Written(name)), "%q", name)
	}
	assert.Equal(t, []string{"delete", "file"}, spelling.Words("DELETE_File"))
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{"Current Sub-Task": "currentsubtask", "": "", "plain1": "plain1", "ÄB_c\xff": "äbc"} {
		assert.Equal(t, want, spelling.Fold(name))
	}
}
