package scenarios_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
)

// changing is what differs between two runs of the same: times, and ids that were made for them.
var changing = regexp.MustCompile(`\bid-\d|\b20\d\d-\d\d-|\d\d:\d\d:\d\d|[0-9a-f]{8}-[0-9a-f]{4}-`)

// steady are lines without that: most prompts have the same ones, and to search them all takes a second.
var steady sync.Map

// begun is how a prompt begins.
type begun struct {
	sections string // that are in it, up to the task, and what the model may answer
	task     string // all up to the end of the task
	text     string // all up to the last breakpoint
	steps    int    // of the history
}

// begins asserts that a prompt goes on where the last one of the same agent has its last
// breakpoint, and that it says nothing up to the task that is of this run alone.
func (c *conversation) begins(req *llm.Request) {
	var now begun
	all := ""
	for i := range req.Messages {
		for _, part := range req.Messages[i].Parts {
			switch all += part.Text; {
			case !part.CacheBreakpoint:
			case i > 0 && now.task == "":
				now.task, now.text = all, all
			case i > 0:
				now.text = all
				now.steps++
			}
		}
	}
	for _, section := range []string{"tools", "tool_groups", "request", "subtask", "application", "previous_subtasks"} {
		raw, _ := llm.FindSection(req, section)
		now.sections += "\n" + string(raw)
	}
	now.sections += fmt.Sprint(statusesOf(req))
	assert.NotEmpty(c.t, now.task, "a prompt has a breakpoint behind the task")
	agent, _, _ := strings.Cut(all, "\n")
	before := c.begun[agent]
	for line := range strings.Lines(now.task) {
		if _, known := steady.Load(line); !known && assert.Empty(c.t, changing.FindString(line), "what changes with each run does not begin a prompt:\n%s", now.task) {
			steady.Store(line, true)
		}
	}
	if before.sections == now.sections {
		assert.Equal(c.t, before.task, now.task, "the same tools, task and statuses, and another beginning")
	}
	if before.task == now.task && before.steps < now.steps { // else the history lost a block, or is as it was
		assert.True(c.t, strings.HasPrefix(now.text, before.text), "the prompt\n%s\n\ndoes not begin with\n%s", now.text, before.text)
	}
	if c.begun == nil {
		c.begun = map[string]begun{}
	}
	c.begun[agent] = now
}
