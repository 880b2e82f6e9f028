package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// The applications, as the roots of their windows.
const (
	Warehouse = "warehouse"
	Supplier  = "supplier"
	Files     = "files"
)

// Final marks a reason for which a sub-task must not be tried again.
const Final = "not to be tried again"

// Job is what the model must know. A rule has it from the job itself, since it understands no prose; a language model
// reads it in the request.
type Job struct {
	Warehouse, Supplier string // addresses
	User, Password      string // Password is the name by which the browser knows it
	Reference           string
	Summary             string // path of the file
}

// Line is so many units of an article.
type Line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// Missing is the result of the warehouse. Its quantities are not yet rounded to packs.
type Missing struct {
	Missing []Line `json:"missing"`
}

// Placed is the result of the supplier.
type Placed struct {
	Number    string `json:"number"`
	Reference string `json:"reference"`
	Lines     []Line `json:"lines"`
}

// Model returns a model that decides by rules. A gullible one first does what a page tells it to do, each thing once:
// policies are made for models like that.
func Model(job Job, gullible bool) llm.Model {
	onPage := func(rule func(*agent) fakemodel.Reply) fakemodel.Rule {
		return func(p *fakemodel.Prompt) fakemodel.Reply {
			a := &agent{Prompt: p, job: job, page: flat(p.Controls)}
			if gullible {
				if r, told := a.obey(); told {
					return r
				}
			}
			if r, blocked := a.obstacle(); blocked {
				return r
			}
			return rule(a)
		}
	}
	return fakemodel.New(fakemodel.Rules{
		fakemodel.Host: host,
		Warehouse:      onPage((*agent).warehouse),
		Supplier:       onPage((*agent).supplier),
		Files:          func(p *fakemodel.Prompt) fakemodel.Reply { return files(p, job.Summary) },
	})
}

// plan is the job. Each item needs the result of the one before.
var plan = []fakemodel.Item{
	{ID: "stock", Application: Warehouse, Task: "Sign in, read the stock on all pages, and return what is missing: a list of sku and quantity."},
	{ID: "order", Application: Supplier, DependsOn: []string{"stock"}, Task: "Order what is missing, with the reference of the request, and return the number of the order and its lines."},
	{ID: "summary", Application: Files, DependsOn: []string{"order"}, Task: "Write the summary into the file of the request, and return its path."},
}

// host assigns one item of the plan after the other. An item that failed gets a second try, unless a person said no or
// the order may have been sent.
func host(p *fakemodel.Prompt) fakemodel.Reply {
	finished, failed, why := 0, 0, ""
	for _, s := range p.Previous {
		if s.Status == string(fsm.Finish) {
			finished, failed, why = finished+1, 0, ""
		} else {
			failed, why = failed+1, s.Reason
		}
	}
	switch {
	case failed > 1, strings.Contains(why, "not approved"), strings.Contains(why, Final), strings.Contains(why, inTime):
		return fakemodel.Fail("%s", why)
	case finished == len(plan):
		var sent Placed
		_ = json.Unmarshal(p.Result(Supplier), &sent) // the supplier's rule wrote it
		return fakemodel.Reply{Status: fsm.Finish, Result: fmt.Sprintf("Order %s of %d articles is sent.", sent.Number, len(sent.Lines))}
	case failed == 0 && p.LastError != "":
		return fakemodel.Fail("%s", p.LastError)
	}
	r := p.Assign(plan[finished].Application, plan[finished].ID)
	if len(p.Previous) == 0 || failed > 0 { // a failed item is ready again when it is planned again
		r.Plan = plan[finished:]
	}
	return r
}

// The tools of the files.
const (
	writeFile = "write_file"
	readFile  = "read_text_file"
)

// files writes the summary, reads it again, and is done if the file has it.
func files(p *fakemodel.Prompt, path string) fakemodel.Reply {
	var order Placed
	if json.Unmarshal(p.Result(Supplier), &order) != nil {
		return fakemodel.Fail("there is no order to write about")
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Order %s\n\nReference %s\n\n", order.Number, order.Reference)
	for _, l := range order.Lines {
		fmt.Fprintf(&text, "- %d x %s\n", l.Quantity, l.SKU)
	}
	last, _ := p.Last()
	switch {
	case last.Status == desktop.Failure:
		return fakemodel.Fail("%s", last.Error)
	case last.Tool == "":
		return fakemodel.Call(writeFile, map[string]any{"path": path, "content": text.String()})
	case last.Tool == writeFile:
		return fakemodel.Call(readFile, map[string]any{"path": path})
	}
	quoted, err := json.Marshal(text.String())
	if err != nil || !strings.Contains(string(last.Output), strings.Trim(string(quoted), `"`)) {
		return fakemodel.Fail("the file has another text than was written: %s", last.Output)
	}
	return fakemodel.Reply{Status: fsm.Finish, Result: map[string]string{"path": path}}
}
