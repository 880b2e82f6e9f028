package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// written is the result of the files.
type written struct {
	Path string `json:"path"`
}

// The tools of the files that the model uses.
const (
	writeFile = "write_file"
	readFile  = "read_text_file"
)

// files writes the summary, reads it again, and is done when it is what was
// written.
func files(p *prompt) reply.App {
	wish, err := understand(p.Request)
	if err != nil {
		return givesUp(err.Error())
	}
	var order placed
	if !p.result(Supplier, &order) {
		return givesUp("there is no order to write about")
	}
	if reason := p.failed(); reason != "" {
		return givesUp(reason)
	}
	text := summary(order)
	done := p.Done()
	switch {
	case len(done) == 0:
		return reply.App{Status: fsm.Continue, Function: writeFile, Args: map[string]any{"path": wish.File, "content": text}}
	case done[len(done)-1].Tool == writeFile:
		return reply.App{Status: fsm.Continue, Function: readFile, Args: map[string]any{"path": wish.File}}
	}
	last := done[len(done)-1]
	if last.Status != "" || !same(last.Output, text) {
		return givesUp("the file has another text than was written")
	}
	return reply.App{Status: fsm.Finish, Observation: "The file has the text.", Result: mustJSON(written{wish.File})}
}

// summary is the text of the file.
func summary(o placed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Order %s\n\nReference %s, %d articles:\n\n", o.Number, o.Reference, len(o.Lines))
	for _, line := range o.Lines {
		fmt.Fprintf(&b, "- %d x %s\n", line.Quantity, line.SKU)
	}
	return b.String()
}

// same reports whether an output says the text. One that is too long for a prompt
// is shown by its head.
func same(output json.RawMessage, text string) bool {
	said := texts(output)
	for _, t := range said {
		if strings.TrimSpace(t) == strings.TrimSpace(text) {
			return true
		}
	}
	var short struct {
		Head string `json:"head"`
	}
	if json.Unmarshal(output, &short) != nil || len(short.Head) < 2 {
		return false
	}
	whole := string(mustJSON(text))
	return strings.Contains(short.Head, whole[:min(len(whole)-1, 200)])
}

// texts are all strings in a JSON value.
func texts(raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var list []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return list
}
