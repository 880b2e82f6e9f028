package spelling_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/spelling"
)

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"":              nil,
		"deleteFile":    {"delete", "file"},
		"DELETE_FILE":   {"delete", "file"},
		"Delete file…":  {"delete", "file"},
		"deleteURLFile": {"delete", "url", "file"},
		"srv__type/2":   {"srv", "type"},
		"de\u00adlete":  {"delete"},
		"a.b-c":         {"a", "b", "c"},
	} {
		assert.Equal(t, want, spelling.Words(name), name)
	}
	assert.Equal(t, []string{"delete", "URL"}, spelling.Written("deleteURL"))
	assert.Equal(t, "ab\n c", spelling.Seen("a\u200bb\n c"))
}
