package sections_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func TestMayHaveHappened(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"nobody knows whether it happened":                                                    true,
		"no answer came in time: nobody knows whether it happened; look before you repeat it": true,
		"it did not happen": false,
		"":                  false,
	} {
		assert.Equal(t, want, sections.MayHaveHappened(text), text)
	}
}

// A value that a prompt shows whole is handed on as it is, a longer one by its name.
func TestWhole(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{
		`{"rows": [1.50]}`: `{"rows": [1.50]}`,
		`[{"$ref": "a"}]`:  `[{"$ref": "a"}]`,
		`"text"`:           `"text"`,
		`null`:             `null`,
		`{"$ref": ""}`:     `{"$ref": ""}`,
		`{"$ref": 7}`:      `{"$ref": 7}`,
		`{"$ref": "a", "bytes": 9000, "head": "{"}`: `{"$ref":"a"}`,
		`{"$ref": "a \"b\" é", "bytes": 9000}`:      `{"$ref":"a \"b\" é"}`,
	} {
		assert.Equal(t, want, string(sections.Whole(raw(shown))), "digits and blanks stay")
	}
	assert.Nil(t, sections.Whole(nil))
}

// A member of a value that is shown by its name is a member of that name.
func TestMember(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{
		`{"rows": [1.50], "range": "A1"}`: `[1.50]`,
		`{"rows": null}`:                  `null`,
		`{"range": "A1"}`:                 `null`,
		`{}`:                              `null`,
		`[1]`:                             `null`,
		`"rows"`:                          `null`,
		`{"$ref": "a", "bytes": 9000, "head": "{"}`: `{"$ref": "a.rows"}`,
		`{"rows": {"$ref": "b", "bytes": 9000}}`:    `{"$ref": "b"}`,
		`{"$ref": "", "rows": [2]}`:                 `[2]`,
	} {
		got, err := json.Marshal(sections.Member(raw(shown), "rows"))
		require.NoError(t, err, shown)
		assert.JSONEq(t, want, string(got), shown)
	}
}
