package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// workload says what each side of a comparison does.
type workload struct {
	Encoded bool // the model encodes what it is given
	Steps   int  // calls of the model; all but the last call the tool
}

func (w workload) String() string { return fmt.Sprintf("%s, %d steps", form(w.Encoded), w.Steps) }

func form(isEncoded bool) string {
	if isEncoded {
		return "encoded"
	}
	return "bare"
}

// toolName is the tool that is called.
const toolName = "noop"

// toolSpec is a tool as every side offers it.
type toolSpec struct{ Name, Description, Schema string }

// largeSchema has 400 bytes, like those of common MCP servers.
const largeSchema = `{"type":"object","properties":{` +
	`"N":{"type":"integer","description":"how often, from 1 to 100"},` +
	`"id":{"type":"string","description":"id of the control that is meant, from the list of controls"},` +
	`"text":{"type":"string","description":"what a person would type instead"},` +
	`"mode":{"type":"string","enum":["replace","append","insert"],"description":"what happens with text that is there"}},` +
	`"required":["N"]}`

// specs are the tools of a workload. The first is the one that is called.
var specs = manySpecs(12)

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
type texts []string

// newTexts makes replies of 4 KiB.
func newTexts(of func(thought string) string) texts {
	filler := strings.TrimSpace(strings.Repeat("the window shows the sales of the year, sorted by region. ", 4<<10/58))
	var t texts
	for i := range 100 {
		t = append(t, of(fmt.Sprintf("In step %02d %s", i, filler)))
	}
	return t
}

func (t texts) of(step int) string { return t[step%len(t)] }

// thoughts are what a model says besides its call.
var thoughts = newTexts(func(thought string) string { return thought })

// job is one run of a workload: what the fake model and the fake tool count.
type job struct {
	workload
	thoughts int  // calls of the model
	calls    int  // calls of the tool
	sent     int  // bytes that the model encoded
	sees     bool // the tool returns the screen
}

// think counts a call of the model. It returns the number of the step, and whether it is the last.
func (j *job) think(request any) (step int, last bool, err error) {
	j.thoughts++
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
var seen = string(encoded(controls()))

var errOther = errors.New("bench: the run did something else than the workload")

// done reports an error unless the run did all of the workload and said done.
func (j *job) done(said string) error {
	if said != "done" || j.thoughts != j.Steps || j.calls != j.Steps-1 || (j.sent > 0) != j.Encoded {
		return fmt.Errorf("%w: %d thoughts, %d calls, %d bytes, %q", errOther, j.thoughts, j.calls, j.sent, said)
	}
	return nil
}

// loop is one side of the comparison of agents.
type loop struct {
	Name string
	Run  func(ctx context.Context, j *job) error
	Sees bool // its tool returns the screen, which agents of agentfsm read without a call
}

// The sides by name, as other files refer to them.
const (
	appAgent  = "agentfsm, AppAgent"
	einoAgent = "Eino, ChatModelAgent"
)

// loops are the sides of the comparison of agents, ours first.
func loops() []loop {
	return []loop{
		{Name: appAgent, Run: runApp},
		{Name: "agentfsm, HostAgent", Run: runHost},
		{Name: einoAgent, Run: runEinoAgent},
		{Name: einoAgent + ", its tool returns the screen", Run: runEinoAgent, Sees: true},
		{Name: "a loop by hand", Run: runByHand},
	}
}
