package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// workload says what each side of a comparison does.
type workload struct {
	Realistic bool // 12 tools and replies of 4 KiB; else one tool and one line
	Encoded   bool // the model encodes what it is given
	Steps     int  // calls of the model; all but the last call the tool
}

func (w workload) String() string {
	return fmt.Sprintf("%s and %s, %d steps", choose(w.Realistic, "realistic", "small"), choose(w.Encoded, "encoded", "bare"), w.Steps)
}

func choose(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}

// toolName is the tool that is called.
const toolName = "noop"

// toolSpec is a tool as every side offers it.
type toolSpec struct{ Name, Description, Schema string }

// smallSchema takes one number.
const smallSchema = `{"type":"object","properties":{"N":{"type":"integer"}},"required":["N"]}`

// largeSchema has 400 bytes, like those of common MCP servers.
const largeSchema = `{"type":"object","properties":{` +
	`"N":{"type":"integer","description":"how often, from 1 to 100"},` +
	`"id":{"type":"string","description":"id of the control that is meant, from the list of controls"},` +
	`"text":{"type":"string","description":"what a person would type instead"},` +
	`"mode":{"type":"string","enum":["replace","append","insert"],"description":"what happens with text that is there"}},` +
	`"required":["N"]}`

// specs are the tools of a workload. The first is the one that is called.
func (w workload) specs() []toolSpec {
	if !w.Realistic {
		return []toolSpec{{toolName, "does nothing", smallSchema}}
	}
	return manySpecs(12)
}

func manySpecs(n int) []toolSpec {
	specs := make([]toolSpec, n)
	for i := range specs {
		specs[i] = toolSpec{fmt.Sprintf("tool_%03d", i), fmt.Sprintf("changes part %d of the document in place", i), largeSchema}
	}
	specs[0].Name = toolName
	return specs
}

// arguments of the call in a step.
const arguments = `{"N": 1}`

// toolArguments are what the tool reads of them.
type toolArguments struct {
	N int `json:"N"`
}

// texts are what a model says, made once so that no step pays for it. Of 100 steps
// in a row no two are the same.
type texts struct{ small, realistic []string }

// newTexts makes replies of one line, and of 4 KiB.
func newTexts(of func(thought string) string) texts {
	filler := strings.TrimSpace(strings.Repeat("the window shows the sales of the year, sorted by region. ", 4<<10/58))
	var t texts
	for i := range 100 {
		t.small = append(t.small, of(fmt.Sprintf("step %02d", i)))
		t.realistic = append(t.realistic, of(fmt.Sprintf("In step %02d %s", i, filler)))
	}
	return t
}

func (t texts) of(w workload, step int) string {
	if w.Realistic {
		return t.realistic[step%len(t.realistic)]
	}
	return t.small[step%len(t.small)]
}

// thoughts are what a model says besides its call.
var thoughts = newTexts(func(thought string) string { return thought })

// thought is the text of a reply.
func (w workload) thought(step int) string { return thoughts.of(w, step) }

// job is one run of a workload: what the fake model and the fake tool count.
type job struct {
	workload
	thoughts int // calls of the model
	calls    int // calls of the tool
	sent     int // bytes that the model encoded

	onThought func(step int) // nil: nothing
	sees      bool           // the tool returns the screen
}

// think counts a call of the model. It returns the number of the step, and whether it is the last.
func (j *job) think(request any) (step int, last bool, err error) {
	j.thoughts++
	if j.onThought != nil {
		j.onThought(j.thoughts)
	}
	if j.Encoded {
		text, err := json.Marshal(request)
		if err != nil {
			return 0, false, err
		}
		j.sent += len(text)
	}
	return j.thoughts, j.thoughts == j.Steps, nil
}

// called is what the tool does.
func (j *job) called() string {
	j.calls++
	if j.sees {
		return seen
	}
	return "ok"
}

// seen is the realistic screen as the result of a tool.
var seen = string(encoded(controls(usual.Controls)))

var errOther = errors.New("bench: the run did something else than the workload")

// done reports an error unless the run did all of the workload and said done.
func (j *job) done(said string) error {
	if said != "done" || j.thoughts != j.Steps || j.calls != j.Steps-1 || (j.sent > 0) != j.Encoded {
		return fmt.Errorf("%w: %d thoughts, %d calls, %d bytes, %q", errOther, j.thoughts, j.calls, j.sent, said)
	}
	return nil
}
