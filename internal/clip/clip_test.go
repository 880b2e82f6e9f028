package clip_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/clip"
)

func TestText(t *testing.T) {
	assert.Empty(t, clip.Text("", 3))
	assert.Equal(t, "abc", clip.Text("abc", 3))
	assert.Equal(t, "abc… [cut: 4 bytes in all]", clip.Text("abcd", 3))
	assert.Equal(t, "é… [cut: 4 bytes in all]", clip.Text("éé", 3), "no half letters")
}

func TestRef(t *testing.T) {
	assert.Equal(t, "abc", clip.Ref("abc", 3, "subtask_result_1.reason"))
	assert.Equal(t, "abc… [cut: 4 bytes in all, $ref: subtask_result_1.reason]", clip.Ref("abcd", 3, "subtask_result_1.reason"))
}

func TestName(t *testing.T) {
	assert.Empty(t, clip.Name("", 3))
	assert.Equal(t, "abc", clip.Name("abc", 3))
	assert.Equal(t, "(4 bytes)", clip.Name("abcd", 3), "no part of it")
}
